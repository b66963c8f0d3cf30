/** The flags of `sideslip run` as words laid over a scenario: they have the same checks. */
import { dirname, resolve } from "node:path";
import { readRosParameters } from "../formats/ros-params.ts";
import { overlay, plainSource, type Source } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { withParameters } from "../model/parameters.ts";
import { readScenario, type Scenario } from "../simulation/scenario.ts";
import { readText } from "./files.ts";
import { assignments, doubts, findScenario, readYaml } from "./inputs.ts";

export interface RunOptions {
  readonly duration?: string;
  readonly dt?: string;
  readonly integrator?: string;
  readonly seed?: string;
  readonly wind?: string;
  readonly set: readonly string[];
  readonly params?: string;
  readonly out: readonly string[];
  readonly fields?: string;
  readonly json?: boolean;
}

/** The scenario as the flags change it, and what a person should be told of it. */
export function scenarioOf(name: string, options: RunOptions): { scenario: Scenario; notes: string[] } {
  const found = findScenario(name);
  const notes = [...(found.notes ?? [])];
  let words = found.words;
  if (options.params !== undefined) {
    const ros = readRosParameters(readYaml(options.params), found.vehicle.model);
    words = overlay(words, ros.scenario);
    for (const key of ros.unused) notes.push(`${options.params}: not used: ${key}`);
  }
  const scenario = readScenario(overlay(words, flagWords(options)), found.vehicle, (path) => {
    const file = resolve(dirname(name), path);
    return { text: readText(file), file: path };
  });
  const late = [
    ...scenario.pilot,
    ...(scenario.manual?.lines ?? []),
    ...scenario.inputs,
    ...scenario.faults,
  ].filter(({ t }) => t >= scenario.duration);
  if (late.length > 0)
    notes.push(`lines from t = ${late[0].t} s on are beyond the duration of ${scenario.duration} s`);
  notes.push(...doubtsOf(scenario));
  if (options.seed === undefined) return { notes, scenario };
  // One seed for all random numbers, also for those that have one of their own.
  const { seed: _wind, ...wind } = scenario.wind;
  const { seed: _sensors, ...sensors } = scenario.sensors;
  return { notes, scenario: { ...scenario, wind, sensors } };
}

/** What is allowed but hardly meant, of the vehicle as the scenario changes it. */
function doubtsOf({ vehicle, parameters }: Scenario): readonly string[] {
  return doubts(withParameters(vehicle, parameters)).map((d) => `is this meant? ${d}`);
}

function flagWords({ duration, dt, integrator, seed, wind, set }: RunOptions): Source {
  const value = {
    duration,
    dt,
    integrator,
    seed,
    ...(wind === undefined ? {} : { wind: { steady: windFlag(wind) } }),
    ...(set.length === 0 ? {} : { parameters: assignments(set) }),
  };
  const flags: Record<string, string> = { wind: "--wind", parameters: "--set" };
  return {
    ...plainSource(value, "flags"),
    locate: ([head], key) => ({ file: flags[String(head ?? key)] ?? `--${String(head ?? key)}` }),
  };
}

function windFlag(text: string): string[] {
  const parts = text.split(",");
  if (parts.length !== 3)
    throw new InputError(`"${text}" is not three numbers`, {
      field: "--wind",
      value: text,
      allowed: "north,east,down in m/s, as 0,2,0",
    });
  return parts;
}
