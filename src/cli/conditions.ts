/** Flags for the trim condition, held controls and changed parameters. */
import type { Command } from "commander";
import { isRigidBody } from "../analysis/motion.ts";
import { CONDITIONS, ROAD } from "../analysis/sweep.ts";
import { BRANCHES, type Branch, type Condition } from "../analysis/trim.ts";
import { allowed, type Field, inRange } from "../model/field.ts";
import { closest, InputError } from "../model/input-error.ts";
import type { Control } from "../model/model.ts";
import { readNumber } from "../model/schema.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { withDerivatives } from "./derivatives.ts";
import { changedVehicle, collect, findVehicle } from "./inputs.ts";
import { addNumberFlags, type NumberFlags, readNumberFlags } from "./number-flags.ts";

const flags = (conditions: typeof CONDITIONS, meanings: Readonly<Record<string, string>>): NumberFlags =>
  Object.fromEntries(
    Object.entries(meanings).map(([name, meaning]) => {
      const { unit, low, high } = conditions[name];
      return [name, { unit, meaning, min: low, max: high }];
    }),
  );
const FLIGHT = flags(CONDITIONS, {
  airspeed: "true airspeed; 0 hovers",
  climb: "vertical speed, upward",
  turn: 'rate of turn: aircraft to the right, cars to the left ("10 deg/s")',
  bank: 'bank angle instead of a coordinated turn ("20 deg")',
  sideslip: "sideslip angle instead of coordination",
});
const ROAD_FLAGS = flags(ROAD, {
  speed: "cars: speed over ground",
  lateral: "cars: acceleration to the left",
});

function readBranch(name: string): Branch {
  const branch = BRANCHES.find((b) => b === name);
  if (branch !== undefined) return branch;
  throw new InputError("is not a branch", { field: "--branch", value: name, allowed: BRANCHES.join(", ") });
}

export interface SteadyOptions {
  readonly branch?: Branch;
  readonly set: string[];
  readonly plain?: boolean;
}

export function addConditionFlags(command: Command): Command {
  addNumberFlags(command, { ...FLIGHT, ...ROAD_FLAGS });
  return command
    .option(
      "--set <name=value>",
      "hold a control (brake_left=0.3, rotor_1=600) or change a parameter (m=3); repeatable",
      collect,
      [],
    )
    .option(
      "--branch <name>",
      "which trim solution, where several exist: nose-first (default), tail-first, stalled",
      (name: string) => readBranch(name),
    )
    .option("--plain", "without WebAssembly kernels: slower, bit-identical results");
}

export interface Steady {
  readonly vehicle: Vehicle;
  readonly condition: Condition;
  /** Inputs that are held. */
  readonly held: Readonly<Record<string, number>>;
}

export async function readSteady(name: string, options: SteadyOptions): Promise<Steady> {
  const { vehicle, held } = withHeld(name, options.set);
  const isFlight = isRigidBody(vehicle.model);
  const { turn: _, ...onlyFlight } = FLIGHT;
  const unsupported = readNumberFlags(isFlight ? ROAD_FLAGS : onlyFlight, options);
  const [flag] = Object.keys(unsupported);
  if (flag !== undefined)
    throw new InputError(
      `does not apply to ${vehicle.name}, which moves ${isFlight ? "through the air" : "in the plane"}`,
      {
        field: `--${flag}`,
        allowed: isFlight ? "--airspeed, --climb, --turn, --bank, --sideslip" : "--speed, --lateral, --turn",
      },
    );
  const { airspeed, speed, ...rest } = readNumberFlags({ ...FLIGHT, ...ROAD_FLAGS }, options);
  const total = airspeed ?? speed;
  const condition: Condition = {
    ...rest,
    ...(total === undefined ? {} : { speed: total }),
    ...(options.branch === undefined ? {} : { branch: options.branch }),
  };
  refuseContradictions(condition);
  return { vehicle: await withDerivatives(vehicle, options.plain), condition, held };
}

function refuseContradictions({ speed, climb = 0, bank, sideslip, turn, lateral }: Condition): void {
  if (speed !== undefined && speed > 0 && Math.abs(climb) >= speed)
    throw new InputError("must be smaller than the airspeed", {
      field: "--climb",
      value: climb,
      allowed: `less than ${speed} m/s up or down`,
    });
  if (bank !== undefined && sideslip !== undefined && turn !== undefined)
    throw new InputError("bank, sideslip and turn depend on each other", {
      field: "--sideslip",
      allowed: "at most two of them",
    });
  if (turn !== undefined && lateral !== undefined && speed !== undefined)
    throw new InputError("follows from speed and turn", {
      field: "--lateral",
      allowed: "at most two of the three",
    });
}

/** Separates assignments to controls from assignments to parameters, by name. */
function withHeld(name: string, set: readonly string[]): Omit<Steady, "condition"> {
  const found = findVehicle(name);
  const { model } = found;
  const controls = model.controls?.(found.parameters) ?? [];
  const held: Record<string, number> = {};
  const others = set.filter((text) => {
    const [key, ...value] = text.split("=");
    const inputs = inputsNamed(model, controls, key.trim());
    for (const field of inputs) {
      const limits = controls.find((c) => c.inputs.includes(field.name));
      const bounded = limits ? { ...field, min: limits.min, max: limits.max } : field;
      held[field.name] = heldValue(bounded, text, value.join("="));
    }
    return inputs.length === 0;
  });
  try {
    return { vehicle: changedVehicle(name, others), held };
  } catch (error) {
    const stranger = others.find((text) => {
      const key = text.split("=")[0].trim();
      return !key.includes(".") && !isParameter(model, key);
    });
    if (!(error instanceof InputError) || stranger === undefined) throw error;
    const key = stranger.split("=")[0].trim();
    const near = closest(key, [
      ...controls.map((c) => c.name),
      ...model.inputs.map((f) => f.name),
      ...model.parameters.map((f) => f.name),
    ]);
    throw new InputError(`is neither a control nor a parameter${near ? `; did you mean "${near}"?` : ""}`, {
      field: "--set",
      value: stranger,
      allowed: "names from `sideslip describe`",
    });
  }
}

const isParameter = (model: Vehicle["model"], key: string) =>
  model.parameters.some((f) => f.name === key || f.name.startsWith(`${key}.`));

/** Inputs by their own name, by that of their control or of several (brake), or by that of the actuator that follows them. */
function inputsNamed(model: Vehicle["model"], controls: readonly Control[], key: string): Field[] {
  const follows = model.states.find((f) => f.name === key)?.follows;
  const moved = controls
    .filter((c) => c.name === key || c.name.startsWith(`${key}_`))
    .flatMap((c) => c.inputs);
  return model.inputs.filter((f) => f.name === key || f.name === follows || moved.includes(f.name));
}

function heldValue(field: Field, text: string, value: string): number {
  const number = readNumber(value, field);
  if (typeof number === "number" && inRange(field, number)) return number;
  throw new InputError(typeof number === "number" ? "is out of range" : number.problem, {
    field: "--set",
    value: text,
    allowed: `${field.name}: ${allowed(field)}`,
  });
}
