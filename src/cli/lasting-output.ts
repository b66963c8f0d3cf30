/** A log beside a simulation that others take part in: a full disk ends the log, not the flight. */
import { OutputError } from "./files.ts";
import type { Output } from "./run-outputs.ts";

/** `lost` is called once, with the write error; the file keeps what was written. Other errors are thrown. */
export function lasting(output: Output, lost: (error: OutputError) => void): Output {
  let isLost = false;
  const giveUp = (error: unknown) => {
    if (!(error instanceof OutputError)) throw error;
    isLost = true;
    lost(error);
  };
  const attempt = (work: () => void) => {
    if (isLost) return;
    try {
      work();
    } catch (error) {
      giveUp(error);
    }
  };
  const attemptLater = async (work: () => unknown) => {
    if (isLost) return;
    try {
      await work();
    } catch (error) {
      giveUp(error);
    }
  };
  return {
    ...output,
    sink: {
      ...output.sink,
      open: (channels) => output.sink.open(channels),
      write: (row) => attempt(() => output.sink.write(row)),
    },
    flush: () => attemptLater(() => output.flush?.()),
    finish: (title, rows) => attemptLater(() => output.finish(title, rows)),
  };
}
