import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const bin = new URL("../../bin/sideslip.js", import.meta.url).pathname;

/** Runs the command line and returns its largest resident memory in MB (Linux), and its exit code. */
export async function peakMemory(
  args: readonly string[],
  cwd: string,
): Promise<{ megabytes: number; status: number | null }> {
  const child = spawn(process.execPath, [bin, ...args], { cwd, stdio: "ignore" });
  let megabytes = 0;
  const look = setInterval(() => {
    try {
      const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
      // An exiting process has no such line any more.
      if (kilobytes !== undefined) megabytes = Math.max(megabytes, Number(kilobytes) / 1024);
    } catch {}
  }, 20);
  const status = await new Promise<number | null>((done) => child.once("exit", done));
  clearInterval(look);
  return { megabytes, status };
}
