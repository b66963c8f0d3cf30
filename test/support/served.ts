/** `sideslip serve` as a process, and what it says. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { folder } from "./cli.ts";
import { follow, type Peer } from "./dds/peers.ts";

const bin = fileURLToPath(new URL("../../bin/sideslip.js", import.meta.url));

export interface ServedSimulation extends Peer {
  /** What it said when it began. */
  readonly facts: {
    readonly foxglove?: string;
    readonly studio?: string;
    readonly ros2?: { readonly domain: number };
    readonly topics: readonly { readonly name: string; readonly type: string }[];
    readonly commands: readonly { readonly name: string; readonly type: string }[];
    readonly services: readonly string[];
  };
  readonly cwd: string;
  /** Asks it to end; what it said last. */
  stop(): Promise<Record<string, Record<string, number>>>;
}

export async function serve(args: readonly string[], cwd = folder()): Promise<ServedSimulation> {
  const child = spawn(process.execPath, [bin, ...args, "--json"], { cwd });
  const said = follow(child);
  const facts = JSON.parse(await said.until("{"));
  return {
    ...said,
    facts,
    cwd,
    async stop() {
      child.kill("SIGINT");
      await said.ended;
      return JSON.parse(said.lines.at(-1) ?? "");
    },
  };
}
