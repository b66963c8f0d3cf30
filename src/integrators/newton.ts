/**
 * The arithmetic of a step of RADAU5 (Hairer and Wanner, Solving Ordinary Differential Equations II, IV.8) around the derivatives of its
 * stages: first guess, simplified Newton iteration, acceptance. In the equations' subset, so that src/compile makes a kernel of
 * it. It works on scalars s and on a block of vectors of n numbers each, one behind the other; what stands in one row of them depends on
 * other rows only through the linear systems and the size of the change.
 */
import type { Blocks } from "../math/block-triangular.ts";

const ROOT9 = 2.080083823051904;
const ROOT81 = 4.3267487109222245;
const ROOT3 = 1.7320508075688772;
const PART_RE = (12 - ROOT81 + ROOT9) / 60;
const PART_IM = ((ROOT81 + ROOT9) * ROOT3) / 60;
/** Eigenvalues of the inverse of the method's matrix: one real, one pair. */
export const REAL: number = 30 / (6 + ROOT81 - ROOT9);
export const PAIR_RE: number = PART_RE / (PART_RE * PART_RE + PART_IM * PART_IM);
export const PAIR_IM: number = PART_IM / (PART_RE * PART_RE + PART_IM * PART_IM);
/** The transformation that takes the matrix apart, and its inverse. */
const T11 = 0.09123239487089295;
const T12 = -0.1412552950209542;
const T13 = -0.030029194105147424;
const T21 = 0.241717932707107;
const T22 = 0.20412935229379994;
const T23 = 0.3829421127572619;
const T31 = 0.966048182615093; // and T32 = 1, T33 = 0
const TI11 = 4.325579890063155;
const TI12 = 0.33919925181580984;
const TI13 = 0.5417705399358749;
const TI21 = -4.178718591551905;
const TI22 = -0.3276828207610624;
const TI23 = 0.47662355450055044;
const TI31 = -0.5028726349457868;
const TI32 = 2.571926949855605;
const TI33 = -0.5960392048282249;

/** Scalars that outlive a step. */
export const NEXT = 0; // step that the error control would take; 0 asks for an estimate
export const LAST = 1; // last step taken
export const OLD_ERROR = 2;
export const RATE = 3; // Newton's convergence in the last step
export const HAS_JACOBIAN = 4;
export const ETA = 5; // how far Newton's error is behind its last change
export const FACTORED_H = 6; // step of which the factors are made
export const MARK = 7; // of the Jacobian at hand
/** Scalars of a step: what it is asked for, what follows from that, and how the iterations go. */
export const H = 8;
export const GOAL = 9;
export const ABSOLUTE = 10;
export const RELATIVE = 11;
const REAL_SHIFT = 12;
const RE_SHIFT = 13;
const IM_SHIFT = 14;
const REACH = 15;
const CHANGE = 16;
const NEW_RATE = 17;
const NEW_ETA = 18;
export const ITERATION = 19;
export const VERDICT = 20; // 0: go on, 1: converged, -1: it does not
export const SCALARS = 21;

/** Vectors: coefficients of the last step's polynomial, which outlive a step; increments of the stages, the same transformed, what the systems are solved for. */
const CONT = 0;
export const Z = 3;
const W = 6;
export const G = 9;
const WEIGHT = 12; // 1/scale^2
export const SCALE = 13;
export const START = 14;
const END = 15;
const SQUARES = 16;
export const VECTORS = 17;

const C1: number = (4 - Math.sqrt(6)) / 10;
const C2: number = (4 + Math.sqrt(6)) / 10;
/** Where in a step the stages are. */
export const STAGES: readonly number[] = [C1, C2, 1];
/** At most so many iterations; a rate of convergence that says nothing yet. */
export const MOST_ITERATIONS = 7;
export const UNKNOWN_RATE = 0.001;
export const ROUNDING = 2.220446049250313e-16;

const LEAST_ETA = 1e-8;

