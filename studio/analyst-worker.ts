/** Analyses beside the flight, in a worker of their own. */
import "./no-eval.ts";
import { type Study, study } from "../src/deck/analyst.ts";
import { InputError } from "../src/model/input-error.ts";
import { RunError } from "../src/simulation/divergence.ts";

addEventListener("message", ({ data }: MessageEvent<{ id: number; asked: Study }>) => {
  const { id, asked } = data;
  try {
    postMessage({ id, answer: study(asked) });
  } catch (error) {
    const isTold = error instanceof InputError || error instanceof RunError;
    postMessage({
      id,
      failure: isTold ? error.message : `something unforeseen happened: ${(error as Error).message}`,
    });
  }
});
