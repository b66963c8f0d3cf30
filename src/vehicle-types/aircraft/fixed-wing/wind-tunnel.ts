/**
 * Aerodynamic data of an aircraft from its own equations: lift, level flight, and control effectiveness of each servo. All gains of
 * the loops follow from them, whatever laws its surfaces have.
 */
import { environmentLength } from "../../../environment/environment.ts";
import { cos, sin } from "../../../math/elementary.ts";
import { factorise, solve } from "../../../math/lu.ts";
import type { Model } from "../../../model/model.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import { DOWN, EAST, NORTH, Q_W, V_DOWN, V_NORTH } from "../../../vehicles/rigid-body.ts";
import { type RotorEffect, rotorEffects } from "../multirotor/rotor-effects.ts";

interface Pusher {
  /** From 1. */
  readonly number: number;
  readonly effect: RotorEffect;
  /** Fastest speed [rad/s]. */
  readonly top: number;
}

/** The rotors that push forward. */
function pushersOf(p: AircraftParameters, interval: number): Pusher[] {
  return rotorEffects(p, interval).flatMap((effect, i) =>
    p.rotors[i + 1].axis.x > 0.7
      ? [{ number: i + 1, effect, top: Math.sqrt(effect.strongest / effect.constant) }]
      : [],
  );
}

/** Forces forward and downward, and the three moments, in body axes. */
interface Loads {
  readonly force: readonly [number, number];
  readonly moment: readonly [number, number, number];
}

export interface Tunnel {
  /** Loads at a speed and angle of attack; `servos` are angles, `throttle` the part 0..1 of the pushers' static thrust. */
  blow(
    V: number,
    alpha: number,
    servos: ArrayLike<number>,
    throttle?: number,
    rates?: readonly [number, number, number],
  ): Loads;
  readonly servos: number;
  readonly pushers: readonly Pusher[];
}

/** `interval`: between commands, which only the pushers' regulators need. */
export function windTunnel(model: Model, p: AircraftParameters, interval = 0.01): Tunnel {
  const N = Object.keys(p.rotors ?? {}).length;
  const S = Object.keys(p.servos ?? {}).length;
  const x = new Float64Array(model.states.length);
  const u = new Float64Array(model.inputs.length);
  const e = new Float64Array(environmentLength(model));
  const dx = new Float64Array(x.length);
  const y = new Float64Array(model.outputs.length);
  const place = (name: string) => model.outputs.findIndex((f) => f.name === name);
  const [FX, FZ, MX] = [place("force_x"), place("force_z"), place("moment_x")];
  const pushers = pushersOf(p, interval);
  e[3] = 1;
  x[Q_W] = 1;
  u.fill(1, N, 2 * N);
  return {
    servos: S,
    pushers,
    blow(V, alpha, servos, throttle = 0, rates = [0, 0, 0]) {
      x[V_NORTH] = V * cos(alpha);
      x[V_DOWN] = V * sin(alpha);
      x.set(rates, 10);
      for (const { number, top } of pushers) {
        x[12 + number] = top * Math.sqrt(throttle);
        u[number - 1] = x[12 + number];
      }
      for (let k = 0; k < S; k++) {
        x[13 + N + k] = servos[k];
        u[2 * N + k] = servos[k];
      }
      model.derivative(x, u, p, e, dx, y);
      return { force: [y[FX], y[FZ]], moment: [y[MX], y[MX + 1], y[MX + 2]] };
    },
  };
}

/** Part of a servo's throw that level flight may take; the rest is for control. */
const OF_THROW = 0.8;

/**
 * Drag in steady straight flight at a speed [N], or nothing where it does not fly so. By Newton's method on angle of attack, pitch
 * control, and throttle (or the glide angle, where nothing pushes). `pitch`: the servos' angles per unit of pitch control.
 */
export function levelDrag(
  { blow, pushers }: Tunnel,
  { m, g, servos: all }: AircraftParameters,
  V: number,
  pitch: Float64Array,
): number | undefined {
  const glides = pushers.length === 0;
  const s = Float64Array.of(0.05, 0, glides ? -0.1 : 0.2);
  const residual = (v: Float64Array): Float64Array => {
    const servos = pitch.map((n) => n * v[1]);
    const throttle = glides ? 0 : Math.max(0, v[2]);
    const { force, moment } = blow(V, v[0], servos, throttle);
    const theta = v[0] + (glides ? v[2] : 0);
    return Float64Array.of(
      force[0] / (m * g) - sin(theta) + (glides ? 0 : Math.min(0, v[2])),
      force[1] / (m * g) + cos(theta),
      moment[1] / (m * g),
    );
  };
  const J = new Float64Array(9);
  const pivot = new Int32Array(3);
  for (let i = 0; i < 60; i++) {
    const r = residual(s);
    if (Math.max(...r.map(Math.abs)) < 1e-9) break;
    for (let k = 0; k < 3; k++) {
      const moved = s.slice();
      moved[k] += 1e-6;
      residual(moved).forEach((v, row) => {
        J[3 * row + k] = (v - r[row]) / 1e-6;
      });
    }
    if (!factorise(J, 3, pivot)) return undefined;
    solve(J, 3, pivot, r);
    const scale = Math.min(1, 0.1 / Math.max(1e-12, Math.abs(r[0])));
    for (let k = 0; k < 3; k++) s[k] -= scale * r[k];
  }
  const isFound = Math.max(...residual(s).map(Math.abs)) < 1e-6 && Math.abs(s[NORTH]) < 0.6;
  if (!isFound || s[DOWN] > 1 || (!glides && s[DOWN] < 0)) return undefined;
  const servos = pitch.map((n) => n * s[EAST]);
  const limits = Object.values(all ?? {});
  if (servos.some((angle, k) => angle > OF_THROW * limits[k].max || angle < OF_THROW * limits[k].min))
    return undefined;
  const { force } = blow(V, s[NORTH], servos);
  return -force[0] * cos(s[NORTH]) - force[1] * sin(s[NORTH]);
}

/** Lift over dynamic pressure: at no angle of attack, its slope, and its largest value (up to the stall) with its angle. */
export function liftOf({ blow, servos }: Tunnel, rho: number) {
  const still = new Float64Array(servos);
  const V = 15;
  const lift = (alpha: number) => {
    const { force } = blow(V, alpha, still);
    return (force[0] * sin(alpha) - force[1] * cos(alpha)) / (0.5 * rho * V * V);
  };
  let best = { alpha: 0, lift: lift(0) };
  for (let alpha = 0.01; alpha < 0.6; alpha += 0.01)
    if (lift(alpha) > best.lift) best = { alpha, lift: lift(alpha) };
  return { zero: lift(0), slope: (lift(0.05) - lift(0)) / 0.05, ...best };
}
