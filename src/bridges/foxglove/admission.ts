/** Admission of clients: known origins, or the token; the Host header must name this machine. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isKnownOrigin, namesThisHost } from "../origins.ts";
import { SUBPROTOCOLS } from "./protocol.ts";

const offersKnown = (header = ""): boolean =>
  header.split(",").some((name) => (SUBPROTOCOLS as readonly string[]).includes(name.trim()));

function isToken(given: string | null, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ""), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The status and reason with which a connection is refused, or undefined. */
export function rejectionOf(
  origin: string | undefined,
  { headers, url = "" }: IncomingMessage,
  {
    host,
    origins,
    token,
  }: { readonly host: string; readonly origins: readonly string[]; readonly token: string },
): { readonly status: number; readonly reason: string } | undefined {
  if (!namesThisHost(headers.host, host))
    return { status: 421, reason: "a connection was refused: its Host header does not name this machine" };
  const hasToken = isToken(new URLSearchParams(url.split("?")[1]).get("token"), token);
  if (!hasToken && !isKnownOrigin(origin, origins)) {
    const from = String(origin)
      .slice(0, 200)
      .replace(/\p{Cc}/gu, "?");
    const way = from === "null" ? "the token in its address admits it" : `--allow-origin ${from} admits it`;
    return { status: 403, reason: `a page of origin ${from} was refused (${way})` };
  }
  if (!offersKnown(headers["sec-websocket-protocol"]))
    return {
      status: 403,
      reason: `a connection was refused: it does not offer ${SUBPROTOCOLS.join(" or ")}`,
    };
  return undefined;
}
