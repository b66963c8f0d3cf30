/** The flags of `sideslip run` as words laid over a scenario: they have the same checks. */
import { dirname, resolve } from "node:path";
import { readRosParameters } from "../formats/ros-params.ts";
import type { Open } from "../model/document.ts";
import { type Document, overlay, plainSource } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { readScenario, type Scenario } from "../simulation/scenario.ts";
import { type Vehicle, withParameters } from "../vehicles/vehicle.ts";
import { readText } from "./files.ts";
import { assignments, type FoundScenario, findScenario, readYaml, warnings } from "./inputs.ts";

/** Flags that lay words over a scenario. */
export interface ScenarioFlags {
  readonly duration?: string;
  readonly dt?: string;
  readonly integrator?: string;
  readonly seed?: string;
  readonly wind?: string;
  readonly set: readonly string[];
  readonly params?: string;
}

export interface RunOptions extends ScenarioFlags {
  readonly out: readonly string[];
  readonly fields?: string;
  readonly json?: boolean;
  readonly plain?: boolean;
  /** One of a campaign's runs. */
  readonly index?: string;
}

/** The scenario as the flags change it, and what a person should be told of it. */
export function scenarioOf(
  name: string,
  options: RunOptions,
  found: FoundScenario = findScenario(name),
): { scenario: Scenario; notes: string[] } {
  const notes = [...(found.notes ?? [])];
  const { words } = withRosParameters(found.words, found.vehicle, options.params, notes);
  const scenario = readScenario(
    overlay(words, flagSpec(options)),
    found.vehicle,
    found.open ?? openBeside(name),
  );
  const late = [
    ...(scenario.vehicle.type.scenarioBlocks?.times(scenario.blocks) ?? []),
    ...[...scenario.inputs, ...scenario.faults].map(({ t }) => t),
  ].filter((t) => t >= scenario.duration);
  if (late.length > 0)
    notes.push(`lines from t = ${late[0]} s on are beyond the duration of ${scenario.duration} s`);
  notes.push(...doubtsOf(scenario));
  if (options.seed === undefined) return { notes, scenario };
  // One seed for all random numbers, also for those that have one of their own.
  const { seed: _wind, ...wind } = scenario.wind;
  const { seed: _sensors, ...sensors } = scenario.sensors;
  return { notes, scenario: { ...scenario, wind, sensors } };
}

/** Words with those of a ROS 2 parameter file laid over them, and the frame that it gives the IMU. */
export function withRosParameters(
  words: Document,
  { model }: Vehicle,
  file: string | undefined,
  notes: string[],
): { words: Document; imuFrame?: string } {
  if (file === undefined) return { words };
  const { scenario, unused, imuFrame } = readRosParameters(readYaml(file), model);
  for (const key of unused) notes.push(`${file}: not used: ${key}`);
  return { words: overlay(words, scenario), imuFrame };
}

/** Files that a scenario names lie beside it. */
export const openBeside =
  (name: string): Open =>
  (path) => ({ text: readText(resolve(dirname(name), path)), file: path });

/** What is allowed but hardly meant, of the vehicle as the scenario changes it. */
function doubtsOf({ vehicle, parameters }: Scenario): readonly string[] {
  return warnings(withParameters(vehicle, parameters)).map((d) => `is this meant? ${d}`);
}

export function flagSpec(
  { duration, dt, integrator, seed, wind, set }: ScenarioFlags,
  more: Readonly<Record<string, unknown>> = {},
): Document {
  const value = {
    ...more,
    duration,
    dt,
    integrator,
    seed,
    ...(wind === undefined ? {} : { wind: { steady: windFlag(wind) } }),
    ...(set.length === 0 ? {} : { parameters: assignments(set) }),
  };
  const flags: Record<string, string> = { wind: "--wind", parameters: "--set", control_dt: "--rate" };
  return {
    ...plainSource(value, "flags"),
    locate: ([head], key) => ({
      file: Object.hasOwn(flags, String(head ?? key))
        ? flags[String(head ?? key)]
        : `--${String(head ?? key)}`,
    }),
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
