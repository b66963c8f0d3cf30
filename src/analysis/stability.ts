/** Dynamic stability of a steady motion. */
import type { Vehicle } from "../vehicles/vehicle.ts";
import { linearize } from "./linearize.ts";
import { type Mode, modesOf } from "./modes.ts";
import type { Trimmed } from "./trim.ts";

/** Modes of motion of a linear model, slowest last, named as the vehicle names them (short period, phugoid, Dutch roll ...). */
export const vehicleModes = ({ model, parameters }: Vehicle, linear: Parameters<typeof modesOf>[0]): Mode[] =>
  modesOf(linear, model.coordination?.(parameters) !== "sideslip", model.modeNames);

/** The mode that grows fastest, or nothing where all fade. */
export function growing(vehicle: Vehicle, { x, u }: Trimmed): Mode | undefined {
  const modes = vehicleModes(vehicle, linearize(vehicle, x, u, []));
  const list = modes.filter((m) => m.double !== undefined);
  return list.sort((a, b) => (a.double as number) - (b.double as number))[0];
}

/** With a shorter time to double a pilot cannot control it without augmentation [s]. */
export const TOO_FAST = 2;
