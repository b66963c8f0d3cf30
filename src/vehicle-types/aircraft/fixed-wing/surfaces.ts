/** Which servos do what: angles that make the moments wanted, roll and pitch first, yaw with what they leave. */

import { unflyable } from "../../../control/pilot-command.ts";
import { factorise, solve } from "../../../math/lu.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import type { Tunnel } from "./wind-tunnel.ts";

export interface SurfaceMixer {
  /** Servo angles for moments over dynamic pressure [m^3], within the servos' limits; true where one was reached. */
  mix(roll: number, pitch: number, yaw: number, out: Float64Array): boolean;
  /** Whether a control yaws it independently of roll and pitch. */
  readonly canYaw: boolean;
  /** Angles per unit of pitching moment over dynamic pressure. */
  readonly pitch: Float64Array;
}

const SPEED = 15;
const STEP = 0.02;

export function surfaceMixer(tunnel: Tunnel, p: AircraftParameters, alpha: number): SurfaceMixer {
  const S = tunnel.servos;
  const q = 0.5 * p.rho * SPEED * SPEED;
  // B: moment over dynamic pressure per radian, three rows of S.
  const B = [0, 1, 2].map(() => new Float64Array(S));
  const servos = new Float64Array(S);
  for (let k = 0; k < S; k++) {
    servos[k] = STEP;
    const up = tunnel.blow(SPEED, alpha, servos).moment;
    servos[k] = -STEP;
    const down = tunnel.blow(SPEED, alpha, servos).moment;
    servos[k] = 0;
    for (let row = 0; row < 3; row++) B[row][k] = (up[row] - down[row]) / (2 * STEP * q);
  }
  const norm = (v: Float64Array) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, k) => sum + x * b[k], 0);
  const longest = Math.max(...B.map(norm), 1e-12);
  for (const [row, name] of ["roll", "pitch"].entries())
    if (!(norm(B[row]) > 1e-3 * longest))
      throw unflyable(
        `no servo controls ${name}`,
        "control surfaces for roll and pitch, or inputs instead of a pilot",
      );

  // Roll and pitch by the least angles.
  const gram = Float64Array.of(dot(B[0], B[0]), dot(B[0], B[1]), dot(B[1], B[0]), dot(B[1], B[1]));
  const pivot = new Int32Array(2);
  const isIndependent = norm(B[0]) * norm(B[1]) - Math.abs(dot(B[0], B[1])) > 1e-3 * norm(B[0]) * norm(B[1]);
  if (!isIndependent || !factorise(gram, 2, pivot))
    throw unflyable(
      "no servo controls roll independently of pitch",
      "surfaces left and right that can move opposite",
    );
  const column = (a: number, b: number) => {
    const s = Float64Array.of(a, b);
    solve(gram, 2, pivot, s);
    return Float64Array.from({ length: S }, (_, k) => B[0][k] * s[0] + B[1][k] * s[1]);
  };
  const roll = column(1, 0);
  const pitch = column(0, 1);
  // Yaw by what neither rolls nor pitches; a wing with elevons alone has no such thing.
  const free = Float64Array.from(B[2], (b, k) => b - roll[k] * dot(B[0], B[2]) - pitch[k] * dot(B[1], B[2]));
  const canYaw = norm(free) > 0.2 * norm(B[2]) && norm(B[2]) > 1e-3 * longest;
  const yawing = canYaw ? free.map((x) => x / dot(free, B[2])) : new Float64Array(S);
  const limits = Object.values(p.servos ?? {});
  return {
    pitch,
    canYaw,
    mix(l, m, n, out) {
      let made = 0;
      let isLimited = false;
      for (let k = 0; k < S; k++) {
        out[k] = roll[k] * l + pitch[k] * m;
        made += B[2][k] * out[k];
      }
      for (let k = 0; k < S; k++) {
        const angle = out[k] + yawing[k] * (n - made);
        out[k] = Math.min(limits[k].max, Math.max(limits[k].min, angle));
        if (out[k] !== angle) isLimited = true;
      }
      return isLimited;
    },
  };
}
