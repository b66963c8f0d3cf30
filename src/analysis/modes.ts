/** Modes of a linear model: eigenvalues, damping, and what takes part in each, by which they get their names. */
import { stronglyConnected } from "../math/block-triangular.ts";
import { type Eigenvalue, eigenvalues, eigenvector } from "../math/eigenvalues.ts";
import { atan2, hypot } from "../math/elementary.ts";
import type { LinearModel } from "./linearize.ts";
import { nameModes, numbered } from "./mode-names.ts";

/** An eigenvalue with its frequency [rad/s], damping ratio, half or double time [s] and the states that take part. */
export interface Mode {
  readonly name: string;
  readonly eigenvalue: Eigenvalue;
  /** Undamped natural frequency [rad/s] and damping ratio; of a real eigenvalue its size and sign. */
  readonly frequency: number;
  readonly damping: number;
  /** Of oscillations [s]. */
  readonly period?: number;
  /** One of the two, or none where it neither grows nor fades [s]. */
  readonly half?: number;
  readonly double?: number;
  /** Share of each state, in the order of the model's states, adding up to 1. */
  readonly participation: Float64Array;
  /** Magnitude and phase [rad] of each state, relative to the one that takes part most. */
  readonly shape: { readonly magnitude: Float64Array; readonly phase: Float64Array };
}

/** A vehicle's own names of common modes. */
type ModeWords = Readonly<Record<string, string>>;

const LN2 = 0.6931471805599453;
/** Slower than this a mode counts as neither growing nor fading [1/s]. */
const NEUTRAL = 1e-6;

/**
 * `carries`: whether wings carry it, so that it has the modes of an aeroplane. States that depend on each other make modes together;
 * what merely follows them takes no part.
 */
export function modesOf(linear: LinearModel, carries: boolean, ownNames: ModeWords = {}): Mode[] {
  const { states, A } = linear;
  const n = states.length;
  const bare = stronglyConnected(n, coupling(A, n))
    .flatMap((block) => blockModes(A, n, block))
    .sort((a, b) => b.frequency - a.frequency);
  const names = numbered(nameModes(linear, bare, carries).map((name) => ownNames[name] ?? name));
  return bare.map((mode, i) => ({ name: names[i], ...mode }));
}

/** Entries that are more than rounding. */
function coupling(A: Float64Array, n: number): Uint8Array {
  const row = (i: number) => A.subarray(i * n, i * n + n).reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  const rows = Array.from({ length: n }, (_, i) => row(i));
  return Uint8Array.from(A, (v, k) => (Math.abs(v) > 1e-11 * rows[Math.floor(k / n)] ? 1 : 0));
}

function blockModes(A: Float64Array, n: number, block: readonly number[]): Omit<Mode, "name">[] {
  const m = block.length;
  const part = Float64Array.from(block.flatMap((i) => block.map((j) => A[i * n + j])));
  const transposed = Float64Array.from(block.flatMap((i) => block.map((j) => A[j * n + i])));
  return eigenvalues(part, m)
    .filter(({ im }) => im >= 0)
    .map((eigenvalue, index, all) => {
      // Copies of one eigenvalue begin elsewhere each, or they would all find the same.
      const copy = all
        .slice(0, index)
        .filter((o) => hypot(o.re - eigenvalue.re, o.im - eigenvalue.im) < 1e-6 * hypot(o.re, o.im)).length;
      const begin = {
        re: Float64Array.from(block, (_, k) => (k === (index + copy) % m ? 1 : 1e-3)),
        im: new Float64Array(m),
      };
      const alone = { re: Float64Array.of(1), im: new Float64Array(1) };
      const right = m === 1 ? alone : eigenvector(part, m, eigenvalue, copy > 0 ? begin : undefined);
      const left = m === 1 ? alone : eigenvector(transposed, m, eigenvalue, copy > 0 ? begin : undefined);
      const participation = new Float64Array(n);
      const inside = { re: new Float64Array(n), im: new Float64Array(n) };
      let sum = 0;
      block.forEach((i, k) => {
        participation[i] = hypot(right.re[k], right.im[k]) * hypot(left.re[k], left.im[k]);
        sum += participation[i];
        inside.re[i] = right.re[k];
        inside.im[i] = right.im[k];
      });
      for (const i of block) participation[i] /= sum;
      const shape = eigenvector(A, n, eigenvalue, inside);
      const most = participation.indexOf(Math.max(...participation));
      const { re, im } = eigenvalue;
      const frequency = hypot(re, im);
      const size = Array.from({ length: n }, (_, i) => hypot(shape.re[i], shape.im[i]));
      return {
        eigenvalue,
        frequency,
        damping: frequency > 0 ? -re / frequency : 0,
        ...(im > 0 ? { period: (2 * Math.PI) / im } : {}),
        ...(re < -NEUTRAL ? { half: LN2 / -re } : re > NEUTRAL ? { double: LN2 / re } : {}),
        participation,
        shape: {
          magnitude: Float64Array.from(size, (v) => v / size[most]),
          phase: Float64Array.from(size, (_, i) =>
            wrapped(atan2(shape.im[i], shape.re[i]) - atan2(shape.im[most], shape.re[most])),
          ),
        },
      };
    });
}

const wrapped = (angle: number) =>
  angle > Math.PI ? angle - 2 * Math.PI : angle <= -Math.PI ? angle + 2 * Math.PI : angle;
