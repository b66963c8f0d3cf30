/** Admission of HTTP and WebSocket clients by their Host and Origin headers. */
import { isIP } from "node:net";

/** Origins of viewers that need no token. Electron pages have file://; local files in a browser have null. */
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
