/** A driver: follows the centre line by pure pursuit at the speed of a profile, with torque vectoring. */
import { Progress, valueAt } from "../../environment/track/progress.ts";
import type { Track } from "../../environment/track/track.ts";
import { clamp, wrap } from "../../math/clamp.ts";
import { atan, atan2, cos, hypot, sin, tan } from "../../math/elementary.ts";
import { indexOf, type Model } from "../../model/model.ts";
import type { CarParameters } from "../../vehicles/car/parameters.ts";
import type { Source } from "../source.ts";
import { type DriverLimits, gripAt, speedProfile } from "./speed-profile.ts";

export interface DriverSpecification extends DriverLimits {
  /** Torque between left and right per error of the yaw rate [N m s/rad]; 0 drives all wheels alike. */
  readonly torqueVectoring: number;
}

export const DEFAULT_DRIVER: DriverSpecification = { grip: 0.85, topSpeed: 30, torqueVectoring: 300 };

/** The point aimed at: so far ahead, and so many seconds. */
const AIM = 1.5;
const AIM_TIME = 0.25;
/** Speed is controlled this hard [1/s], looking so far ahead [s]. */
const HASTE = 6;
const FORESIGHT = 0.03;

export function driver(model: Model, p: CarParameters, track: Track, wish: DriverSpecification): Source {
  const { line } = track;
  const profile = speedProfile(line, p, wish);
  const progress = new Progress(line);
  const L = p.l_F + p.l_R;
  const loads = indexOf(model.outputs, "F_z_FL");

  /** Curvature of the arc that leads from the present course to the point aimed at. */
  function pursue(x: Float64Array, speed: number): number {
    const reach = AIM + AIM_TIME * speed;
    const s = progress.s + reach;
    const beyond = line.isClosed ? 0 : Math.max(0, s - line.length);
    const n = line.s.length - 1;
    const aimX = at(line.X, s) + beyond * cos(line.phi[n]);
    const aimY = at(line.Y, s) + beyond * sin(line.phi[n]);
    const course = x[2] + (speed > 0.5 ? atan2(x[4], x[3]) : 0);
    const bearing = wrap(atan2(aimY - x[1], aimX - x[0]) - course);
    return (2 * sin(bearing)) / Math.max(hypot(aimX - x[0], aimY - x[1]), 1);
  }
  const at = (column: Float64Array, s: number) => valueAt(line, column, s);

  return {
    memory: [progress.memory],
    reset: () => progress.forget(),
    update({ x, y }, u) {
      const v = x[3];
      const speed = hypot(v, x[4]);
      progress.look(x[0], x[1]);
      const most = gripAt(p, wish, speed);
      const kappa = pursue(x, speed);
      u[0] = clamp(atan(L * kappa), -p.steering_max, p.steering_max);

      const s = progress.s + FORESIGHT * speed;
      const wanted = at(profile, s);
      const ahead = at(profile, s + 1);
      const rise = (ahead * ahead - wanted * wanted) / 2;
      const drag = p.C_r0 + p.C_r1 * speed + p.C_r2 * speed * speed;
      const a = clamp(rise + HASTE * (wanted - v), -most, most);
      // A car that has come to its end holds its brakes.
      const isParked = wanted < 0.05 && speed < 0.5;
      const force = isParked ? -0.2 * p.m * p.g : p.m * a + drag;
      // As the steering stands, no faster than the tyres can turn.
      const turn = clamp((v * tan(x[6])) / L, -most / Math.max(speed, 1), most / Math.max(speed, 1));
      const yaw = speed > 1 ? wish.torqueVectoring * (turn - x[5]) : 0;
      const total = y[loads] + y[loads + 1] + y[loads + 2] + y[loads + 3];
      for (let i = 0; i < 4; i++) {
        // Wheels push by their load; those on the right turn the car to the left.
        const share = (force / p.C_m0) * (y[loads + i] / total) + ((i % 2 === 0 ? -1 : 1) * yaw) / 4;
        u[1 + i] = clamp(share, -p.torque_max, p.torque_max);
      }
    },
  };
}
