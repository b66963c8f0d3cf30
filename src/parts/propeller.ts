/**
 * Propeller data: C_T and C_P over the advance ratio J = v/(n D), from wind tunnel tables (UIUC).
 * T = C_T rho n^2 D^4, Q = C_P rho n^2 D^5 / 2 pi.
 */
import { hermite, resample } from "../math/pchip.ts";
import { type Field, list } from "../model/field.ts";

/** Knots of the uniform grid that the equations read. */
const KNOTS = 41;

/** A propeller with a table of so many rows. */
export const propellerParameters = (rows: number): readonly Field[] => [
  { name: "propeller.diameter", unit: "m", meaning: "propeller diameter", above: 0 },
  ...list("propeller.J", rows, { unit: "1", meaning: "advance ratio", min: 0, increasing: true }),
  ...list("propeller.CT", rows, { unit: "1", meaning: "thrust coefficient at each J" }),
  ...list("propeller.CP", rows, { unit: "1", meaning: "power coefficient at each J" }),
  {
    name: "propeller.extrapolation",
    unit: "1",
    meaning: "beyond the table's last J: straight on, or its last values",
    choices: { linear: 0, hold: 1 },
    default: 0,
  },
];

export interface PropellerParameters {
  diameter: number;
  J: Record<number, number>;
  CT: Record<number, number>;
  CP: Record<number, number>;
  extrapolation: number;
  /** Derived: ends of the table and the resampled curves. */
  first: number;
  last: number;
  tableCT: Float64Array;
  tableCP: Float64Array;
}

export function derivePropeller(p: PropellerParameters): void {
  const J = Object.values(p.J);
  p.first = J[0];
  p.last = J[J.length - 1];
  p.tableCT = resample(J, Object.values(p.CT), KNOTS);
  p.tableCP = resample(J, Object.values(p.CP), KNOTS);
}

/** A resampled curve at J; below the table its first value, beyond it as declared. */
export function coefficient(p: PropellerParameters, table: Float64Array, J: number): number {
  const width = (p.last - p.first) / (KNOTS - 1);
  const end = 2 * KNOTS - 2;
  if (J >= p.last) return table[end] + (p.extrapolation === 0 ? table[end + 1] * (J - p.last) : 0);
  if (!(J > p.first)) return table[0];
  const at = (J - p.first) / width;
  const k = Math.floor(at) < KNOTS - 1 ? Math.floor(at) : KNOTS - 2;
  return hermite(at - k, width, table[2 * k], table[2 * k + 2], table[2 * k + 1], table[2 * k + 3]);
}
