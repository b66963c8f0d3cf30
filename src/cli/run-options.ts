/** The flags of `sideslip run`, laid over a scenario. */
import { readRosParameters } from "../formats/ros-params.ts";
import { INTEGRATORS, type IntegratorName } from "../integrators/index.ts";
import { parseYaml } from "../model/document.ts";
import { closest, InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import { withRosParameters } from "../simulation/ros-scenario.ts";
import type { Scenario } from "../simulation/scenario.ts";
import { drawnSeed } from "../simulation/seed.ts";
import { readText } from "./files.ts";
import { flagNumber } from "./inputs.ts";

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
export function applyOptions(
  scenario: Scenario,
  options: RunOptions,
): { scenario: Scenario; notes: string[] } {
  const notes: string[] = [];
  const { model } = scenario.vehicle;
  if (options.params !== undefined) {
    const ros = readRosParameters(parseYaml(readText(options.params), options.params), model);
    scenario = withRosParameters(scenario, ros);
    for (const key of ros.unused) notes.push(`${options.params}: not used: ${key}`);
  }
  const time = (flag: string, text: string | undefined, meaning: string, now: number) =>
    text === undefined ? now : flagNumber(flag, text, { unit: "s", meaning, above: 0 });
  return {
    notes,
    scenario: {
      ...scenario,
      duration: time("--duration", options.duration, "simulated time", scenario.duration),
      dt: time("--dt", options.dt, "largest integration step", scenario.dt),
      integrator: options.integrator === undefined ? scenario.integrator : integratorFlag(options.integrator),
      seed: options.seed === undefined ? scenario.seed : seedFlag(options.seed),
      parameters: { ...scenario.parameters, ...parameterFlags(model, options.set) },
      wind: options.wind === undefined ? scenario.wind : { ...scenario.wind, steady: windFlag(options.wind) },
    },
  };
}

function integratorFlag(name: string): IntegratorName {
  const found = INTEGRATORS.find((i) => i === name);
  if (found === undefined)
    throw new InputError(`"${name}" is not an integrator`, {
      field: "--integrator",
      value: name,
      allowed: INTEGRATORS.join(", "),
    });
  return found;
}

function seedFlag(text: string): number {
  const seed = flagNumber("--seed", text, {
    unit: "1",
    meaning: "-1 draws one",
    min: -1,
    max: Number.MAX_SAFE_INTEGER,
  });
  if (!Number.isInteger(seed))
    throw new InputError(`${text} is not a whole number`, { field: "--seed", value: text });
  return drawnSeed(seed);
}

function parameterFlags(model: Model, assignments: readonly string[]): Record<string, number> {
  const parameters: Record<string, number> = {};
  for (const assignment of assignments) {
    const [name, ...value] = assignment.split("=");
    const field = model.parameters.find((f) => f.name === name);
    if (field === undefined) {
      const near = closest(
        name,
        model.parameters.map((f) => f.name),
      );
      throw new InputError(
        `the model ${model.name} has no parameter "${name}"${near ? `; did you mean "${near}"?` : ""}`,
        {
          field: "--set",
          value: assignment,
          allowed: "name=value with a name from `sideslip describe`",
        },
      );
    }
    parameters[name] = flagNumber(`--set ${name}`, value.join("="), field);
  }
  return parameters;
}

function windFlag(text: string): [number, number, number] {
  const parts = text.split(",");
  if (parts.length !== 3)
    throw new InputError(`"${text}" is not three numbers`, {
      field: "--wind",
      value: text,
      allowed: "north,east,down in m/s, as 0,2,0",
    });
  return parts.map((p) =>
    flagNumber("--wind", p, {
      unit: "m/s",
      meaning: "velocity of the air, north,east,down",
      min: -200,
      max: 200,
    }),
  ) as [number, number, number];
}
