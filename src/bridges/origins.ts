/** Who may come in: by the name that he calls this machine by, and by the page that he comes from. */
import { isIP } from "node:net";

/** Of the viewers that need no word. Electron's pages come from file://; those that a browser opens there from nowhere (null). */
const VIEWERS = ["https://app.foxglove.dev", "https://studio.foxglove.dev", "file://"];

/** A name, or an address in brackets or not, and perhaps a port. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/@?#\s]+))(?::\d{1,5})?$/i;

/**
 * Whether a Host header names this machine: by an address, which nobody else can lead here, or by a name that only this machine
 * answers to. Any other name may be one that a page's author let point here (DNS rebinding).
 */
export function namesThisHost(header: string | undefined, bound?: string): boolean {
  const [, address, name] = HOST.exec(header ?? "") ?? [];
  if (address !== undefined) return isIP(address) === 6;
  if (name === undefined) return false;
  const plain = name.toLowerCase();
  return isIP(plain) === 4 || plain === "localhost" || plain === bound?.toLowerCase();
}

/** Pages of other sites must not steer what flies here; programs that are no pages have no origin. */
export const isKnownOrigin = (origin: string | undefined, allowed: readonly string[]): boolean =>
  origin === undefined ||
  allowed.includes(origin) ||
  VIEWERS.includes(origin) ||
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);
