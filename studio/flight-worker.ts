/** The flight deck in a worker: orders and questions come in, news and answers go out. */
import "./no-eval.ts";
import { Deck } from "../src/deck/deck.ts";
import { InputError } from "../src/model/input-error.ts";
import type { FromWorker, ToWorker } from "./crew.ts";

const post = (message: FromWorker) => postMessage(message);
const deck = new Deck(
  (news) => post({ news }),
  () => performance.now(),
);

const failed = (error: unknown): string =>
  error instanceof InputError
    ? error.message
    : `something unforeseen happened: ${error instanceof Error ? error.message : String(error)}`;

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  try {
    if ("order" in data) deck.order(data.order);
    else post({ id: data.id, answer: deck.ask(data.question) });
  } catch (error) {
    if ("id" in data) post({ id: data.id, failure: failed(error) });
    else post({ news: { news: "refused", message: failed(error) } });
  }
});

/** A worker's timers are not held back like a page's. */
setInterval(() => {
  try {
    deck.turn();
  } catch (error) {
    post({ news: { news: "stopped", message: failed(error) } });
    deck.order({ do: "pause" });
  }
}, 4);
