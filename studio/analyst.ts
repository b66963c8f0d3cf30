/** The page's side of the analyst: the last request counts, an older one is cancelled. */
import type { StudyRequest, StudyResults, StudySubject } from "../src/session/study.ts";
import { studio } from "./studio.ts";

let worker: Worker | undefined;
let waiting: { id: number; resolve(answer: unknown): void; reject(error: Error): void } | undefined;
let next = 0;

function start(): Worker {
  const made = new Worker(new URL("./analyst-worker.ts", import.meta.url), { type: "module" });
  made.addEventListener(
    "message",
    ({ data }: MessageEvent<{ id: number; answer?: unknown; failure?: string }>) => {
      if (data.id !== waiting?.id) return;
      const { resolve, reject } = waiting;
      waiting = undefined;
      if (data.failure === undefined) resolve(data.answer);
      else reject(new Error(data.failure));
    },
  );
  made.addEventListener("error", () => waiting?.reject(new Error("the analysis failed; reload the page")));
  return made;
}

/** The vehicle that flies, with what was changed of it. */
export function subject(): StudySubject | undefined {
  const { info, values } = studio.shown;
  if (!info || !values) return undefined;
  const parameters: Record<string, number> = {};
  info.parameters.forEach((f, i) => {
    if (values[i] !== info.original[i]) parameters[f.name] = values[i];
  });
  return { vehicle: info.vehicle, parameters };
}

type Wanted<K extends StudyRequest["study"]> = Omit<StudyRequest & { study: K }, "subject">;

export function analyse<K extends StudyRequest["study"]>(wanted: Wanted<K>): Promise<StudyResults[K]> {
  const own = subject();
  if (own === undefined) return Promise.reject(new Error("no simulation is running"));
  if (waiting) {
    worker?.terminate();
    worker = undefined;
    waiting.reject(new Error("cancelled by a newer request"));
  }
  worker ??= start();
  const id = next++;
  worker.postMessage({ id, asked: { ...wanted, subject: own } });
  return new Promise((resolve, reject) => {
    waiting = { id, resolve: resolve as (answer: unknown) => void, reject };
  });
}
