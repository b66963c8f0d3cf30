/** The summary of a run as text. */
import type { Field } from "../model/field.ts";
import { valueText } from "../model/parameters.ts";
import type { RunEvent } from "../simulation/events.ts";
import { lapTimes } from "../simulation/lap-timer.ts";
import type { RunResult } from "../simulation/run.ts";
import type { Scenario } from "../simulation/scenario.ts";
import type { Facts } from "./run-outputs.ts";

/** Seeds that differ from the scenario's. */
export function otherSeeds(scenario: Scenario): Record<string, number> {
  const out: Record<string, number> = {};
  if (scenario.wind.seed !== undefined) out.wind_seed = scenario.wind.seed;
  if (scenario.sensors.seed !== undefined) out.sensor_seed = scenario.sensors.seed;
  return out;
}

/** Rows of the summary: settings, events, final position and outputs. */
export function facts(scenario: Scenario, result: RunResult, seconds: number, ending?: string): Facts {
  const { integrator, dt, seed, vehicle } = scenario;
  const speed = `${Number(result.duration.toFixed(4))} s ${vehicle.type.wording?.moved ?? "simulated"} in ${seconds.toFixed(2)} s`;
  const rows: [string, string][] = [["run", `${speed}, ${integrator}, dt ${dt} s, seed ${seed}`]];
  if (ending !== undefined) rows.push(["incomplete", ending]);
  for (const [name, value] of Object.entries(otherSeeds(scenario))) rows.push([spaced(name), String(value)]);
  const parameterText = (name: string, value: number) => {
    const field = vehicle.model.parameters.find((f) => f.name === name);
    return field === undefined ? String(value) : valueText(field, value);
  };
  const changed = Object.entries(scenario.changedParameters).map(([k, v]) => `${k} = ${parameterText(k, v)}`);
  if (changed.length > 0) rows.push(["changed", changed.join(", ")]);
  for (const [name, times] of grouped(result.events)) rows.push([spaced(name), times]);
  rows.push(...laps(scenario, result));
  const { states, outputs } = vehicle.model;
  const places = states.filter((s) => s.kind === "position" && s.name !== "down");
  for (const f of [...places, ...outputs.filter(isHeadline)])
    rows.push([spaced(f.name), quantityText(result.final[f.name], f)]);
  rows.push(["state hash", result.hash]);
  return rows;
}

/** Lap times, and the result of the event. */
function laps({ track }: Scenario, { events, final }: RunResult): [string, string][] {
  if (track === undefined) return [];
  const times = lapTimes(events);
  const rows = times.map((t, i): [string, string] => [`lap ${i + 1}`, `${t.toFixed(4)} s`]);
  if (track.name === "skidpad" && times.length === 4)
    rows.push(["skidpad", `${((times[1] + times[3]) / 2).toFixed(4)} s, the mean of laps 2 and 4`]);
  else if (times.length > 1) rows.push(["best lap", `${final.best_lap.toFixed(4)} s`]);
  return [...rows, ["cones hit", String(final.cones_hit)]];
}

/** Most events of a kind that are listed one by one. */
const MOST_LISTED = 6;

/** Each kind of event once, with its times. Laps are listed by their lap times. */
function grouped(events: RunResult["events"]): [string, string][] {
  const kinds = new Map<string, RunEvent[]>();
  for (const event of events)
    if (event.name !== "lap") kinds.set(event.name, [...(kinds.get(event.name) ?? []), event]);
  return [...kinds].map(([name, list]) => {
    const times = list.slice(0, MOST_LISTED).map((event) => event.t.toFixed(4));
    const more = list.length > MOST_LISTED ? ` and ${list.length - MOST_LISTED} more` : "";
    const values = list.slice(0, MOST_LISTED).flatMap(({ value }) => (value === undefined ? [] : [value]));
    const how =
      values.length === 0
        ? ""
        : name === "tip_over"
          ? `, tilted by ${values.map((v) => ((v * 180) / Math.PI).toFixed(0)).join(", ")} deg`
          : `, with ${values.map((v) => v.toFixed(2)).join(", ")} m/s`;
    return [name, `at t = ${times.join(", ")} s${more}${how}`];
  });
}

const spaced = (name: string) => name.replaceAll("_", " ");
const isHeadline = (f: Field) =>
  f.parent === undefined && f.vector === undefined && f.unit !== "1" && !/_(\d+|[FR][LR])$/.test(f.name);

function quantityText(value: number, { unit }: Field): string {
  const digits = (v: number, n: number) => v.toFixed(n).replace(/^-(0\.0*)$/, "$1");
  const degrees =
    unit === "rad" || unit === "rad/s"
      ? ` (${digits((value * 180) / Math.PI, 2)} ${unit.replace("rad", "deg")})`
      : "";
  return `${digits(value, 4)} ${unit}${degrees}`;
}

export function summary(title: string, rows: Facts, written: readonly string[]): string {
  const width = Math.max(...rows.map(([k]) => k.length));
  const lines = [title, ...rows.map(([k, v]) => `  ${k.padEnd(width)}  ${v}`)];
  if (written.length > 0) lines.push(`wrote ${written.join(", ")}`);
  return `${lines.join("\n")}\n`;
}
