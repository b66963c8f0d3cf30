/** Where a vehicle is along a centre line. It looks near its last place, because a line may cross itself. */
import { cos, sin } from "../../math/elementary.ts";
import type { CenterLine } from "./track.ts";

/** How far ahead and behind it looks [m]. */
const AHEAD = 8;
const BEHIND = 4;

export class Progress {
  private readonly line: CenterLine;
  /** Number of the nearest point; -1 before the first look. */
  readonly memory = new Float64Array(1).fill(-1);
  /** Distance along the line, distance to its left, both of the last look. */
  s = 0;
  offset = 0;
  /** The line's direction there. */
  phi = 0;

  constructor(line: CenterLine) {
    this.line = line;
  }

  get index(): number {
    return this.memory[0];
  }

  forget(): void {
    this.memory[0] = -1;
  }

  look(x: number, y: number): void {
    const { line, memory } = this;
    const n = line.s.length;
    const spacing = line.length / n;
    const isNew = memory[0] < 0;
    const from = isNew ? 0 : memory[0] - Math.ceil(BEHIND / spacing);
    const to = isNew ? n - 1 : memory[0] + Math.ceil(AHEAD / spacing);
    let best = Number.POSITIVE_INFINITY;
    for (let k = from; k <= to; k++) {
      const i = line.isClosed ? ((k % n) + n) % n : k;
      if (i < 0 || i >= n) continue;
      const dx = x - line.X[i];
      const dy = y - line.Y[i];
      const d = dx * dx + dy * dy;
      if (d < best) {
        best = d;
        memory[0] = i;
      }
    }
    const i = memory[0];
    const along = this.alongFrom(i, x, y);
    this.offset = this.offsetOf(x, y);
    this.phi = line.phi[i] + line.kappa[i] * along;
    this.s = line.isClosed ? (line.s[i] + along + line.length) % line.length : line.s[i] + along;
  }

  /** Distance to the left of the line of another point near the last place. */
  offsetOf(x: number, y: number): number {
    const { line } = this;
    const i = this.memory[0];
    return (y - line.Y[i]) * cos(line.phi[i]) - (x - line.X[i]) * sin(line.phi[i]);
  }

  private alongFrom(i: number, x: number, y: number): number {
    const { line } = this;
    return (x - line.X[i]) * cos(line.phi[i]) + (y - line.Y[i]) * sin(line.phi[i]);
  }
}

/** Value of a column at a distance along the line, between its points. */
export function valueAt(line: CenterLine, column: Float64Array, s: number): number {
  const { length, isClosed } = line;
  const n = line.s.length;
  const d = isClosed ? ((s % length) + length) % length : Math.max(0, Math.min(s, length));
  let low = 0;
  let high = n - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (line.s[middle] <= d) low = middle;
    else high = middle - 1;
  }
  const next = low + 1 < n ? low + 1 : isClosed ? 0 : low;
  if (next === low) return column[low];
  const end = next === 0 ? length : line.s[next];
  return column[low] + ((column[next] - column[low]) * (d - line.s[low])) / (end - line.s[low]);
}
