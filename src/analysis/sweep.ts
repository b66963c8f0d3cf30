/** Steady motion along an axis: a condition, or controls that are held; each found from its neighbour. */
import { allowed } from "../model/field.ts";
import { closest, InputError } from "../model/input-error.ts";
import { type Control, indexOf } from "../model/model.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { flightNumbers, stallMargin } from "./flight-numbers.ts";
import { isRigidBody } from "./motion.ts";
import type { Condition, Start } from "./trim.ts";
import { type Effort, findTrim, type TrimResult, turned } from "./trim-search.ts";

/** What is varied. */
export interface Axis {
  readonly name: string;
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  /** Default range. */
  readonly usual: number;
  at(value: number): { readonly condition: Condition; readonly held: Readonly<Record<string, number>> };
}

/** Trim conditions by name; flags and axes have the same ranges. */
export const CONDITIONS: Readonly<
  Record<string, { key: keyof Condition; unit: string; low: number; high: number; usual: number }>
> = {
  airspeed: { key: "speed", unit: "m/s", low: 0, high: 400, usual: 60 },
  climb: { key: "climb", unit: "m/s", low: -200, high: 200, usual: 15 },
  turn: { key: "turn", unit: "rad/s", low: -10, high: 10, usual: 4 },
  bank: { key: "bank", unit: "rad", low: -1.4, high: 1.4, usual: 1.2 },
  sideslip: { key: "sideslip", unit: "rad", low: -1.4, high: 1.4, usual: 0.5 },
};
export const ROAD: typeof CONDITIONS = {
  speed: { key: "speed", unit: "m/s", low: 0.2, high: 150, usual: 60 },
  lateral: { key: "lateral", unit: "m/s^2", low: -100, high: 100, usual: 30 },
  turn: CONDITIONS.turn,
};

/** By a condition's name, a control's or an input's; several controls that move alike are joined by +. */
export function axisOf({ name, model, parameters }: Vehicle, axis: string): Axis {
  const conditions = isRigidBody(model) ? CONDITIONS : ROAD;
  const condition = conditions[axis];
  if (condition !== undefined) {
    const { key, ...rest } = condition;
    return { name: axis, ...rest, at: (value) => ({ condition: { [key]: value }, held: {} }) };
  }
  const controls = model.controls?.(parameters) ?? [];
  // A common beginning stands for all: brake for brake_left and brake_right.
  const names = axis
    .split("+")
    .map((w) => w.trim())
    .flatMap((w) => {
      const all = controls.filter((c) => c.name.startsWith(`${w}_`)).map((c) => c.name);
      return all.length > 0 ? all : [w];
    });
  const chosen = names.map((w) => {
    const found = controls.find((c) => c.name === w || c.inputs.includes(w));
    if (found !== undefined) return found;
    const known = [...Object.keys(conditions), ...controls.map((c) => c.name)];
    const near = closest(w, known);
    throw new InputError(
      `"${w}" is neither a condition nor a control of ${name}${near ? `; did you mean "${near}"?` : ""}`,
      {
        field: "--over",
        value: axis,
        allowed: known.join(", "),
      },
    );
  });
  const inputs = chosen.flatMap((c) => c.inputs);
  return {
    name: axis,
    unit: model.inputs[indexOf(model.inputs, inputs[0])].unit,
    low: Math.max(...chosen.map((c) => c.min)),
    high: Math.min(...chosen.map((c) => c.max)),
    usual: Number.POSITIVE_INFINITY,
    at: (value) => ({ condition: {}, held: Object.fromEntries(inputs.map((i) => [i, value])) }),
  };
}

/** Values from low to high; outside the axis is refused. */
export function valuesOf(axis: Axis, from: number, to: number, count: number): number[] {
  for (const v of [from, to])
    if (!(v >= axis.low && v <= axis.high))
      throw new InputError(`${v} is out of range`, {
        field: axis.name,
        value: v,
        allowed: allowed({ name: axis.name, unit: axis.unit, meaning: "", min: axis.low, max: axis.high }),
      });
  return Array.from({ length: count }, (_, i) => from + ((to - from) * i) / Math.max(1, count - 1));
}

