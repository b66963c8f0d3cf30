/** A session in a worker: commands and queries come in, replies and events go out. */
import "./no-eval.ts";
import { InputError } from "../src/model/input-error.ts";
import type { ClientMessage, SessionMessage } from "../src/session/protocol.ts";
import { Session } from "../src/session/session.ts";

const post = (message: SessionMessage) => postMessage(message);
const session = new Session(
  (event) => post({ event }),
  () => performance.now(),
);

const failed = (error: unknown): string =>
  error instanceof InputError
    ? error.message
    : `internal error: ${error instanceof Error ? error.message : String(error)}`;

addEventListener("message", ({ data }: MessageEvent<ClientMessage>) => {
  try {
    if ("command" in data) session.handle(data.command);
    else post({ id: data.id, reply: session.query(data.query) });
  } catch (error) {
    if ("id" in data) post({ id: data.id, failure: failed(error) });
    else post({ event: { type: "rejected", message: failed(error) } });
  }
});

/** Browsers throttle a hidden page's timers, but not a worker's. */
setInterval(() => {
  try {
    session.turn();
  } catch (error) {
    post({ event: { type: "stopped", message: failed(error) } });
    session.handle({ type: "pause" });
  }
}, 4);
