/**
 * Cascaded loops of a multirotor: position, velocity, attitude, rates, allocation. Every gain follows from the rotors' lag and
 * the interval of the commands: each loop is slower than the one inside it by a fixed factor; mass, inertia and geometry of the
 * vehicle turn accelerations into thrusts. Navigation is laid out as a rigid body's state: position, velocity, q_NB, rates.
 */

import { unflyable } from "../../../control/pilot-command.ts";
import { clamp, wrap } from "../../../math/clamp.ts";
import { acos, tan } from "../../../math/elementary.ts";
import { fromEuler, toBody, toWorld, yawOf } from "../../../math/quaternion.ts";
import { InputError } from "../../../model/input-error.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import { Q_W, V_NORTH } from "../../../vehicles/rigid-body.ts";
import { type Allocation, allocation } from "./allocation.ts";
import { type RotorEffect, rotorEffects } from "./rotor-effects.ts";

/** A setpoint of the loops. Yaw is a heading; where it is NaN the heading is not controlled. */
export type Setpoint =
  | { readonly kind: "off" }
  | {
      readonly kind: "position";
      readonly position: readonly [number, number, number];
      readonly yaw: number;
      readonly speed: number;
    }
  | { readonly kind: "velocity"; readonly velocity: readonly [number, number, number]; readonly yaw: number }
  | {
      readonly kind: "attitude";
      readonly roll: number;
      readonly pitch: number;
      readonly yaw: number;
      /** Along the body's up axis [N]. */
      readonly thrust: number;
    };

/** Limits of the setpoints: tilt [rad], rates of tilting and of turning [rad/s]. */
const LARGEST_TILT = 0.6;
const FASTEST_TURN = 3;
const FASTEST_YAW = 1.2;
/** Largest acceleration upward and downward, in parts of g. */
const UPWARD = 1;
const DOWNWARD = 0.6;

const BODY_UP = new Float64Array([0, 0, -1]);
const BODY_DOWN = new Float64Array([0, 0, 1]);

const within = (v: number, limit: number) => clamp(v, -limit, limit);

/** Cascaded loops of a multirotor: position, velocity, attitude, rates, allocation. */
export interface Loops {
  readonly memory: Float64Array;
  /** Total thrust at present over the weight, as the commands make it. */
  load(): number;
  /**
   * Commands from navigation and setpoint. `rotors` are the rotors' speeds and `health` what each still makes (both known from
   * the speed controllers), `used` the charge taken from the battery.
   */
  update(
    navigation: Float64Array,
    setpoint: Setpoint,
    rotors: ArrayLike<number>,
    health: ArrayLike<number>,
    used: number,
    commands: Float64Array,
  ): void;
}

function refuseHeavy({ m, g }: AircraftParameters, effects: readonly RotorEffect[]): void {
  if (!(g > 0)) throw unflyable("it has no weight", "g > 0, or inputs instead of a pilot");
  const lame = effects.findIndex((r) => !(r.constant > 0));
  if (lame >= 0)
    throw unflyable(`rotor ${lame + 1} has no thrust at rest`, "C_T above 0 at J = 0, installation above 0");
  const lift = effects.reduce((sum, r) => sum + r.strongest * r.column[3], 0);
  if (!(lift > m * g))
    throw unflyable(
      `its rotors lift at most ${lift.toPrecision(3)} N and it weighs ${(m * g).toPrecision(3)} N`,
      "more motorConstant or maxRotVelocity, less mass, axes that point up ([0, 0, -1])",
    );
}

const BALANCED = "rotors around the centre of mass, as many turning cw as ccw";

/** In hover no moment may be left over, and every rotor must have room to control. */
function refuseUnbalanced({ m, g }: AircraftParameters, B: Float64Array, sound: Allocation): void {
  const N = B.length / 4;
  const thrusts = new Float64Array(N);
  sound.solve(0, 0, 0, m * g, thrusts);
  ["roll", "pitch", "yaw"].forEach((axis, row) => {
    let left = 0;
    let scale = 0;
    for (let k = 0; k < N; k++) {
      left += B[row * N + k] * thrusts[k];
      scale += Math.abs(B[row * N + k] * thrusts[k]);
    }
    if (Math.abs(left) > 0.01 * scale)
      throw unflyable(`in hover its rotors cannot balance ${axis}`, BALANCED);
  });
  const idle = thrusts.findIndex((T) => !(T > (0.02 * m * g) / N));
  if (idle >= 0)
    throw unflyable(`to balance it in hover rotor ${idle + 1} would have to stand still`, BALANCED);
}