/** Before the first iteration. */
export function open(s: Float64Array): void {
  const h = s[H];
  s[REAL_SHIFT] = REAL / h;
  s[RE_SHIFT] = PAIR_RE / h;
  s[IM_SHIFT] = PAIR_IM / h;
  s[REACH] = s[LAST] === 0 ? 0 : h / s[LAST];
  // What the last step told of the convergence counts for less each time that one iteration is enough; never so much that a large
  // change is taken on trust, as where rates jump after a straight stretch.
  const root = Math.sqrt(Math.max(s[ETA], LEAST_ETA));
  s[NEW_ETA] = s[LAST] === 0 ? 1 : root * Math.sqrt(root);
  s[NEW_RATE] = UNKNOWN_RATE;
  s[CHANGE] = 0;
  s[ITERATION] = 0;
  s[VERDICT] = 0;
}

/** What counts as small in each state, and the first guess of the stages: the last step's polynomial carried on. */
export function guess(s: Float64Array, block: Float64Array, n: number): void {
  const q = s[REACH];
  const s1 = C1 * q;
  const s2 = C2 * q;
  for (let i = 0; i < n; i++) {
    const scale = s[ABSOLUTE] + s[RELATIVE] * Math.abs(block[START * n + i]);
    block[SCALE * n + i] = scale;
    block[WEIGHT * n + i] = 1 / (scale * scale);
    const a = block[CONT * n + i];
    const b = block[(CONT + 1) * n + i];
    const c = block[(CONT + 2) * n + i];
    const z1 = s1 * (a + (s1 - (C2 - 1)) * (b + (s1 - (C1 - 1)) * c));
    const z2 = s2 * (a + (s2 - (C2 - 1)) * (b + (s2 - (C1 - 1)) * c));
    const z3 = q * (a + (q - (C2 - 1)) * (b + (q - (C1 - 1)) * c));
    block[Z * n + i] = z1;
    block[(Z + 1) * n + i] = z2;
    block[(Z + 2) * n + i] = z3;
    block[W * n + i] = TI11 * z1 + TI12 * z2 + TI13 * z3;
    block[(W + 1) * n + i] = TI21 * z1 + TI22 * z2 + TI23 * z3;
    block[(W + 2) * n + i] = TI31 * z1 + TI32 * z2 + TI33 * z3;
  }
}

/** Derivatives of the stages become what the transformed systems are solved for. */
export function residuals(s: Float64Array, block: Float64Array, n: number): void {
  const real = s[REAL_SHIFT];
  const re = s[RE_SHIFT];
  const im = s[IM_SHIFT];
  for (let i = 0; i < n; i++) {
    const a = block[G * n + i];
    const b = block[(G + 1) * n + i];
    const c = block[(G + 2) * n + i];
    const v = block[(W + 1) * n + i];
    const w = block[(W + 2) * n + i];
    block[G * n + i] = TI11 * a + TI12 * b + TI13 * c - real * block[W * n + i];
    block[(G + 1) * n + i] = TI21 * a + TI22 * b + TI23 * c - re * v + im * w;
    block[(G + 2) * n + i] = TI31 * a + TI32 * b + TI33 * c - re * w - im * v;
  }
}

/** The real system for the first vector of G, the complex one for the two behind it. */
export function solveBlocks(system: Blocks, block: Float64Array, n: number): void {
  const { order, starts, couplingStarts, columns, values, inverse, inverseRe, inverseIm, rhs } = system;
  const a = G * n;
  const b = a + n;
  const c = b + n;
  const length = rhs.length / 3;
  let place = 0;
  for (let k = 0; k + 1 < starts.length; k++) {
    const first = starts[k];
    const end = starts[k + 1];
    for (let i = first; i < end; i++) {
      const at = order[i];
      let sum = block[a + at];
      let re = block[b + at];
      let im = block[c + at];
      for (let l = couplingStarts[i]; l < couplingStarts[i + 1]; l++) {
        const value = values[l];
        const j = columns[l];
        sum += value * block[a + j];
        re += value * block[b + j];
        im += value * block[c + j];
      }
      rhs[i] = sum;
      rhs[length + i] = re;
      rhs[2 * length + i] = im;
    }
    for (let i = first; i < end; i++) {
      let sum = 0;
      let re = 0;
      let im = 0;
      for (let j = first; j < end; j++) {
        const p = inverseRe[place];
        const q = inverseIm[place];
        sum += inverse[place] * rhs[j];
        re += p * rhs[length + j] - q * rhs[2 * length + j];
        im += p * rhs[2 * length + j] + q * rhs[length + j];
        place++;
      }
      block[a + order[i]] = sum;
      block[b + order[i]] = re;
      block[c + order[i]] = im;
    }
  }
}

