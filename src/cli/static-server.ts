/** Serves the files of one folder, and nothing else. */
import { createReadStream, statSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { type Duplex, pipeline } from "node:stream";
import { namesThisHost } from "../bridges/origins.ts";
import { refuse } from "../bridges/refuse.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
};

/**
 * What the page may do: run served scripts, draw its own pictures, connect to this server. It cannot be
 * framed.
 * WebAssembly is needed to repeat runs of a campaign.
 */
const policyFor = (host: string): string =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src 'self' ws://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const guards = (host: string) => ({
  "content-security-policy": policyFor(host),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
});

export interface Served {
  readonly address: string;
  close(): void;
}

/** The file that a path asks for, or nothing: paths do not lead out of the folder. */
function fileFor(folder: string, path: string): string | undefined {
  try {
    const file = normalize(join(folder, decodeURIComponent(path)));
    if (!file.startsWith(normalize(folder + sep)) && file !== normalize(folder)) return undefined;
    const found = file.endsWith(sep) ? join(file, "index.html") : file;
    return statSync(found).isFile() ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Handles upgrade requests (WebSocket). */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export function serveFolder(folder: string, host: string, port: number, upgrade?: Upgrade): Promise<Served> {
  const server = createServer((request, response) => {
    const { host: named = "" } = request.headers;
    if (!namesThisHost(named, host)) {
      response
        .writeHead(421, { "content-type": "text/plain" })
        .end("This server does not serve that host name.\n");
      return;
    }
    const path = (request.url ?? "/").replace(/[?#].*$/, "");
    const file = request.method === "GET" || request.method === "HEAD" ? fileFor(folder, path) : undefined;
    if (file === undefined) {
      response.writeHead(404, { "content-type": "text/plain", ...guards(named) }).end("Not found.\n");
      return;
    }
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      ...guards(named),
      // Names of built files contain a content hash; the page itself is revalidated.
      "cache-control": file.endsWith(".html") ? "no-cache" : "max-age=31536000",
    });
    if (request.method === "HEAD") response.end();
    // An aborted request leaves no file open.
    else pipeline(createReadStream(file), response, () => {});
  });
  if (upgrade)
    server.on("upgrade", (request, socket, head) => {
      if (namesThisHost(request.headers.host, host)) upgrade(request, socket, head);
      else refuse(socket, "421 Misdirected Request");
    });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const { port: own } = server.address() as AddressInfo;
      const name = host.includes(":") ? `[${host}]` : host;
      resolve({
        address: `http://${name}:${own}/`,
        close: () => {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}
