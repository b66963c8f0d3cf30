/** `--over airspeed=10..25`: what is varied, and from where to where. */
import { type Axis, axisOf } from "../analysis/sweep.ts";
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../model/model.ts";
import { parseQuantity } from "../model/units.ts";

export interface Over {
  readonly axis: Axis;
  readonly from?: number;
  readonly to?: number;
}

export function readOver(vehicle: Vehicle, text: string, flag: string): Over {
  const [name, range, ...rest] = text.split("=");
  const axis = axisOf(vehicle, name.trim());
  if (range === undefined) return { axis };
  const ends = range.split("..").map((word) => parseQuantity(word.trim(), axis.unit));
  if (rest.length > 0 || ends.length !== 2 || !ends.every((v) => typeof v === "number" && Number.isFinite(v)))
    throw new InputError("is no range", {
      field: flag,
      value: text,
      allowed: `${axis.name}=from..to, as ${axis.name}=${example(axis)}`,
    });
  const [from, to] = ends as number[];
  if (!(from < to)) throw new InputError("goes nowhere", { field: flag, value: text, allowed: "from < to" });
  return { axis, from, to };
}

const example = ({ low, high, usual }: Axis) => `${Math.max(low, -usual)}..${Math.min(high, usual)}`;
