/** The page's side of a session: commands and queries go out, replies and events come in. */

import { decode, encode } from "../src/session/encoding.ts";
import type {
  ClientMessage,
  Command,
  Query,
  QueryReplies,
  Role,
  SessionEvent,
  SessionMessage,
} from "../src/session/protocol.ts";

/** Where the session is: in a worker of this page, or behind a socket. */
interface Transport {
  post(message: ClientMessage): void;
}

/** The token by which a server admits its own page: #session=... */
const token = new URLSearchParams(location.hash.slice(1)).get("session");
/** The simulation runs elsewhere. */
export const isElsewhere = token !== null;

export class SessionClient {
  private readonly transport: Transport;
  private readonly waiting = new Map<
    number,
    { resolve(reply: unknown): void; reject(failure: Error): void }
  >();
  private next = 0;

  constructor(onEvent: (event: SessionEvent) => void, onRole: (role: Role) => void) {
    const receive = (data: SessionMessage) => {
      if ("event" in data) {
        onEvent(data.event);
        return;
      }
      if ("role" in data) {
        onRole(data.role);
        return;
      }
      const pending = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ("reply" in data) pending?.resolve(data.reply);
      else pending?.reject(new Error(data.failure));
    };
    const stop = (message: string) => onEvent({ type: "stopped", message });
    const gone = (message: string) => {
      onRole("gone");
      onEvent({ type: "rejected", message });
    };
    this.transport = token === null ? workerTransport(receive, stop) : socketTransport(token, receive, gone);
  }

  send(command: Command): void {
    this.transport.post({ command });
  }

  query<K extends Query["type"]>(query: Query & { type: K }): Promise<QueryReplies[K]> {
    const id = this.next++;
    this.transport.post({ id, query });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (reply: unknown) => void, reject });
    });
  }
}

function workerTransport(receive: (message: SessionMessage) => void, stop: (why: string) => void): Transport {
  const worker = new Worker(new URL("./flight-worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<SessionMessage>) => receive(data));
  worker.addEventListener("error", (event) =>
    stop(`the simulation stopped: ${event.message || "its worker failed"}`),
  );
  return { post: (message) => worker.postMessage(message) };
}

function socketTransport(
  token: string,
  receive: (message: SessionMessage) => void,
  stop: (why: string) => void,
): Transport {
  const socket = new WebSocket(`ws://${location.host}/session?token=${encodeURIComponent(token)}`);
  const early: string[] = [];
  socket.addEventListener("open", () => {
    for (const text of early) socket.send(text);
  });
  socket.addEventListener("message", ({ data }: MessageEvent<string>) =>
    receive(decode(data) as SessionMessage),
  );
  socket.addEventListener("close", () =>
    stop("the server was closed or restarted: open the address that it prints."),
  );
  return {
    post(message) {
      const text = encode(message);
      if (socket.readyState === WebSocket.CONNECTING) early.push(text);
      else if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
  };
}
