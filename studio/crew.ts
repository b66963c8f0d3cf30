/** The page's side of the flight deck. */
import type { Answers, News, Order, Question } from "../src/deck/protocol.ts";

export type ToWorker = { readonly order: Order } | { readonly id: number; readonly question: Question };
export type FromWorker =
  | { readonly news: News }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string };

export class Crew {
  private readonly worker: Worker;
  private readonly waiting = new Map<
    number,
    { resolve(answer: unknown): void; reject(failure: Error): void }
  >();
  private next = 0;

  constructor(hear: (news: News) => void) {
    this.worker = new Worker(new URL("./flight-worker.ts", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if ("news" in data) {
        hear(data.news);
        return;
      }
      const asked = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ("answer" in data) asked?.resolve(data.answer);
      else asked?.reject(new Error(data.failure));
    });
    this.worker.addEventListener("error", (event) => {
      hear({ news: "stopped", message: `the simulation stopped: ${event.message || "its worker failed"}` });
    });
  }

  order(order: Order): void {
    this.worker.postMessage({ order } satisfies ToWorker);
  }

  ask<K extends Question["ask"]>(question: Question & { ask: K }): Promise<Answers[K]> {
    const id = this.next++;
    this.worker.postMessage({ id, question } satisfies ToWorker);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
    });
  }
}
