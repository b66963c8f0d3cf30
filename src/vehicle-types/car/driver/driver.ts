/** A driver: steers along the centre line, at the speed of a profile, with torque vectoring. */
import { Progress, valueAt } from "../../../environment/track/progress.ts";
import type { Track } from "../../../environment/track/track.ts";
import { clamp } from "../../../math/clamp.ts";
import { atan, atan2, hypot, sin } from "../../../math/elementary.ts";
import type { InputSource } from "../../../model/input-source.ts";
import { indexOf, type Model } from "../../../model/model.ts";
import { type CarParameters, drag } from "../../../vehicles/car/parameters.ts";
import { type DriverLimits, gripAt, speedProfile } from "./speed-profile.ts";

// Places of the inputs.
// biome-ignore format: a table
const U_DELTA = 0;

// Places of the states.
// biome-ignore format: a table
const X = 0, Y = 1, PHI = 2, V_X = 3, V_Y = 4, OMEGA = 5;

/** How a driver drives: part of the friction used, top speed [m/s], torque vectoring [N m s/rad]. */
export interface DriverSpecification extends DriverLimits {
  /** Torque between left and right per error of the yaw rate [N m s/rad]; 0 drives all wheels alike. */
  readonly torqueVectoring: number;
}

/** Yaw acceleration per error of the yaw rate [1/s] that torques make: 300 N m s/rad for the Formula Student car. */
const VECTORING = 4.6035;
/** Of a car of any size. */
export const defaultDriver = (p: CarParameters): DriverSpecification => ({
  grip: 0.85,
  topSpeed: 30,
  torqueVectoring: (2 * VECTORING * p.I_z) / (p.C_m0 * p.W),
});

/** Steering anticipates what lies so far ahead [s]: the lag of actuator and tyres. */
const PREVIEW = 0.1;
/** Deviations are steered out over so long a way: at least [m], and [s]. */
const WAY = 2.5;
const WAY_TIME = 0.3;
/** Steering against an error of the yaw rate [s]. */
const YAW_DAMPING = 0.05;
/** Adaptation to the car's understeer, braking or driving: time constant [s], and limit [rad]. */
const LEARNING = 0.15;
const MOST_UNDERSTEER = 0.15;
/** Speed is controlled this hard [1/s], looking so far ahead [s]. */
const HASTE = 6;
const FORESIGHT = 0.03;
/** Square of the part of the friction that driving and braking may always have. */
const LEAST_SPARE = 0.04;

/** A driver who follows the centre line of a track at the speed its curvature allows. */
export function driver(
  model: Model,
  p: CarParameters,
  track: Track,
  specification: DriverSpecification,
  interval: number,
): InputSource {
  const { line } = track;
  const profile = speedProfile(line, p, specification);
  const progress = new Progress(line);
  const L = p.l_F + p.l_R;
  const loads = indexOf(model.outputs, "F_z_FL");
  const across = indexOf(model.outputs, "a_y");
  const understeer = indexOf(model.outputs, "understeer");
  const learned = new Float64Array(1);

  /**
   * Curvature to drive: that of the line ahead, less what brings offset and course back, critically damped over the way
   * (Stanley's law, in curvature). The course, not the heading: at speed a car does not go where it points.
   */
  function steer(x: Float64Array, speed: number): number {
    const course = x[PHI] + (speed > 0.5 ? atan2(x[V_Y], x[V_X]) : 0);
    const astray = sin(course - progress.phi);
    const way = Math.max(WAY, WAY_TIME * speed);
    const offset = clamp(progress.offset, -way, way);
    return at(line.kappa, progress.s + PREVIEW * speed) - offset / (way * way) - (2 * astray) / way;
  }
  const at = (column: Float64Array, s: number) => valueAt(line, column, s);

  return {
    memory: [progress.memory, learned],
    update({ x, y }, u) {
      const v = x[V_X];
      const speed = hypot(v, x[V_Y]);
      progress.look(x[X], x[Y]);
      const most = gripAt(p, specification, speed);
      const tightest = (1.1 * most) / Math.max(speed * speed, 1);
      const kappa = clamp(steer(x, speed), -tightest, tightest);
      const damping = speed > 1 ? YAW_DAMPING * (speed * kappa - x[OMEGA]) : 0;
      const seen = speed > 1 ? clamp(y[understeer], -MOST_UNDERSTEER, MOST_UNDERSTEER) : 0;
      learned[0] += (seen - learned[0]) * Math.min(1, interval / LEARNING);
      u[U_DELTA] = clamp(atan(L * kappa) + learned[0] + damping, -p.steering_max, p.steering_max);

      const s = progress.s + FORESIGHT * speed;
      const wanted = at(profile, s);
      const ahead = at(profile, s + 1);
      const rise = (ahead * ahead - wanted * wanted) / 2;
      // What cornering leaves of the friction.
      const used = y[across] / most;
      const spare = most * Math.sqrt(Math.max(LEAST_SPARE, 1 - used * used));
      const a = clamp(rise + HASTE * (wanted - v), -spare, spare);
      // A car that has come to its end holds its brakes.
      const isParked = wanted < 0.05 && speed < 0.5;
      const force = isParked ? -0.2 * p.m * p.g : p.m * a - drag(p, v);
      const yaw = speed > 1 ? specification.torqueVectoring * (speed * kappa - x[OMEGA]) : 0;
      const front = y[loads] + y[loads + 1];
      const total = front + y[loads + 2] + y[loads + 3];
      for (let i = 0; i < 4; i++) {
        // Axles push by their load; more on the right turns the car to the left.
        const axle = (i < 2 ? front : total - front) / total;
        const share = (0.5 * axle * force) / p.C_m0 + ((i % 2 === 0 ? -1 : 1) * yaw) / 4;
        u[1 + i] = clamp(share, -p.torque_max, p.torque_max);
      }
    },
  };
}
