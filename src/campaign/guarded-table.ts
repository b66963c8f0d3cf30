/** A table that another process reads, with limits on time and memory. */
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Answer, Asked } from "./reading-process.ts";
import type { Table } from "./table.ts";

/** For one step, opening or a group of rows [ms]; a group of ours takes a tenth of a second. */
const PATIENCE = 20_000;
/** Heap, and all memory of the process [MB]. */
const HEAP = 1024;
const MOST = 2048;
/** Between looks at its memory [ms]. */
const LOOK = 100;

/** `program` is the built reading-process.ts; `isCut` reads a file as far as it goes. */
export async function openGuarded(
  path: string,
  program: URL,
  patience = PATIENCE,
  isCut = false,
): Promise<Table & { close(): void }> {
  const child = fork(program, {
    execArgv: [`--max-old-space-size=${HEAP}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.unref();
  child.channel?.unref?.();
  let last: (answer: Answer) => void = () => {};
  let problem: string | undefined;
  const end = (why: string) => {
    problem ??= `${why}: it is damaged or malicious`;
    child.kill("SIGKILL");
    last({ failure: problem });
  };
  child.on("message", (answer) => last(answer as Answer));
  child.on("error", (error) => end(`it cannot be read (${error.message})`));
  child.on("exit", (code, signal) => {
    // Node aborts where its heap is full.
    if (signal === "SIGABRT" || code === 134) end(`reading it takes more than ${HEAP / 1024} GB`);
    problem ??= `the process that read it has ended (${signal ?? `code ${code}`})`;
    last({ failure: problem });
  });
  const ask = async (asked: Asked): Promise<Answer> => {
    if (problem !== undefined) throw new Error(problem);
    const begun = performance.now();
    const watch = setInterval(() => {
      if (performance.now() - begun > patience) end(`it cannot be read in ${patience / 1000} s`);
      else if (megabytesOf(child) > MOST) end(`reading it takes more than ${MOST / 1024} GB`);
    }, LOOK);
    try {
      const answer = await new Promise<Answer>((resolve) => {
        last = resolve;
        child.send(asked);
      });
      if (answer.failure !== undefined) throw new Error(answer.failure);
      return answer;
    } finally {
      clearInterval(watch);
    }
  };
  const close = () => {
    problem ??= "it is closed";
    child.kill("SIGKILL");
  };
  try {
    const { opened } = await ask({ open: path, isCut });
    return {
      ...(opened as Omit<Table, "pieces">),
      async *pieces(columns) {
        await ask({ columns });
        for (;;) {
          const { piece } = await ask({ next: true });
          if (piece === undefined) return;
          yield piece;
        }
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Resident memory where the system tells it. */
function megabytesOf({ pid }: ChildProcess): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024 || 0;
  } catch {
    return 0;
  }
}
