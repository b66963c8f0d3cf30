/**
 * Systems (shift I - J) x = b for several shifts, where J is sparse: unknowns are put in an order in which each depends only on
 * its own block and on earlier ones (the strongly connected components of J's pattern), so that only the blocks are factorised.
 */
import { factorise, solve } from "./lu.ts";
import { factoriseComplex, solveComplex } from "./lu-complex.ts";

export class ShiftedSystem {
  private readonly n: number;
  /** Which entries of J are not zero, as of the last `structure`. */
  private readonly pattern: Uint8Array;
  /** Unknowns in solving order, and where each block begins among them. */
  private order: number[] = [];
  private starts: number[] = [];
  /** Entries of J that couple an unknown to earlier blocks, unknown by unknown in solving order. */
  private couplings: Int32Array = new Int32Array(0);
  private couplingStarts: Int32Array = new Int32Array(0);
  private readonly values: Float64Array;
  private readonly columns: Int32Array;
  /** Factors, block after block. */
  private real: Float64Array[] = [];
  private re: Float64Array[] = [];
  private im: Float64Array[] = [];
  private pivot: Int32Array[] = [];
  private pivots: Int32Array[] = [];
  private b: Float64Array[] = [];
  private c: Float64Array[] = [];

  constructor(n: number) {
    this.n = n;
    this.pattern = new Uint8Array(n * n).fill(2);
    this.values = new Float64Array(n * n);
    this.columns = new Int32Array(n * n);
  }

  /** How many blocks there are. */
  get blocks(): number {
    return this.starts.length - 1;
  }

  /** Factors of shift I - J and of (re + i im) I - J. False where one is singular. */
  factor(J: Float64Array, shift: number, re: number, im: number): boolean {
    if (this.hasNewPattern(J)) this.arrange();
    for (let k = 0; k < this.couplings.length; k++) this.values[k] = J[this.couplings[k]];
    const { n, order, starts } = this;
    let isRegular = true;
    for (let b = 0; b + 1 < starts.length; b++) {
      const first = starts[b];
      const m = starts[b + 1] - first;
      const a = this.real[b];
      const ar = this.re[b];
      const ai = this.im[b];
      for (let i = 0; i < m; i++)
        for (let j = 0; j < m; j++) {
          const v = -J[order[first + i] * n + order[first + j]];
          const k = i * m + j;
          a[k] = i === j ? v + shift : v;
          ar[k] = i === j ? v + re : v;
          ai[k] = i === j ? im : 0;
        }
      if (m === 1) {
        isRegular &&= a[0] !== 0;
        continue;
      }
      isRegular &&= factorise(a, m, this.pivot[b]) && factoriseComplex(ar, ai, m, this.pivots[b]);
    }
    return isRegular;
  }

  /** b becomes the solution of (shift I - J) x = b. */
  solve(x: Float64Array): void {
    const { order, starts, couplingStarts, values, columns } = this;
    for (let b = 0; b + 1 < starts.length; b++) {
      const first = starts[b];
      const m = starts[b + 1] - first;
      for (let i = first; i < first + m; i++) {
        let sum = x[order[i]];
        for (let k = couplingStarts[i]; k < couplingStarts[i + 1]; k++) sum += values[k] * x[columns[k]];
        x[order[i]] = sum;
      }
      if (m === 1) {
        x[order[first]] /= this.real[b][0];
        continue;
      }
      const rhs = this.b[b];
      for (let i = 0; i < m; i++) rhs[i] = x[order[first + i]];
      solve(this.real[b], m, this.pivot[b], rhs);
      for (let i = 0; i < m; i++) x[order[first + i]] = rhs[i];
    }
  }

  /** x + i y becomes the solution of the complex system. */
  solveComplex(x: Float64Array, y: Float64Array): void {
    const { order, starts, couplingStarts, values, columns } = this;
    for (let b = 0; b + 1 < starts.length; b++) {
      const first = starts[b];
      const m = starts[b + 1] - first;
      for (let i = first; i < first + m; i++) {
        let sum = x[order[i]];
        let other = y[order[i]];
        for (let k = couplingStarts[i]; k < couplingStarts[i + 1]; k++) {
          sum += values[k] * x[columns[k]];
          other += values[k] * y[columns[k]];
        }
        x[order[i]] = sum;
        y[order[i]] = other;
      }
      const i = order[first];
      if (m === 1) {
        const re = this.re[b][0];
        const im = this.im[b][0];
        const d = re * re + im * im;
        const v = x[i];
        x[i] = (v * re + y[i] * im) / d;
        y[i] = (y[i] * re - v * im) / d;
        continue;
      }
      const br = this.b[b];
      const bi = this.c[b];
      for (let k = 0; k < m; k++) {
        br[k] = x[order[first + k]];
        bi[k] = y[order[first + k]];
      }
      solveComplex(this.re[b], this.im[b], m, this.pivots[b], br, bi);
      for (let k = 0; k < m; k++) {
        x[order[first + k]] = br[k];
        y[order[first + k]] = bi[k];
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
    this.order = components.flat();
    this.starts = [0];
    for (const c of components) this.starts.push(this.starts[this.starts.length - 1] + c.length);
    const couplings: number[] = [];
    const starts = [0];
    for (const c of components)
      for (const i of c) {
        for (let j = 0; j < n; j++) if (pattern[i * n + j] && !c.includes(j)) couplings.push(i * n + j);
        starts.push(couplings.length);
      }
    this.couplings = Int32Array.from(couplings);
    this.couplingStarts = Int32Array.from(starts);
    couplings.forEach((at, k) => {
      this.columns[k] = at % n;
    });
    const square = () => components.map((c) => new Float64Array(c.length * c.length));
    const vectors = () => components.map((c) => new Float64Array(c.length));
    this.real = square();
    this.re = square();
    this.im = square();
    this.pivot = components.map((c) => new Int32Array(c.length));
    this.pivots = components.map((c) => new Int32Array(c.length));
    this.b = vectors();
    this.c = vectors();
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