/** One steady motion of a sweep. */
export interface Steady {
  readonly values: readonly number[];
  readonly found: TrimResult;
  readonly numbers: Readonly<Record<string, number>>;
  /** Nothing steady connects it with the one before it in the sweep: it belongs to another branch. */
  readonly isBreak?: boolean;
  /** Part of its range that the control nearest to a limit still has, of those that were free. */
  readonly control_margin?: number;
}

export interface SweepRequest {
  readonly condition: Condition;
  readonly held: Readonly<Record<string, number>>;
}

/** Along values of one axis; what does not trim is left out, and where the branch changes is marked. */
export function sweep(vehicle: Vehicle, axis: Axis, values: readonly number[], base: SweepRequest): Steady[] {
  const rows: Steady[] = [];
  for (const value of values) {
    const last = rows.at(-1);
    const steady = steadyAt(vehicle, [[axis, value]], base, last?.found.unknowns);
    if (steady === undefined) continue;
    const isBreak = last !== undefined && !areConnected(vehicle, axis, base, last, steady);
    rows.push(isBreak ? { ...steady, isBreak } : steady);
  }
  return rows;
}

/** Attitudes that differ by less than this between two rows are one branch [rad]; beyond it flights between them decide. */
const MOST_TURNED = 0.2;
const MOST_HALVINGS = 6;

/** Whether flights between two lead from one to the other without a jump. */
function areConnected(
  vehicle: Vehicle,
  axis: Axis,
  base: SweepRequest,
  a: Steady,
  b: Steady,
  depth = 0,
): boolean {
  if (turned(a.found, b.found) < MOST_TURNED) return true;
  if (depth === MOST_HALVINGS) return false;
  const middle = (a.values[0] + b.values[0]) / 2;
  const between = steadyAt(vehicle, [[axis, middle]], base, a.found.unknowns);
  return (
    between !== undefined &&
    areConnected(vehicle, axis, base, a, between, depth + 1) &&
    areConnected(vehicle, axis, base, between, b, depth + 1)
  );
}

export function steadyAt(
  vehicle: Vehicle,
  axes: readonly (readonly [Axis, number])[],
  base: SweepRequest,
  start?: Start,
  effort: Effort = "quick",
): Steady | undefined {
  let { condition, held } = base;
  for (const [axis, value] of axes) {
    const asked = axis.at(value);
    condition = { ...condition, ...asked.condition };
    held = { ...held, ...asked.held };
  }
  const { speed, climb = 0 } = condition;
  if (speed !== undefined && speed > 0 && Math.abs(climb) >= speed) return undefined;
  const from = (begin: Start | undefined) => {
    const found = findTrim(vehicle, condition, held, begin, effort);
    return found.isTrimmed ? found : undefined;
  };
  const near = start && from(start);
  // A neighbour beyond the stall leads on beyond it, where flight as usual may be possible.
  const isStalled = near !== undefined && stallMargin(vehicle, near) < 0;
  const usual = near === undefined || isStalled ? from(undefined) : undefined;
  const found =
    near && usual && stallMargin(vehicle, usual) < stallMargin(vehicle, near) ? near : (usual ?? near);
  if (found === undefined) return undefined;
  const numbers = Object.fromEntries(flightNumbers(vehicle, found).map((q) => [q.name, q.value]));
  return { values: axes.map(([, v]) => v), found, numbers, control_margin: marginOf(found) };
}

/** What the free controls have left. */
function marginOf({ controls }: TrimResult): number | undefined {
  const margins = controls.flatMap(({ control, value, isFree }) =>
    isFree ? [controlMargin(control, value)] : [],
  );
  return margins.length === 0 ? undefined : Math.min(...margins);
}

/** Part of its range that a control has left to the nearer limit; one that rests at its limit is not spent there. */
export function controlMargin({ min, max, neutral }: Control, value: number): number {
  const below = neutral > min ? value - min : Number.POSITIVE_INFINITY;
  const above = neutral < max ? max - value : Number.POSITIVE_INFINITY;
  return Math.min(below, above) / (max - min);
}
