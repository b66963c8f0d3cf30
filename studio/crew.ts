/** The page's side of the flight deck. */
import type { Answers, News, Order, Question } from "../src/deck/protocol.ts";
import { decode, encode, type Role } from "../src/deck/socket.ts";

export type ToWorker = { readonly order: Order } | { readonly id: number; readonly question: Question };
export type FromWorker =
  | { readonly news: News }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string };

/** Where the deck is: in a worker of this page, or behind a socket. */
interface Line {
  post(message: ToWorker): void;
}

/** The word by which a server lets its own page in: #deck=... */
const token = new URLSearchParams(location.hash.slice(1)).get("deck");
/** The simulation runs elsewhere. */
export const isElsewhere = token !== null;

export class Crew {
  private readonly line: Line;
  private readonly waiting = new Map<
    number,
    { resolve(answer: unknown): void; reject(failure: Error): void }
  >();
  private next = 0;

  constructor(hear: (news: News) => void, onRole: (role: Role) => void) {
    const take = (data: FromWorker | { readonly role: Role }) => {
      if ("news" in data) {
        hear(data.news);
        return;
      }
      if ("role" in data) {
        onRole(data.role);
        return;
      }
      const asked = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ("answer" in data) asked?.resolve(data.answer);
      else asked?.reject(new Error(data.failure));
    };
    const stop = (message: string) => hear({ news: "stopped", message });
    const gone = (message: string) => {
      onRole("gone");
      hear({ news: "refused", message });
    };
    this.line = token === null ? workerLine(take, stop) : socketLine(token, take, gone);
  }

  order(order: Order): void {
    this.line.post({ order });
  }

  ask<K extends Question["ask"]>(question: Question & { ask: K }): Promise<Answers[K]> {
    const id = this.next++;
    this.line.post({ id, question });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
    });
  }
}

function workerLine(take: (message: FromWorker) => void, stop: (why: string) => void): Line {
  const worker = new Worker(new URL("./flight-worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => take(data));
  worker.addEventListener("error", (event) =>
    stop(`the simulation stopped: ${event.message || "its worker failed"}`),
  );
  return { post: (message) => worker.postMessage(message) };
}

function socketLine(word: string, take: (message: FromWorker) => void, stop: (why: string) => void): Line {
  const socket = new WebSocket(`ws://${location.host}/deck?token=${encodeURIComponent(word)}`);
  const early: string[] = [];
  socket.addEventListener("open", () => {
    for (const words of early) socket.send(words);
  });
  socket.addEventListener("message", ({ data }: MessageEvent<string>) => take(decode(data) as FromWorker));
  socket.addEventListener("close", () =>
    stop("the server has gone, or was started anew: open the address that it prints."),
  );
  return {
    post(message) {
      const words = encode(message);
      if (socket.readyState === WebSocket.CONNECTING) early.push(words);
      else if (socket.readyState === WebSocket.OPEN) socket.send(words);
    },
  };
}
