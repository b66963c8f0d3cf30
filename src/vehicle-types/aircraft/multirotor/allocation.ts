/**
 * Control allocation: thrusts that give the commanded moments and lift. Pseudo-inverse of the rotor geometry;
 * where thrusts end, yaw gives way first, then lift, and roll and pitch last.
 */
import { factorise, solve } from "../../../math/lu.ts";
import { InputError } from "../../../model/input-error.ts";

const AXES = ["roll", "pitch", "yaw", "lift"] as const;

/** B is 4 x N, row by row; rows chosen by number. Returns N x rows, row by row, or nothing where rows depend on each other. */
function pseudoInverse(B: Float64Array, N: number, rows: readonly number[]): Float64Array | undefined {
  const m = rows.length;
  const gram = new Float64Array(m * m);
  for (let i = 0; i < m; i++)
    for (let j = 0; j < m; j++)
      for (let k = 0; k < N; k++) gram[i * m + j] += B[rows[i] * N + k] * B[rows[j] * N + k];
  const pivot = new Int32Array(m);
  if (!factorise(gram, m, pivot)) return undefined;
  const P = new Float64Array(N * m);
  const column = new Float64Array(m);
  for (let k = 0; k < N; k++) {
    for (let i = 0; i < m; i++) column[i] = B[rows[i] * N + k];
    solve(gram, m, pivot, column);
    P.set(column, k * m);
  }
  return P;
}

/** How much of a row is left after the others are taken out, as a part of its length; 0 where it is a mixture of them. */
function independence(B: Float64Array, N: number, row: number, rows: readonly number[]): number {
  const basis: Float64Array[] = [];
  const reduced = (r: number) => {
    const v = B.slice(r * N, (r + 1) * N);
    for (const b of basis) {
      const s = v.reduce((sum, x, k) => sum + x * b[k], 0);
      v.forEach((_, k) => {
        v[k] -= s * b[k];
      });
    }
    return v;
  };
  const norm = (v: Float64Array) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
  for (const r of rows) {
    if (r === row) continue;
    const v = reduced(r);
    const n = norm(v);
    if (n > 1e-9 * norm(B.slice(r * N, (r + 1) * N)) && n > 0) basis.push(v.map((x) => x / n));
  }
  const whole = norm(B.slice(row * N, (row + 1) * N));
  return whole > 1e-12 ? norm(reduced(row)) / whole : 0;
}

export interface Allocation {
  /** Thrusts for the moments [N m] and the lift [N]. Bounds are 0 and each rotor's strongest thrust. */
  solve(Mx: number, My: number, Mz: number, lift: number, thrusts: Float64Array): void;
}

/**
 * B: moments about the body axes and lift, over each rotor's thrust. With `mayLoseYaw` a vehicle that cannot hold its heading
 * (a rotor has failed) is still flown.
 */
export function allocation(B: Float64Array, strongest: Float64Array, mayLoseYaw = false): Allocation {
  const N = strongest.length;
  const needed = mayLoseYaw ? [0, 1, 3] : [0, 1, 2, 3];
  const lost = AXES.findIndex((_, row) => needed.includes(row) && !(independence(B, N, row, needed) > 1e-6));
  const P3 = pseudoInverse(B, N, [0, 1, 3]);
  if (lost >= 0 || P3 === undefined)
    throw new InputError(
      `these rotors cannot control ${AXES[Math.max(0, lost)]}: ` +
        (N < 4 ? `${N} rotors are fewer than four axes` : "no combination of thrusts changes it alone"),
      {
        field: "parameters.rotors",
        allowed: "rotors whose positions, axes and directions move all four axes",
      },
    );
  // Thrusts that yaw and do nothing else.
  const P4 = pseudoInverse(B, N, [0, 1, 2, 3]);
  const turn = Float64Array.from({ length: N }, (_, k) => (P4 ? P4[4 * k + 2] : 0));
  const tilt = new Float64Array(N);
  return {
    solve(Mx, My, Mz, lift, thrusts) {
      for (let k = 0; k < N; k++) tilt[k] = P3[3 * k] * Mx + P3[3 * k + 1] * My;
      // The lifts with which all thrusts stay in bounds; if there is none, less roll and pitch.
      let part = 1;
      let low = 0;
      let high = 0;
      for (let i = 0; i < 40; i++) {
        low = Number.NEGATIVE_INFINITY;
        high = Number.POSITIVE_INFINITY;
        for (let k = 0; k < N; k++) {
          const c = P3[3 * k + 2];
          if (!(c > 1e-12)) continue;
          low = Math.max(low, (-part * tilt[k]) / c);
          high = Math.min(high, (strongest[k] - part * tilt[k]) / c);
        }
        if (low <= high) break;
        part *= 0.9;
      }
      const F = Math.min(Math.max(lift, low), high);
      let left = Mz;
      for (let k = 0; k < N; k++) {
        const T = P3[3 * k + 2] * F + part * tilt[k];
        thrusts[k] = Math.min(Math.max(T, 0), strongest[k]);
        left -= B[2 * N + k] * thrusts[k];
      }
      let room = 1;
      for (let k = 0; k < N; k++) {
        const change = left * turn[k];
        if (change > 0) room = Math.min(room, (strongest[k] - thrusts[k]) / change);
        else if (change < 0) room = Math.min(room, -thrusts[k] / change);
      }
      for (let k = 0; k < N; k++)
        thrusts[k] = Math.min(Math.max(thrusts[k] + room * left * turn[k], 0), strongest[k]);
    },
  };
}
