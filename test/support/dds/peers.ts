/** Other DDS implementations as processes, and what they say. */
import { type ChildProcess, spawn } from "node:child_process";
import { describe, it } from "vitest";
import { cyclonePeer, fastPeer, hasCyclone, hasFast } from "./build.ts";
import { settings } from "./settings.ts";

export { cyclonePeer, fastPeer } from "./build.ts";

if (!hasCyclone && process.env.CI === "true")
  throw new Error("CI without cyclonedds-dev: the ROS 2 bridge cannot be tried against a real peer");

if (!hasFast && process.env.CI === "true")
  throw new Error("CI without libfastrtps-dev and g++: the ROS 2 bridge cannot be tried against Fast DDS");

/** Suites that need a real peer say so where there is none. */
export const describeWithCyclone = (name: string, body: () => void): void => {
  if (hasCyclone) describe(name, body);
  else describe.skip(name, () => it("needs idlc (cyclonedds-tools), cyclonedds-dev and gcc", () => {}));
};
export const describeWithFast = (name: string, body: () => void): void => {
  if (hasFast) describe(name, body);
  else describe.skip(name, () => it("needs libfastrtps-dev and g++", () => {}));
};

export interface Peer {
  readonly process: ChildProcess;
  /** Lines it has printed so far. */
  readonly lines: string[];
  /** When it ends by itself. */
  readonly ended: Promise<number | null>;
  /** A line that begins so, when it comes. */
  until(start: string): Promise<string>;
}

const running = new Set<ChildProcess>();
export function stopPeers(): void {
  for (const child of running) child.kill("SIGKILL");
}

export function peer(
  domain: number,
  job: string,
  words: Readonly<Record<string, string | number>>,
  { multicast = true } = {},
): Peer {
  const args = Object.entries({ domain, ...words }).map(([k, v]) => `${k}=${v}`);
  return follow(
    spawn(cyclonePeer(), [job, ...args], {
      env: { ...process.env, CYCLONEDDS_URI: settings(multicast) },
    }),
  );
}

export function peerOfFast(
  domain: number,
  job: string,
  words: Readonly<Record<string, string | number>>,
): Peer {
  const args = Object.entries({ domain, ...words }).map(([k, v]) => `${k}=${v}`);
  return follow(spawn(fastPeer(), [job, ...args]));
}

export function follow(child: ChildProcess): Peer {
  running.add(child);
  const lines: string[] = [];
  const waiting: { start: string; resolve: (line: string) => void; reject: (e: Error) => void }[] = [];
  let rest = "";
  let errors = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      lines.push(line);
      for (const w of waiting.filter((w) => line.startsWith(w.start))) w.resolve(line);
    }
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      running.delete(child);
      for (const w of waiting) w.reject(new Error(`the peer ended before "${w.start}": ${errors}`));
      resolve(code);
    });
  });
  return {
    process: child,
    lines,
    ended,
    until(start) {
      const found = lines.find((line) => line.startsWith(start));
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve, reject) => waiting.push({ start, resolve, reject }));
    },
  };
}

/** A domain of its own for each test: those of other runs on this machine should not be heard. */
let next = 20 + ((process.pid * 7) % 100);
export const newDomain = (): number => 20 + (next++ % 180);

/** Doubles as the peer prints them. */
export function fromBits(text: string): number {
  return Buffer.from(text, "hex").readDoubleBE(0);
}
