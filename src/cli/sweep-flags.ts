/** `--over airspeed=10..25`: the quantity to vary and its range. */
import { type Axis, axisOf, type SweepRequest } from "../analysis/sweep.ts";
import { InputError } from "../model/input-error.ts";
import { parseQuantity } from "../model/units.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";

export interface SweepFlags {
  readonly axis: Axis;
  readonly from?: number;
  readonly to?: number;
}

/** Throws where a varied quantity is also given, or varied twice. */
export function refuseOverlap(overs: readonly SweepFlags[], { condition, held }: SweepRequest): void {
  const keysOf = ({ axis }: SweepFlags) => {
    const asked = axis.at(axis.low);
    return [...Object.keys(asked.condition), ...Object.keys(asked.held)];
  };
  const given = [...Object.keys(condition), ...Object.keys(held)];
  for (const [i, over] of overs.entries()) {
    const taken = [...given, ...overs.slice(0, i).flatMap(keysOf)];
    const twice = keysOf(over).find((key) => taken.includes(key));
    if (twice !== undefined)
      throw new InputError("is both given and varied, or varied twice", {
        field: i === 0 ? "--over" : "--and",
        value: over.axis.name,
        allowed: "a quantity that is not given otherwise",
      });
  }
}

export function readSweepFlags(vehicle: Vehicle, text: string, flag: string): SweepFlags {
  const [name, range, ...rest] = text.split("=");
  const axis = axisOf(vehicle, name.trim());
  if (range === undefined) return { axis };
  const ends = (range.includes("...") ? [] : range.split("..")).map((end) =>
    parseQuantity(end.trim(), axis.unit),
  );
  if (rest.length > 0 || ends.length !== 2 || !ends.every((v) => typeof v === "number" && Number.isFinite(v)))
    throw new InputError("is not a range", {
      field: flag,
      value: text,
      allowed: `${axis.name}=from..to, for example ${axis.name}=${example(axis)}`,
    });
  const [from, to] = ends as number[];
  if (!(from < to))
    throw new InputError("is an empty range", { field: flag, value: text, allowed: "start below end" });
  return { axis, from, to };
}

const example = ({ low, high, usual }: Axis) => `${Math.max(low, -usual)}..${Math.min(high, usual)}`;
