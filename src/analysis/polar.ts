/** Glide polar and turn table of a parafoil, by settling flights. */
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../model/model.ts";
import { settle } from "./settle.ts";

export interface PolarRow {
  readonly brake: number;
  readonly horizontal_speed: number;
  readonly airspeed: number;
  readonly sink: number;
  /** Horizontal speed over sink. */
  readonly glide: number;
  readonly alpha: number;
  readonly pitch: number;
}

export const POLAR_BRAKES: readonly number[] = Array.from({ length: 11 }, (_, i) => i / 10);

function needsBrakes(vehicle: Vehicle): void {
  if (!vehicle.model.inputs.some((f) => f.name === "brake_left_cmd"))
    throw new InputError(`${vehicle.name} has no brakes: this table is for parafoils`);
}

/** Steady glide at one symmetric brake setting. */
export function polarRow(vehicle: Vehicle, brake: number): PolarRow {
  needsBrakes(vehicle);
  const { horizontal_speed, airspeed, sink, alpha, pitch } = settle(
    vehicle,
    { brake_left_cmd: brake, brake_right_cmd: brake },
    ["horizontal_speed", "airspeed", "sink", "alpha", "pitch"],
  );
  return { brake, horizontal_speed, airspeed, sink, glide: horizontal_speed / sink, alpha, pitch };
}

export interface TurnRow {
  /** Left brake minus right brake. */
  readonly delta_a: number;
  /** Rate of turn over ground, positive to the right [rad/s]. */
  readonly yaw_rate: number;
  readonly roll: number;
  readonly beta: number;
  readonly airspeed: number;
  readonly sink: number;
}

export const TURN_DIFFERENCES: readonly number[] = [0.1, 0.2, 0.3, 0.4, 0.5];
/** Symmetric brake about which the turn table is flown. */
export const TURN_MEAN_BRAKE = 0.25;

/** Steady turn with the brakes differing by delta_a about their mean. */
export function turnRow(vehicle: Vehicle, delta_a: number, mean = TURN_MEAN_BRAKE): TurnRow {
  needsBrakes(vehicle);
  const s = settle(vehicle, { brake_left_cmd: mean + delta_a / 2, brake_right_cmd: mean - delta_a / 2 }, [
    "turn_rate",
    "roll",
    "beta",
    "airspeed",
    "sink",
  ]);
  return { delta_a, yaw_rate: s.turn_rate, roll: s.roll, beta: s.beta, airspeed: s.airspeed, sink: s.sink };
}