/**
 * Loops for a multirotor with these parameters, at an interval between decisions [s].
 *
 * @throws InputError where the rotors cannot make roll, pitch and yaw moments
 */
export function multirotorLoops(p: AircraftParameters, interval: number): Loops {
  const effects: RotorEffect[] = rotorEffects(p, interval);
  const N = effects.length;
  refuseHeavy(p, effects);
  const lag = Math.max(0, ...effects.map((r) => r.lag)) + interval;
  const kRate = 1 / (2 * lag);
  const kTilt = kRate / 3;
  // Spinning a rotor up turns the body at once, its drag torque only later: where inertia leads, yaw must be slower.
  const hover = Math.sqrt((p.m * p.g) / effects.reduce((sum, r) => sum + r.constant, 0));
  const lead = Math.max(1, ...effects.map((r) => r.spinUp / (hover * lag)));
  const kYawRate = kRate / lead;
  const kYaw = kYawRate / 8;
  const kVelocity = kTilt / 2;
  const kPosition = kVelocity / 4;
  const kDisturbance = 1.5 * kVelocity;

  const strongest = new Float64Array(N);
  const B = new Float64Array(4 * N);
  const known = new Float64Array(N).fill(1);
  const mix = (mayLoseYaw: boolean): Allocation => {
    effects.forEach((r, k) => {
      strongest[k] = known[k] * r.strongest;
      for (let row = 0; row < 4; row++) B[row * N + k] = known[k] > 0 ? r.column[row] : 0;
    });
    return allocation(B, strongest, mayLoseYaw);
  };
  const sound = mix(false);
  refuseUnbalanced(p, B, sound);
  let allocate = sound;
  /** What is left may not control all axes: then the loops go on as if it did, and the vehicle comes down. */
  const mixWhatIsLeft = () => {
    try {
      allocate = mix(true);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      allocate = sound;
    }
  };

  // Rate error integrals, the velocity that thrust alone would have given, and the thrust as the lag lets it through.
  const memory = new Float64Array(8);
  const integral = memory.subarray(0, 3);
  const unforced = memory.subarray(3, 6);
  const THRUST = 6;
  const BEGUN = 7;
  const thrusts = new Float64Array(N);
  const a = new Float64Array(3);
  const zWanted = new Float64Array(3);
  const inBody = new Float64Array(3);
  const up = new Float64Array(3);
  const q = new Float64Array(4);

  /** What accelerates the vehicle besides its thrust and weight (wind, drag, the ground), seen through its velocity. */
  const disturbance = (nav: Float64Array, i: number) =>
    within(kDisturbance * (nav[3 + i] - unforced[i]), 0.5 * p.g);

  /** Commanded acceleration from a commanded velocity. */
  function accelerate(nav: Float64Array, v: ArrayLike<number>): void {
    for (let i = 0; i < 3; i++) a[i] = kVelocity * (v[i] - nav[3 + i]) - disturbance(nav, i);
    a[2] = Math.min(Math.max(a[2], -UPWARD * p.g), DOWNWARD * p.g);
    const level = Math.sqrt(a[0] * a[0] + a[1] * a[1]);
    const most = (p.g - a[2]) * tan(LARGEST_TILT);
    if (level > most) {
      a[0] *= most / level;
      a[1] *= most / level;
    }
  }

  const wantedVelocity = new Float64Array(3);
  function approach(nav: Float64Array, position: ArrayLike<number>, speed: number): void {
    for (let i = 0; i < 3; i++) wantedVelocity[i] = kPosition * (position[i] - nav[i]);
    const [n, e] = wantedVelocity;
    const level = Math.sqrt(n * n + e * e);
    const part = level > speed ? speed / level : 1;
    wantedVelocity[0] *= part;
    wantedVelocity[1] *= part;
    wantedVelocity[2] = within(wantedVelocity[2], Math.min(speed, 1.5));
  }

  return {
    memory,
    load: () => memory[THRUST] / (p.m * p.g),
    update(nav, setpoint, rotors, health, used, commands) {
      for (let k = 0; k < N; k++)
        if (health[k] !== known[k]) {
          known.set(health as Float64Array);
          mixWhatIsLeft();
          break;
        }
      if (memory[BEGUN] === 0) unforced.set(nav.subarray(V_NORTH, Q_W));
      memory[BEGUN] = 1;
      if (setpoint.kind === "off") {
        memory.fill(0);
        commands.fill(0, 0, N);
        return;
      }
      let thrust = 0;
      let yaw = Number.NaN;
      toWorld(nav, Q_W, BODY_UP, 0, up, 0);
      if (setpoint.kind === "attitude") {
        fromEuler(setpoint.roll, setpoint.pitch, setpoint.yaw, q);
        toWorld(q, 0, BODY_DOWN, 0, zWanted, 0);
        thrust = setpoint.thrust;
        yaw = setpoint.yaw;
      } else {
        if (setpoint.kind === "position") {
          approach(nav, setpoint.position, setpoint.speed);
          accelerate(nav, wantedVelocity);
        } else accelerate(nav, setpoint.velocity);
        yaw = setpoint.yaw;
        // The thrust must give the acceleration and carry the weight; its direction is the attitude.
        const fn = p.m * a[0];
        const fe = p.m * a[1];
        const fd = p.m * (a[2] - p.g);
        const f = Math.sqrt(fn * fn + fe * fe + fd * fd);
        zWanted[0] = -fn / f;
        zWanted[1] = -fe / f;
        zWanted[2] = -fd / f;
        thrust = Math.max(0, fn * up[0] + fe * up[1] + fd * up[2]);
      }

      // Tilt before heading: turn the body's down axis onto the wanted one by the shortest way.
      toBody(nav, Q_W, zWanted, 0, inBody, 0);
      const across = Math.sqrt(inBody[0] * inBody[0] + inBody[1] * inBody[1]);
      const angle = acos(Math.min(1, Math.max(-1, inBody[2])));
      const turn = across > 1e-9 ? within(kTilt * angle, FASTEST_TURN) / across : 0;
      const pWanted = -inBody[1] * turn;
      const qWanted = inBody[0] * turn;
      const heading = yawOf(nav[6], nav[7], nav[8], nav[9]);
      const rWanted = Number.isNaN(yaw) ? 0 : within(kYaw * wrap(yaw - heading), FASTEST_YAW);

      const wanted = [pWanted, qWanted, rWanted];
      const alpha = [0, 0, 0];
      for (let i = 0; i < 3; i++) {
        const error = wanted[i] - nav[10 + i];
        const k = i === 2 ? kYawRate : kRate;
        integral[i] = within(integral[i] + 0.1 * k * k * interval * within(error, 1), 2 * k);
        alpha[i] = k * error + integral[i];
      }
      const { I } = p;
      const [wx, wy, wz] = [nav[10], nav[11], nav[12]];
      const Lx = I.xx * wx + I.xy * wy + I.xz * wz;
      const Ly = I.xy * wx + I.yy * wy + I.yz * wz;
      const Lz = I.xz * wx + I.yz * wy + I.zz * wz;
      allocate.solve(
        I.xx * alpha[0] + I.xy * alpha[1] + I.xz * alpha[2] + wy * Lz - wz * Ly,
        I.xy * alpha[0] + I.yy * alpha[1] + I.yz * alpha[2] + wz * Lx - wx * Lz,
        I.xz * alpha[0] + I.yz * alpha[1] + I.zz * alpha[2] + wx * Ly - wy * Lx,
        thrust,
        thrusts,
      );
      let lift = 0;
      for (let k = 0; k < N; k++) lift += effects[k].column[3] * thrusts[k];
      // Anti-windup: the estimate uses the clamped value.
      for (let i = 0; i < 3; i++) {
        const pulled = (memory[THRUST] * up[i]) / p.m + (i === 2 ? p.g : 0);
        const seen = disturbance(nav, i);
        unforced[i] = nav[3 + i] - seen / kDisturbance + interval * (pulled + seen);
      }
      memory[THRUST] += Math.min(1, interval / lag) * (lift - memory[THRUST]);
      for (let k = 0; k < N; k++)
        commands[k] = known[k] > 0 ? effects[k].command(thrusts[k] / known[k], rotors[k], used) : 0;
    },
  };
}
