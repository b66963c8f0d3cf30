/**
 * Systems (shift I - J) x = b for a real and a complex shift, where J is sparse: unknowns are put in an order in which each
 * depends only on its own block and on earlier ones (the strongly connected components of J's pattern), so that only the blocks
 * are inverted.
 */
import { factorise, solve } from "./lu.ts";
import { factoriseComplex, solveComplex } from "./lu-complex.ts";

/** A factored system as plain lists, for those who solve it. */
export interface Blocks {
  /** Unknowns in solving order, and where each block begins among them. */
  readonly order: ArrayLike<number>;
  readonly starts: ArrayLike<number>;
  /** Entries of J that couple an unknown to earlier blocks, unknown by unknown in solving order: columns and values. */
  readonly couplingStarts: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
  readonly values: Float64Array;
  /** Inverses of the blocks, row by row, one block after the other. */
  readonly inverse: Float64Array;
  readonly inverseRe: Float64Array;
  readonly inverseIm: Float64Array;
  /** Work space of three vectors. */
  readonly rhs: Float64Array;
}

export class ShiftedSystem implements Blocks {
  private readonly n: number;
  /** Which entries of J are not zero; 2 before the first look. */
  private readonly pattern: Uint8Array;
  private readonly isFixed: boolean;
  order: Int32Array = new Int32Array(0);
  starts: Int32Array = new Int32Array(1);
  private couplings: Int32Array = new Int32Array(0);
  couplingStarts: Int32Array = new Int32Array(0);
  readonly columns: Int32Array;
  readonly values: Float64Array;
  readonly inverse: Float64Array;
  readonly inverseRe: Float64Array;
  readonly inverseIm: Float64Array;
  readonly rhs: Float64Array;

  /** `pattern`: entries that may be other than zero, row by row; without it those that are. */
  constructor(n: number, pattern?: Uint8Array) {
    this.n = n;
    this.isFixed = pattern !== undefined;
    this.pattern = pattern ?? new Uint8Array(n * n).fill(2);
    this.columns = new Int32Array(n * n);
    this.values = new Float64Array(n * n);
    this.inverse = new Float64Array(n * n);
    this.inverseRe = new Float64Array(n * n);
    this.inverseIm = new Float64Array(n * n);
    this.rhs = new Float64Array(3 * n);
    if (pattern) this.arrange();
  }

  /** How many blocks there are. */
  get blocks(): number {
    return this.starts.length - 1;
  }

  /** Prepares shift I - J and (re + i im) I - J. False where one is singular. */
  factor(J: Float64Array, shift: number, re: number, im: number): boolean {
    if (!this.isFixed && this.hasNewPattern(J)) this.arrange();
    for (let k = 0; k < this.couplings.length; k++) this.values[k] = J[this.couplings[k]];
    let place = 0;
    for (let b = 0; b < this.blocks; b++) {
      const m = this.starts[b + 1] - this.starts[b];
      if (!this.invert(J, b, place, shift, re, im)) return false;
      place += m * m;
    }
    return true;
  }

  private invert(J: Float64Array, b: number, place: number, shift: number, re: number, im: number): boolean {
    const { n, order } = this;
    const first = this.starts[b];
    const m = this.starts[b + 1] - first;
    const a = new Float64Array(m * m);
    const ar = new Float64Array(m * m);
    const ai = new Float64Array(m * m);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < m; j++) {
        const v = -J[order[first + i] * n + order[first + j]];
        const k = i * m + j;
        a[k] = i === j ? v + shift : v;
        ar[k] = i === j ? v + re : v;
        ai[k] = i === j ? im : 0;
      }
    const pivot = new Int32Array(m);
    const pivots = new Int32Array(m);
    if (!factorise(a, m, pivot) || !factoriseComplex(ar, ai, m, pivots)) return false;
    const x = new Float64Array(m);
    const y = new Float64Array(m);
    const z = new Float64Array(m);
    for (let j = 0; j < m; j++) {
      for (let i = 0; i < m; i++) {
        x[i] = i === j ? 1 : 0;
        y[i] = x[i];
        z[i] = 0;
      }
      solve(a, m, pivot, x);
      solveComplex(ar, ai, m, pivots, y, z);
      for (let i = 0; i < m; i++) {
        this.inverse[place + i * m + j] = x[i];
        this.inverseRe[place + i * m + j] = y[i];
        this.inverseIm[place + i * m + j] = z[i];
      }
    }
    return true;
  }

  /** x becomes the solution of (shift I - J) x = (old) x. */
  solve(x: Float64Array): void {
    const { order, starts, couplingStarts, values, columns, inverse, rhs } = this;
    let place = 0;
    for (let b = 0; b + 1 < starts.length; b++) {
      const first = starts[b];
      const end = starts[b + 1];
      for (let i = first; i < end; i++) {
        let sum = x[order[i]];
        for (let k = couplingStarts[i]; k < couplingStarts[i + 1]; k++) sum += values[k] * x[columns[k]];
        rhs[i] = sum;
      }
      for (let i = first; i < end; i++) {
        let sum = 0;
        for (let j = first; j < end; j++) sum += inverse[place++] * rhs[j];
        x[order[i]] = sum;
      }
    }
  }

  private hasNewPattern(J: Float64Array): boolean {
    const { pattern } = this;
    let isNew = false;
    for (let k = 0; k < J.length; k++) {
      const v = J[k] === 0 ? 0 : 1;
      if (pattern[k] !== v) {
        pattern[k] = v;
        isNew = true;
      }
    }
    return isNew;
  }

  private arrange(): void {
    const { n, pattern } = this;
    const components = stronglyConnected(n, pattern);
    const blocks = [0];
    const couplings: number[] = [];
    const starts = [0];
    for (const c of components) {
      blocks.push(blocks[blocks.length - 1] + c.length);
      for (const i of c) {
        for (let j = 0; j < n; j++) if (pattern[i * n + j] && !c.includes(j)) couplings.push(i * n + j);
        starts.push(couplings.length);
      }
    }
    this.order = Int32Array.from(components.flat());
    this.starts = Int32Array.from(blocks);
    this.couplings = Int32Array.from(couplings);
    this.couplingStarts = Int32Array.from(starts);
    couplings.forEach((at, k) => {
      this.columns[k] = at % n;
    });
  }
}

/** Tarjan's algorithm: groups of unknowns that depend on each other, each after all that it depends on. */
export function stronglyConnected(n: number, pattern: ArrayLike<number>): number[][] {
  const index = new Int32Array(n).fill(-1);
  const low = new Int32Array(n);
  const isOpen = new Uint8Array(n);
  const stack: number[] = [];
  const found: number[][] = [];
  let next = 0;
  const visit = (i: number) => {
    index[i] = next;
    low[i] = next++;
    stack.push(i);
    isOpen[i] = 1;
    for (let j = 0; j < n; j++) {
      if (j === i || pattern[i * n + j] === 0) continue;
      if (index[j] < 0) {
        visit(j);
        low[i] = Math.min(low[i], low[j]);
      } else if (isOpen[j]) low[i] = Math.min(low[i], index[j]);
    }
    if (low[i] !== index[i]) return;
    const component = stack.splice(stack.indexOf(i));
    for (const j of component) isOpen[j] = 0;
    found.push(component.sort((a, b) => a - b));
  };
  for (let i = 0; i < n; i++) if (index[i] < 0) visit(i);
  return found;
}
