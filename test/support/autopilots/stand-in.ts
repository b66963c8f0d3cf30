/** A served simulation and a stand-in that flies it, to the end. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { follow } from "../dds/peers.ts";
import { type ServedSimulation, serve } from "../served.ts";

export type Kind = "px4" | "ardupilot";
export const portOf = (kind: Kind, instance: number) =>
  kind === "px4" ? 4560 + instance : 9002 + 10 * instance;

/** What a stand-in tells at its end. */
export interface Summary {
  readonly stage: string;
  readonly stages: Readonly<Record<string, number>>;
  readonly reached: readonly number[];
  readonly held: { readonly lowest: number; readonly highest: number };
  readonly heights: { readonly lowest: number; readonly highest: number };
  readonly fastest: number;
  readonly t: number;
  readonly seen: {
    readonly first: number;
    readonly fields: readonly string[];
    readonly largest: number;
    readonly restPull: readonly number[];
    readonly rest: readonly number[];
    readonly bits: number;
    readonly gps: number;
    readonly ranges: number;
    readonly worst: { readonly gps: number; readonly baro: number; readonly heading: number };
  };
}

export function standIn(kind: Kind, instance: number, vehicle: string, seconds: number, more: string[] = []) {
  const script = fileURLToPath(new URL(`${kind}.mjs`, import.meta.url));
  const args = [script, String(portOf(kind, instance)), vehicle, String(seconds), ...more];
  const child = spawn(process.execPath, args);
  const said = follow(child);
  return {
    child,
    async summary(): Promise<Summary> {
      await said.ended;
      return JSON.parse(said.lines.at(-1) ?? "null");
    },
  };
}

export const serveFor = (kind: Kind, instance: number, what: string, more: readonly string[] = []) =>
  serve(["serve", what, `--${kind}`, "--instance", String(instance), "--speed", "100", ...more]);

/** The whole flight: what the pilot saw, and what the simulation says at its end. */
export async function fly(
  kind: Kind,
  instance: number,
  vehicle: string,
  seconds: number,
  { what = vehicle, flags = [] as readonly string[], more = [] as string[] } = {},
) {
  const served: ServedSimulation = await serveFor(kind, instance, what, [
    "--duration",
    String(seconds),
    ...flags,
  ]);
  const pilot = await standIn(kind, instance, vehicle, seconds, more).summary();
  await served.ended;
  const end = JSON.parse(served.lines.at(-1) ?? "null");
  return { pilot, end, served };
}
