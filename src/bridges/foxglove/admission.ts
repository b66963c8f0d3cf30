/** Who may come in: viewers whose pages are known, or who bring the token; all must call this machine by a name of its own. */
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

/** Why a connection is refused, or nothing. */
export function refusalOf(
  origin: string | undefined,
  { headers, url = "" }: IncomingMessage,
  {
    host,
    origins,
    token,
  }: { readonly host: string; readonly origins: readonly string[]; readonly token: string },
): { readonly status: number; readonly words: string } | undefined {
  if (!namesThisHost(headers.host, host))
    return { status: 421, words: "somebody asked for another host's name and may not connect" };
  const hasToken = isToken(new URLSearchParams(url.split("?")[1]).get("token"), token);
  if (!hasToken && !isKnownOrigin(origin, origins)) {
    const from = String(origin)
      .slice(0, 200)
      .replace(/\p{Cc}/gu, "?");
    const way = from === "null" ? "with the token of its address it may" : `--allow-origin ${from} lets it`;
    return { status: 403, words: `a page from ${from} may not connect (${way})` };
  }
  if (!offersKnown(headers["sec-websocket-protocol"]))
    return { status: 403, words: `somebody does not speak ${SUBPROTOCOLS.join(" or ")} and may not connect` };
  return undefined;
}
