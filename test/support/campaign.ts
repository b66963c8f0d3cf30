/** Campaigns as processes, and what they leave. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parquetReadObjects } from "hyparquet";
import { stream } from "../../src/math/random.ts";

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
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const rows = await parquetReadObjects({ file });
  return rows
    .map((row) => ({ ...row, seed: String(row.seed) }))
    .sort((a, b) => (a as unknown as { run: number }).run - (b as unknown as { run: number }).run);
}

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms));

/** Flies a campaign that is killed so often, every second time while a file is written, and resumed each time, to its end. */
export async function surviveKills(
  spec: string,
  out: string,
  at: string,
  most: number,
  seed: number,
): Promise<{ kills: number; inWrites: number }> {
  const random = stream(seed, "kills");
  const folder = `${out}.parts`;
  const isWriting = () => existsSync(folder) && readdirSync(folder).some((f) => f.endsWith(".tmp"));
  let [kills, inWrites] = [0, 0];
  for (let attempt = 0; attempt < 3 * most && !existsSync(out); attempt++) {
    const { child, ended } = begin(["campaign", spec, "--resume", "--out", out], at);
    const isInWrite = kills % 2 === 0;
    const begun = Date.now();
    const patience = 400 + 900 * random.uniform(attempt) + (isInWrite ? 3000 : 0);
    while (kills < most && child.exitCode === null && Date.now() - begun < patience) {
      if (isInWrite && Date.now() - begun > 300 && isWriting()) break;
      await pause(isInWrite ? 0 : 5);
    }
    if (kills < most && child.exitCode === null) {
      if (isWriting()) inWrites++;
      child.kill("SIGKILL");
      kills++;
    }
    await ended;
  }
  return { kills, inWrites };
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
