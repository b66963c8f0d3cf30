/** Analyses beside the flight, in a worker of their own. */
import "./no-eval.ts";
import { InputError } from "../src/model/input-error.ts";
import { type StudyRequest, study } from "../src/session/study.ts";
import { RunError } from "../src/simulation/divergence.ts";

addEventListener("message", ({ data }: MessageEvent<{ id: number; asked: StudyRequest }>) => {
  const { id, asked } = data;
  try {
    postMessage({ id, answer: study(asked) });
  } catch (error) {
    const isTold = error instanceof InputError || error instanceof RunError;
    postMessage({
      id,
      failure: isTold ? error.message : `internal error: ${(error as Error).message}`,
    });
  }
});
