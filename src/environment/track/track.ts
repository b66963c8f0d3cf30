/** A track: its centre line point by point, cones, and the gate where laps are timed. */

import { splineCurvatures, splinePiece } from "../../math/cubic-spline.ts";
import { atan2, cos, sin } from "../../math/elementary.ts";
import { InputError } from "../../model/input-error.ts";

export type ConeColor = "blue" | "yellow" | "orange";
/** Blue stands on the left, yellow on the right, orange at the gate. */
export interface Cone {
  readonly color: ConeColor;
  readonly X: number;
  readonly Y: number;
}

/** A line across the track, from its left end to its right end as one drives. */
export interface Gate {
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
}

/** The centre line: distance along it, place, direction, curvature (left positive) and half width, point by point. */
export interface CenterLine {
  readonly s: Float64Array;
  readonly X: Float64Array;
  readonly Y: Float64Array;
  readonly phi: Float64Array;
  readonly kappa: Float64Array;
  readonly w: Float64Array;
  readonly isClosed: boolean;
  /** From the first point to the last, or once round. */
  readonly length: number;
}

/** A track: centre line, cones, gates of start and finish. */
export interface Track {
  readonly name: string;
  readonly line: CenterLine;
  readonly cones: readonly Cone[];
  readonly start: Gate;
  /** Where a run ends that does not come back to its start. */
  readonly finish?: Gate;
  /** Laps that belong to it. */
  readonly laps?: number;
  /** How far behind the start the car's front end waits [m]; unless given, the car stands on the line's first point. */
  readonly staging?: number;
}

/** Distance behind which no end counts as having come back to its beginning, in spacings of the points. */
const MOST_GAP = 3;

/** The line through points, by a cubic spline; a closed one may repeat its first point at its end. */
export function centerLine(
  X: ArrayLike<number>,
  Y: ArrayLike<number>,
  w: ArrayLike<number>,
  isClosed: boolean,
): CenterLine {
  const distance = (i: number, j: number) => {
    const dx = X[j] - X[i];
    const dy = Y[j] - Y[i];
    return Math.sqrt(dx * dx + dy * dy);
  };
  let n = X.length;
  if (isClosed && n > 1 && distance(n - 1, 0) < 1e-6) n--;
  if (n < 4)
    throw new InputError(`${n} points are too few for a track`, { allowed: "at least 4 different points" });
  const chords = Float64Array.from({ length: isClosed ? n : n - 1 }, (_, i) => distance(i, (i + 1) % n));
  chords.forEach((d, i) => {
    if (!(d > 1e-9))
      throw new InputError(`point ${i + 2} is point ${i + 1} again, at (${X[i]}, ${Y[i]})`, {
        allowed: "points that differ",
      });
  });
  const typical = Float64Array.from(chords).sort()[chords.length >> 1];
  if (isClosed && n > 8 && chords[n - 1] > MOST_GAP * typical)
    throw new InputError(
      `the track does not close: its end is ${chords[n - 1].toFixed(2)} m from its beginning, and its points are ` +
        `${typical.toFixed(2)} m apart`,
      { allowed: "a last point that meets the first, or closed: false" },
    );
  const pieces = chords.length;
  const t = new Float64Array(pieces + 1);
  for (let i = 0; i < pieces; i++) t[i + 1] = t[i] + chords[i];
  const at = (v: ArrayLike<number>) => Float64Array.from(t, (_, i) => v[i % n]);
  const [x, y] = [at(X), at(Y)];
  const [mx, my] = [splineCurvatures(t, x, isClosed), splineCurvatures(t, y, isClosed)];
  const [s, phi, kappa] = [new Float64Array(pieces + 1), new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i <= pieces; i++) {
    const k = Math.min(i, pieces - 1);
    const h = chords[k];
    const piece = (u: number) => {
      const [, dx, ddx] = splinePiece(u, h, x[k], x[k + 1], mx[k], mx[k + 1]);
      const [, dy, ddy] = splinePiece(u, h, y[k], y[k + 1], my[k], my[k + 1]);
      return { dx, dy, ddx, ddy, speed: Math.sqrt(dx * dx + dy * dy) };
    };
    if (i < n) {
      const { dx, dy, ddx, ddy, speed } = piece(i === k ? 0 : h);
      phi[i] = atan2(dy, dx);
      kappa[i] = (dx * ddy - dy * ddx) / (speed * speed * speed);
    }
    // Arc length by Simpson's rule.
    if (i < pieces) s[i + 1] = s[i] + ((piece(0).speed + 4 * piece(h / 2).speed + piece(h).speed) * h) / 6;
  }
  return {
    s: s.slice(0, n),
    X: x.slice(0, n),
    Y: y.slice(0, n),
    phi,
    kappa,
    w: Float64Array.from({ length: n }, (_, i) => w[i]),
    isClosed,
    length: s[pieces],
  };
}

/** Points every so many metres along a line, on its spline. */
export function resampled(line: CenterLine, spacing: number): CenterLine {
  const { s, X, Y, w, isClosed, length } = line;
  const n = s.length;
  const pieces = isClosed ? n : n - 1;
  const t = Float64Array.from({ length: pieces + 1 }, (_, i) => (i < n ? s[i] : length));
  const knots = (v: Float64Array) => Float64Array.from(t, (_, i) => v[i % n]);
  const [x, y, width] = [knots(X), knots(Y), knots(w)];
  const [mx, my] = [splineCurvatures(t, x, isClosed), splineCurvatures(t, y, isClosed)];
  const count = Math.round(length / spacing);
  const at = Array.from({ length: isClosed ? count : count + 1 }, (_, i) => (i * length) / count);
  let k = 0;
  const points = at.map((d) => {
    while (k + 1 < pieces && t[k + 1] <= d) k++;
    const h = t[k + 1] - t[k];
    const u = d - t[k];
    const [px] = splinePiece(u, h, x[k], x[k + 1], mx[k], mx[k + 1]);
    const [py] = splinePiece(u, h, y[k], y[k + 1], my[k], my[k + 1]);
    return [px, py, width[k] + ((width[k + 1] - width[k]) * u) / h];
  });
  const column = (j: number) => points.map((p) => p[j]);
  return centerLine(column(0), column(1), column(2), isClosed);
}

/** A gate across the line at the point nearest to the distance s. */
export function gateAt(line: CenterLine, s: number): Gate {
  let i = 0;
  while (i + 1 < line.s.length && line.s[i + 1] <= s) i++;
  const across = [-sin(line.phi[i]) * line.w[i], cos(line.phi[i]) * line.w[i]];
  const ahead = s - line.s[i];
  const x = line.X[i] + ahead * cos(line.phi[i]);
  const y = line.Y[i] + ahead * sin(line.phi[i]);
  return { left: [x + across[0], y + across[1]], right: [x - across[0], y - across[1]] };
}

/** Cones along both edges, so many metres apart. */
export function edgeCones(line: CenterLine, spacing: number): Cone[] {
  const { s, X, Y, phi, w, length } = line;
  const cones: Cone[] = [];
  const count = Math.round(length / spacing);
  let i = 0;
  for (let k = 0; k < count + (line.isClosed ? 0 : 1); k++) {
    while (i + 1 < s.length && s[i + 1] <= (k * length) / count + 1e-9) i++;
    const [nx, ny] = [-sin(phi[i]) * w[i], cos(phi[i]) * w[i]];
    cones.push(
      { color: "blue", X: X[i] + nx, Y: Y[i] + ny },
      { color: "yellow", X: X[i] - nx, Y: Y[i] - ny },
    );
  }
  return cones;
}
