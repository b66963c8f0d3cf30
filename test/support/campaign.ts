/** Campaigns as processes, and what they leave. */
import { type ChildProcess, spawn } from "node:child_process";
import { bytesOf } from "../../src/campaign/parts.ts";
import { openTable } from "../../src/campaign/table.ts";

const bin = new URL("../../bin/sideslip.js", import.meta.url).pathname;

export interface Begun {
  readonly child: ChildProcess;
  /** Exit code (null where it was killed) and all that it said. */
  readonly ended: Promise<{ readonly status: number | null; readonly text: string }>;
}

export function begin(args: readonly string[], cwd: string): Begun {
  const child = spawn(process.execPath, [bin, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const out of [child.stdout, child.stderr])
    out.on("data", (more) => {
      text += more;
    });
  return { child, ended: new Promise((go) => child.on("exit", (status) => go({ status, text }))) };
}

/** Rows of a result, by run. */
export async function rowsIn(path: string): Promise<Record<string, unknown>[]> {
  const file = bytesOf(path);
  try {
    const table = await openTable(file);
    const rows = (await table.read(0, table.rows)) as Record<string, unknown>[];
    return rows
      .map((row) => ({ ...row, seed: String(row.seed) }))
      .sort((a, b) => (a as unknown as { run: number }).run - (b as unknown as { run: number }).run);
  } finally {
    file.close();
  }
}

/** Gliding down from a few metres: many steps, so that there is time to be killed in. */
export const DROPS = `
scenario: { vehicle: parafoil, duration: 60, dt: 0.001, initial: { altitude: 20, v_north: 4.4, v_down: 0.9 }, wind: { colored: { tau: 2, sigma: 0.5 } } }
runs: 320
seed: 3
sampling: latin
vary:
  initial.altitude: { normal: { mean: 20 m, sd: 1 m } }
  parameters.m: { uniform: { from: 2.2 kg, to: 2.7 kg } }
measure:
  landing_north: { final: north }
  landing_east: { final: east }
  steepest: { min: pitch }
  touchdown: { event: landing }
fail: missing(touchdown)
landing: [landing_north, landing_east]
`;
