/**
 * Loops of an aeroplane: bank, pitch, airspeed, height. Angles become turning rates, rates become moments, moments become servo
 * angles; height becomes a flight path, and with the airspeed a thrust. Every gain follows from servo lag, interval, inertia and
 * the aerodynamic data of the wind tunnel.
 */

import { unflyable } from "../../../control/pilot-command.ts";
import { clamp } from "../../../math/clamp.ts";
import { acos, asin, cos, exp, sin, tan } from "../../../math/elementary.ts";
import { pitchOf, rollOf } from "../../../math/quaternion.ts";
import { InputError } from "../../../model/input-error.ts";
import type { Model } from "../../../model/model.ts";
import { axialFactor, LAWS } from "../../../parts/rotor.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import { surfaceMixer } from "./surfaces.ts";
import { levelDrag, liftOf, type Tunnel, windTunnel } from "./wind-tunnel.ts";

/** Limits of the setpoints: bank, path angle, angles of attack as a part of the stall's, rates [rad/s]. */
const LARGEST_BANK = 0.7;
const STEEPEST = 0.25;
const OF_STALL = 0.75;
const FASTEST = 2;
/** How much faster than wanted it may get on the way down, over the wanted speed. */
const OVERSPEED = 0.15;
/** Over the stall speed, in a turn. */
const MARGIN = 1.05;
/** Between commands [s]. */
const SLOWEST_TICKS = 0.05;
/** How long the rudder's integral lasts in the air [s]. */
const FORGETTING = 0.5;

/** What the pilot sees, the state (for the rotors' speeds), and where commands go. */
export interface ControlInstant {
  readonly nav: Float64Array;
  readonly airspeed: number;
  readonly x: Float64Array;
  readonly u: Float64Array;
}

export interface Airplane {
  readonly stallSpeed: number;
  /** Default speed. */
  readonly cruise: number;
  /** Closed-loop speed of the attitude [1/s]; what guides it must be slower. */
  readonly attitudeGain: number;
  readonly memory: Float64Array;
  /** Largest bank at a speed: the load of a turn must leave a margin to the stall. */
  bankAt(V: number): number;
  /** Path angle downward without thrust at a speed, roughly: drag over weight. */
  glide(V: number): number;
  readonly hasPropulsion: boolean;
  /** Whether a control yaws it independently of roll and pitch, as a rudder does. */
  readonly canYaw: boolean;
  /** Forgets what errors of height and airspeed have added up. */
  settle(): void;
  /** Takes over from steady flight: what the servos hold now is held on. */
  take(now: ControlInstant): void;
  /** Throws where it cannot fly level so fast or so slowly. */
  refuseSpeed(V: number): void;
  /** Flight path for a wanted climb, as a pitch angle and a thrust. */
  climb(
    nav: Float64Array,
    airspeed: number,
    wanted: number,
    climbRate: number,
  ): { pitch: number; thrust: number };
  /** Servo and pusher commands; `yawRate` replaces that of the coordinated turn (on the ground). */
  steer(
    now: ControlInstant,
    aim: {
      readonly roll: number;
      readonly pitch: number;
      readonly thrust: number;
      readonly yawRate?: number;
    },
  ): void;
}

/** The first of speeds from this one on, each a twentieth faster, at which it flies. */
function slowest(from: number, flies: (V: number) => boolean): number {
  for (let k = 0; k < 60; k++) {
    const V = from * exp(0.05 * k);
    if (flies(V)) return k === 0 ? from : V;
  }
  throw unflyable(
    `it cannot fly level at any speed from ${from.toPrecision(3)} m/s upwards`,
    "more thrust, more control (servo limits, derivatives), or a centre of mass nearer to the lift; inputs instead",
  );
}

/** Places of the memory: integrals of the rates' errors (0-2), of the climb's and of the airspeed's. */
const CLIMB = 3;
const THRUST = 4;
/** Part of the static thrust that healthy pushers can still make. */
const LEFT = 5;

