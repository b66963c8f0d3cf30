/** The flags of `sideslip run` as overrides of a scenario, with the same checks. */
import { dirname, resolve } from "node:path";
import { readRosParameters } from "../formats/ros-params.ts";
import type { Open } from "../model/document.ts";
import { type Document, overlay, plainSource } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { readScenario, type Scenario } from "../simulation/scenario.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { readText } from "./files.ts";
import { assignments, type FoundScenario, findScenario, readYaml, warnings } from "./inputs.ts";

/** Flags that override a scenario. */
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

/** The scenario with the overrides of the flags, and notes for the user. */
export function scenarioOf(
  name: string,
  options: RunOptions,
  found: FoundScenario = findScenario(name),
): { scenario: Scenario; notes: string[] } {
  const notes = [...(found.notes ?? [])];
  const { document } = withRosParameters(found.document, found.vehicle, options.params, notes);
  const scenario = readScenario(
    overlay(document, flagSpec(options)),
    found.vehicle,
    found.open ?? openBeside(name),
  );
  const late = [
    ...(scenario.vehicle.type.scenarioBlocks?.times(scenario.blocks) ?? []),
    ...[...scenario.inputs, ...scenario.faults].map(({ t }) => t),
  ].filter((t) => t >= scenario.duration);
  if (late.length > 0)
    notes.push(`entries from t = ${late[0]} s on have no effect: the duration is ${scenario.duration} s`);
  notes.push(...warningsOf(scenario));
  if (options.seed === undefined) return { notes, scenario };
  // One seed for all random numbers, also for those that have one of their own.
  const { seed: _wind, ...wind } = scenario.wind;
  const { seed: _sensors, ...sensors } = scenario.sensors;
  return { notes, scenario: { ...scenario, wind, sensors } };
}

/** A scenario overridden by a ROS 2 parameter file, and the frame_id that the file gives the IMU. */
export function withRosParameters(
  document: Document,
  { model }: Vehicle,
  file: string | undefined,
  notes: string[],
): { document: Document; imuFrame?: string } {
  if (file === undefined) return { document };
  const { scenario, unused, imuFrame } = readRosParameters(readYaml(file), model);
  for (const key of unused) notes.push(`${file}: not used: ${key}`);
  return { document: overlay(document, scenario), imuFrame };
}

/** Files that a scenario names lie beside it. */
export const openBeside =
  (name: string): Open =>
  (path) => ({ text: readText(resolve(dirname(name), path)), file: path });

/** The model's warnings about the vehicle with the scenario's parameters. */
function warningsOf({ vehicle }: Scenario): readonly string[] {
  return warnings(vehicle).map((d) => `please check: ${d}`);
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
      allowed: "north,east,down in m/s, for example 0,2,0",
    });
  return parts;
}
