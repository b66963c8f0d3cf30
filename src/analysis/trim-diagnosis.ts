/** Why a condition does not trim, each statement verified by a trim: limits that would have to be wider, conditions nearby that do trim. */
import { indexOf } from "../model/model.ts";
import { pack } from "../model/parameters.ts";
import { type Vehicle, withParameters } from "../vehicles/vehicle.ts";
import type { Condition, Start } from "./trim.ts";
import { controlsOf, findTrim, type TrimResult } from "./trim-search.ts";

/** A condition that does trim, and what was changed for it. */
export interface Neighbour {
  readonly changed: keyof typeof STEPS;
  readonly asked: number;
  readonly value: number;
}

/** A limit with which it would trim, and what the control would have to do then. */
export interface NeededLimit {
  readonly control: string;
  readonly limit: number;
  readonly needed: number;
  readonly unit: string;
}

export interface Diagnosis {
  /** Wider limits, together, make it trim. */
  readonly needed: readonly NeededLimit[];
  /** The nearest conditions that do trim, one for each that may be changed. */
  readonly nearest: readonly Neighbour[];
}

export function diagnose(vehicle: Vehicle, found: TrimResult): Diagnosis {
  if (found.isTrimmed) return { needed: [], nearest: [] };
  return { needed: neededLimits(vehicle, found), nearest: neighbours(vehicle, found) };
}

/** Limits are widened to this many times what they are at most, and the least factor is found in so many halvings. */
const WIDEST = 2;
const HALVINGS = 10;

/** The least factor by which the limits that were reached, as far as they are parameters, must be wider so that it trims. */
function neededLimits(vehicle: Vehicle, found: TrimResult): NeededLimit[] {
  const { model } = vehicle;
  const names = model.parameters.map((f) => f.name);
  const limits = controlsOf(vehicle).flatMap((control) =>
    found.blocked.some((b) => b.name === control.name)
      ? Object.values(control.limits ?? {}).filter((name) => names.includes(name))
      : [],
  );
  if (limits.length === 0) return [];
  const values = pack(model.parameters, vehicle.parameters);
  const widened = (factor: number) => {
    const wider = Object.fromEntries(limits.map((name) => [name, factor * values[names.indexOf(name)]]));
    const other = findTrim(withParameters(vehicle, wider), found.condition, found.held, undefined, "quick");
    return other.isTrimmed ? other : undefined;
  };
  let [low, high] = [1, WIDEST];
  let other = widened(high);
  if (other === undefined) return [];
  for (let round = 0; round < HALVINGS; round++) {
    const middle = (low + high) / 2;
    const next = widened(middle);
    if (next === undefined) low = middle;
    else [high, other] = [middle, next];
  }
  return other.controls.flatMap(({ control: { name, inputs }, value }) => {
    const own = found.controls.find((c) => c.control.name === name)?.control;
    if (own === undefined || (value >= own.min && value <= own.max)) return [];
    const unit = model.inputs[indexOf(model.inputs, inputs[0])].unit;
    return [{ control: name, limit: value > own.max ? own.max : own.min, needed: value, unit }];
  });
}

/** First steps away from the given condition [SI]. */
const STEPS = { speed: 0.5, climb: 0.1, turn: 0.02, lateral: 0.2, bank: 0.02, sideslip: 0.02 } as const;
const MOST_STEPS = 24;
/** An answer is this part of a first step from the end of what trims. */
const CLOSE = 1e-3;

/** For each thing that may be changed alone, the least change that trims. */
function neighbours(vehicle: Vehicle, { condition, held }: TrimResult): Neighbour[] {
  const solve = (c: Condition, start?: Start) => {
    const near = start && findTrim(vehicle, c, held, start, "quick");
    const found = near?.isTrimmed ? near : findTrim(vehicle, c, held, start);
    return found.isTrimmed ? found : undefined;
  };
  const list = (Object.keys(STEPS) as Neighbour["changed"][]).flatMap((changed): Neighbour[] => {
    const asked = condition[changed];
    if (typeof asked !== "number") return [];
    const isPossible = (v: number) => {
      const { speed = 0, climb = 0 }: Condition = { ...condition, [changed]: v };
      return speed >= 0 && (speed === 0 || Math.abs(climb) < speed) && (changed !== "speed" || v > 0);
    };
    // Bends only become less.
    const signs =
      changed === "speed" || changed === "climb" ? [1, -1] : asked === 0 ? [] : [-Math.sign(asked)];
    const values = signs.flatMap((sign) => {
      const at = (distance: number) => ({ ...condition, [changed]: asked + sign * distance });
      let [far, near]: [number, number] = [STEPS[changed], 0];
      let found: TrimResult | undefined;
      for (let round = 0; round < MOST_STEPS && found === undefined; round++) {
        const isLast = signs.length === 1 && far >= Math.abs(asked);
        if (isLast) far = Math.abs(asked);
        if (!isPossible(asked + sign * far)) return [];
        found = solve(at(far));
        if (found !== undefined || isLast) break;
        [near, far] = [far, Math.min(1.25 * far, far + 5)];
      }
      if (found === undefined) return [];
      // Back towards the given condition, each from the last solution.
      while (far - near > CLOSE * STEPS[changed]) {
        const middle = (far + near) / 2;
        const next = solve(at(middle), found.unknowns);
        if (next === undefined) near = middle;
        else [far, found] = [middle, next];
      }
      return [asked + sign * far];
    });
    const [value] = values.sort((a, b) => Math.abs(a - asked) - Math.abs(b - asked));
    const isProven =
      value !== undefined && findTrim(vehicle, { ...condition, [changed]: value }, held).isTrimmed;
    return isProven ? [{ changed, asked, value }] : [];
  });
  const size = ({ changed, asked, value }: Neighbour) => Math.abs(value - asked) / STEPS[changed];
  return list.sort((a, b) => size(a) - size(b));
}