export function airplane(model: Model, p: AircraftParameters, interval: number): Airplane {
  const tunnel: Tunnel = windTunnel(model, p, interval);
  const { pushers, servos: S } = tunnel;
  const N = Object.keys(p.rotors ?? {}).length;
  if (!(p.g > 0)) throw unflyable("it has no weight", "g > 0, or inputs instead of a pilot");
  if (interval > SLOWEST_TICKS)
    throw new InputError(`commands every ${interval} s are too slow for a fixed-wing pilot`, {
      field: "control_dt",
      value: interval,
      allowed: `up to ${SLOWEST_TICKS} s with a pilot`,
    });
  const lift = liftOf(tunnel, p.rho);
  if (!(lift.slope > 0) || !(lift.lift > 0))
    throw unflyable("its surfaces make no lift", "surfaces with CLa (or cla) above 0 and upward up");
  const weight = p.m * p.g;
  const liftLimit = Math.sqrt((2 * weight) / (p.rho * lift.lift));
  const alphaAt = (q: number, load: number) =>
    clamp((load / q - lift.zero) / lift.slope, -0.2, OF_STALL * lift.alpha);
  const mixer = surfaceMixer(tunnel, p, 0);
  // Slow flight ends at the stall, or before it where the pitch controls cannot hold the nose up.
  const flies = (V: number) => levelDrag(tunnel, p, V, mixer.pitch) !== undefined;
  const stallSpeed = slowest(liftLimit, flies);
  const cruise = slowest(1.6 * stallSpeed, flies);

  const lag = Math.max(0, ...Object.values(p.servos ?? {}).map((s) => s.tau)) + interval;
  const kRate = Math.min(10, 1 / (2 * lag));
  const kAngle = kRate / 3;
  const kIntegral = (kRate * kRate) / 8;
  const kClimb = kAngle / 4;
  const kSpeed = 0.5;

  // Damping moments over rate at cruise; they grow with the speed.
  const damping = [0, 1, 2].map((axis) => {
    const still = new Float64Array(S);
    const rates: [number, number, number] = [0, 0, 0];
    rates[axis] = 0.1;
    const alpha = alphaAt(0.5 * p.rho * cruise * cruise, weight);
    const turning = tunnel.blow(cruise, alpha, still, 0, rates).moment[axis];
    return (turning - tunnel.blow(cruise, alpha, still).moment[axis]) / 0.1;
  });
  const memory = new Float64Array(6);
  memory[LEFT] = 1;
  const angles = new Float64Array(S);

  /** Thrust that the pushers can make at a speed. */
  const strongest = (V: number) =>
    pushers.reduce((sum, { number, effect }) => sum + effect.strongest * inflow(number, V), 0);
  const inflow = (number: number, V: number) => {
    const rotor = p.rotors[number];
    return rotor.law === LAWS.propeller ? 1 : axialFactor(rotor.row[9], V);
  };
  const drags = new Map<number, number>();
  const dragAt = (V: number) => {
    const key = Math.round(4 * V) / 4;
    let drag = drags.get(key);
    if (drag === undefined) {
      drag = levelDrag(tunnel, p, key, mixer.pitch) ?? 0.1 * weight;
      drags.set(key, drag);
    }
    return drag;
  };

  return {
    stallSpeed,
    cruise,
    attitudeGain: kAngle,
    memory,
    hasPropulsion: pushers.length > 0,
    canYaw: mixer.canYaw,
    bankAt(V) {
      const slow = (MARGIN * stallSpeed) / Math.max(V, 0.1);
      return Math.max(0.1, Math.min(LARGEST_BANK, acos(Math.min(1, slow * slow))));
    },
    glide: (V) => dragAt(V) / weight,
    settle() {
      memory[CLIMB] = 0;
      memory[THRUST] = 0;
    },
    take({ nav, airspeed, x }) {
      const V = Math.max(airspeed, 0.7 * stallSpeed);
      const q = 0.5 * p.rho * V * V;
      const alpha = alphaAt(q, weight);
      const servos = x.subarray(13 + N, 13 + N + S);
      const [held, still] = [servos, angles.fill(0)].map((a) => tunnel.blow(V, alpha, a).moment);
      [p.I.xx, p.I.yy, p.I.zz].forEach((I, i) => {
        memory[i] = clamp((held[i] - still[i]) / I, -60, 60);
      });
      const path = asin(clamp(-nav[5] / V, -0.9, 0.9));
      memory[CLIMB] = clamp(pitchOf(nav[6], nav[7], nav[8], nav[9]) - path - alpha, -0.15, 0.15);
    },
    refuseSpeed(V) {
      if (V < 1.05 * stallSpeed)
        throw unflyable(
          `an airspeed of ${V} m/s is too slow: it stalls at ${stallSpeed.toPrecision(3)} m/s`,
          `above ${(1.05 * stallSpeed).toPrecision(3)} m/s`,
        );
      if (pushers.length > 0 && !flies(V))
        throw unflyable(
          `it cannot fly level at ${V} m/s: its pushers make at most ${strongest(V).toPrecision(3)} N there`,
          "another airspeed, more thrust (maxRelativeAirspeed, motorConstant, maxRotVelocity), or less drag",
        );
    },
    climb(nav, airspeed, wanted, climbRate) {
      const V = Math.max(airspeed, 0.8 * stallSpeed);
      const bank = clamp(rollOf(nav[6], nav[7], nav[8], nav[9]), -1, 1);
      const q = 0.5 * p.rho * V * V;
      const drag = dragAt(Math.max(wanted, 1.1 * stallSpeed));
      const most = memory[LEFT] * strongest(V);
      const slow = wanted - V;
      // Between the climb that the thrust left over carries and the glide without thrust; slower than wanted less of the one,
      // faster less of the other. Where nothing pushes both are the glide, and the nose holds the airspeed.
      const highest = Math.min(STEEPEST, (0.8 * most - drag) / weight - 0.05 * slow);
      const lowest = Math.max(-STEEPEST, -drag / weight - 0.02 - 0.05 * (slow + OVERSPEED * wanted));
      const path = asin(clamp(climbRate / V, -0.9, 0.9));
      let gamma = Math.max(lowest, Math.min(path, highest));
      if (lowest > highest) gamma = highest;
      if (V < 0.95 * stallSpeed) gamma = Math.min(gamma, -0.1);
      const climbing = V * sin(gamma);
      const error = climbing + nav[5];
      memory[CLIMB] = clamp(memory[CLIMB] + (kClimb * interval * error) / V, -0.15, 0.15);
      const alpha = alphaAt(q, (weight * cos(gamma)) / cos(bank));
      const push = drag + weight * sin(gamma) + p.m * kSpeed * slow + memory[THRUST];
      if ((push < most || slow < 0) && (push > 0 || slow > 0))
        memory[THRUST] = clamp(
          memory[THRUST] + p.m * 0.15 * kSpeed * interval * clamp(slow, -3, 3),
          -0.5 * weight,
          0.5 * weight,
        );
      return {
        pitch: gamma + alpha * cos(bank) + memory[CLIMB] + (0.5 * error) / V,
        thrust: clamp(push, 0, most),
      };
    },
    steer({ nav, airspeed, x, u }, { roll, pitch, thrust, yawRate }) {
      const V = Math.max(airspeed, 0.7 * stallSpeed);
      const q = 0.5 * p.rho * V * V;
      const bank = rollOf(nav[6], nav[7], nav[8], nav[9]);
      const nose = pitchOf(nav[6], nav[7], nav[8], nav[9]);
      const rolling = clamp(kAngle * (roll - bank), -FASTEST, FASTEST);
      const pitching = clamp(kAngle * (pitch - nose), -FASTEST, FASTEST);
      // A coordinated turn has no sideways force: its rate follows from bank and speed.
      const turning = yawRate ?? (p.g * tan(clamp(bank, -1, 1)) * cos(nose)) / V;
      const wanted = [
        rolling - turning * sin(nose),
        pitching * cos(bank) + turning * cos(nose) * sin(bank),
        turning * cos(nose) * cos(bank) - pitching * sin(bank),
      ];
      const I = [p.I.xx, p.I.yy, p.I.zz];
      const rates = [nav[10], nav[11], nav[12]];
      const gyro = [
        rates[1] * rates[2] * (I[2] - I[1]),
        rates[0] * rates[2] * (I[0] - I[2]),
        rates[0] * rates[1] * (I[1] - I[0]),
      ];
      const moments = wanted.map(
        (rate, i) =>
          I[i] * (kRate * (rate - rates[i]) + memory[i]) + gyro[i] - damping[i] * (V / cruise) * rate,
      );
      const isLimited = mixer.mix(moments[0] / q, moments[1] / q, moments[2] / q, angles);
      for (let i = 0; i < 3; i++) {
        const step = kIntegral * interval * clamp(wanted[i] - rates[i], -1, 1);
        // At the stops the integral may only shrink.
        if (!isLimited || memory[i] * step < 0) memory[i] = clamp(memory[i] + step, -60, 60);
      }
      // A rudder held for ever would hold a sideslip: in the air the fin finds the wind by itself.
      if (yawRate === undefined) memory[2] -= Math.min(1, interval / FORGETTING) * memory[2];
      for (let k = 0; k < S; k++) u[2 * N + k] = angles[k];
      const share = strongest(V);
      let sound = 0;
      let whole = 0;
      for (const { number, effect } of pushers) {
        const health = u[N + number - 1];
        sound += health * effect.strongest;
        whole += effect.strongest;
        const part = share > 0 && health > 0 ? (thrust * effect.strongest) / (share * health) : 0;
        u[number - 1] = part > 0 ? effect.command(Math.min(part, effect.strongest), x[12 + number], 0) : 0;
      }
      memory[LEFT] = whole > 0 ? sound / whole : 0;
    },
  };
}
