/**
 * One iteration of RADAU5's simplified Newton method (Hairer and Wanner, Solving Ordinary Differential Equations II, IV.8) between the
 * derivatives of the stages and the next stages. In the equations' subset, so that src/compile makes machine code of it.
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

/** In a block of vectors z1 z2 z3 w1 w2 w3 g1 g2 g3: derivatives g of the stages become what the transformed systems are solved for. */
function residuals(block: Float64Array, n: number, h: number): void {
  const real = REAL / h;
  const re = PAIR_RE / h;
  const im = PAIR_IM / h;
  for (let i = 0; i < n; i++) {
    const k = 6 * n + i;
    const a = block[k];
    const b = block[k + n];
    const c = block[k + 2 * n];
    const v = block[i + 4 * n];
    const w = block[i + 5 * n];
    block[k] = TI11 * a + TI12 * b + TI13 * c - real * block[i + 3 * n];
    block[k + n] = TI21 * a + TI22 * b + TI23 * c - re * v + im * w;
    block[k + 2 * n] = TI31 * a + TI32 * b + TI33 * c - re * w - im * v;
  }
}

/** The real system for the numbers from 6 n on, the complex one for those from 7 n (real) and 8 n (imaginary part) on. */
export function solveBlocks(s: Blocks, v: Float64Array, n: number): void {
  const { order, starts, couplingStarts, columns, values, inverse, inverseRe, inverseIm, rhs } = s;
  const a = 6 * n;
  const b = 7 * n;
  const c = 8 * n;
  let place = 0;
  for (let block = 0; block + 1 < starts.length; block++) {
    const first = starts[block];
    const end = starts[block + 1];
    for (let i = first; i < end; i++) {
      const at = order[i];
      let sum = v[a + at];
      let re = v[b + at];
      let im = v[c + at];
      for (let k = couplingStarts[i]; k < couplingStarts[i + 1]; k++) {
        const value = values[k];
        const j = columns[k];
        sum += value * v[a + j];
        re += value * v[b + j];
        im += value * v[c + j];
      }
      rhs[i] = sum;
      rhs[n + i] = re;
      rhs[2 * n + i] = im;
    }
    for (let i = first; i < end; i++) {
      let sum = 0;
      let re = 0;
      let im = 0;
      for (let j = first; j < end; j++) {
        const p = inverseRe[place];
        const q = inverseIm[place];
        sum += inverse[place] * rhs[j];
        re += p * rhs[n + j] - q * rhs[2 * n + j];
        im += p * rhs[2 * n + j] + q * rhs[n + j];
        place++;
      }
      v[a + order[i]] = sum;
      v[b + order[i]] = re;
      v[c + order[i]] = im;
    }
  }
}

/** Mean square of g, weighted by what follows it. */
function sizeOfChange(block: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const a = block[i + 6 * n];
    const b = block[i + 7 * n];
    const c = block[i + 8 * n];
    sum += (a * a + b * b + c * c) * block[i + 9 * n];
  }
  return Math.sqrt(sum / (3 * n));
}

/** w += g, and z from w. */
function applyChange(block: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const k = 3 * n + i;
    const a = block[k] + block[k + 3 * n];
    const b = block[k + n] + block[k + 4 * n];
    const c = block[k + 2 * n] + block[k + 5 * n];
    block[k] = a;
    block[k + n] = b;
    block[k + 2 * n] = c;
    block[i] = T11 * a + T12 * b + T13 * c;
    block[i + n] = T21 * a + T22 * b + T23 * c;
    block[i + 2 * n] = T31 * a + b;
  }
}

/** w from z: a first guess. */
export function transform(block: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const a = block[i];
    const b = block[i + n];
    const c = block[i + 2 * n];
    block[i + 3 * n] = TI11 * a + TI12 * b + TI13 * c;
    block[i + 4 * n] = TI21 * a + TI22 * b + TI23 * c;
    block[i + 5 * n] = TI31 * a + TI32 * b + TI33 * c;
  }
}

/** From the derivatives g of the stages to the next stages; the size of the change. */
export function iterate(system: Blocks, block: Float64Array, n: number, h: number): number {
  residuals(block, n, h);
  solveBlocks(system, block, n);
  const change = sizeOfChange(block, n);
  applyChange(block, n);
  return change;
}