/** W += G, and Z from W; the squares of G over the scale. */
export function applyChange(block: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const d = block[G * n + i];
    const e = block[(G + 1) * n + i];
    const f = block[(G + 2) * n + i];
    block[SQUARES * n + i] = (d * d + e * e + f * f) * block[WEIGHT * n + i];
    const a = block[W * n + i] + d;
    const b = block[(W + 1) * n + i] + e;
    const c = block[(W + 2) * n + i] + f;
    block[W * n + i] = a;
    block[(W + 1) * n + i] = b;
    block[(W + 2) * n + i] = c;
    block[Z * n + i] = T11 * a + T12 * b + T13 * c;
    block[(Z + 1) * n + i] = T21 * a + T22 * b + T23 * c;
    block[(Z + 2) * n + i] = T31 * a + b;
  }
}

/** From the size of the change in so many states to what is to be done. */
export function judge(s: Float64Array, block: Float64Array, n: number, states: number): void {
  let sum = 0;
  for (let i = 0; i < states; i++) sum += block[SQUARES * n + i];
  const change = Math.sqrt(sum / (3 * states));
  const iteration = s[ITERATION] + 1;
  s[ITERATION] = iteration;
  let rate = s[NEW_RATE];
  let eta = s[NEW_ETA];
  let isHopeless = !(change < Number.POSITIVE_INFINITY);
  if (iteration > 1) {
    const quotient = change / s[CHANGE];
    rate = iteration === 2 ? quotient : Math.sqrt(quotient * rate);
    eta = rate / (1 - rate);
    let ahead = eta * change;
    for (let left = 2; left < MOST_ITERATIONS; left++) if (left > iteration) ahead *= rate;
    isHopeless = isHopeless || !(rate < 0.99) || (ahead >= s[GOAL] && iteration < MOST_ITERATIONS);
  }
  s[CHANGE] = Math.max(change, ROUNDING);
  s[NEW_RATE] = rate;
  s[NEW_ETA] = eta;
  const hasConverged = !isHopeless && eta * change <= s[GOAL];
  if (hasConverged) {
    s[RATE] = rate;
    s[ETA] = eta;
  }
  s[VERDICT] = hasConverged ? 1 : isHopeless || iteration >= MOST_ITERATIONS ? -1 : 0;
}

const PER_C1: number = 1 / C1;
const PER_C2: number = 1 / C2;
const PER_C1_REST: number = 1 / (C1 - 1);
const PER_C2_REST: number = 1 / (C2 - 1);
const PER_C1_C2: number = 1 / (C1 - C2);

/** The step is taken: its end, and its polynomial for dense output and the next guess. */
export function accept(block: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const z1 = block[Z * n + i];
    const z2 = block[(Z + 1) * n + i];
    const z3 = block[(Z + 2) * n + i];
    const end = block[START * n + i] + z3;
    const a = (z2 - z3) * PER_C2_REST;
    const between = (z1 - z2) * PER_C1_C2;
    const ahead = (between - z1 * PER_C1) * PER_C2;
    const b = (between - a) * PER_C1_REST;
    block[CONT * n + i] = a;
    block[(CONT + 1) * n + i] = b;
    block[(CONT + 2) * n + i] = b - ahead;
    block[END * n + i] = end;
    block[START * n + i] = end;
  }
}

/** The polynomial at s = theta - 1: the collocation polynomial, order 3. */
export function dense(block: Float64Array, n: number, i: number, s: number): number {
  const c = block[(CONT + 1) * n + i] + (s - (C1 - 1)) * block[(CONT + 2) * n + i];
  return block[END * n + i] + s * (block[CONT * n + i] + (s - (C2 - 1)) * c);
}
