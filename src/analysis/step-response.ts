/** What a linear model does after a step of a control. */
import type { Panel, Series } from "../formats/svg-chart.ts";
import type { Field } from "../model/field.ts";
import type { LinearModel } from "./linearize.ts";
import { modesOf } from "./modes.ts";

const POINTS = 240;
/** How large a step is drawn, by the control's unit. */
const STEPS: Readonly<Record<string, number>> = { rad: Math.PI / 180, "rad/s": 10, "N m": 10, "1": 0.1 };

/** c' = A c + b exactly, by scaling and squaring of the exponential, sampled evenly. */
export function stepResponse(
  { states, inputs, A, B }: LinearModel,
  input: number,
  dt: number,
  count: number,
): Float64Array[] {
  const n = states.length;
  const m = n + 1;
  // The input as one more state that never changes.
  const M = new Float64Array(m * m);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) M[i * m + j] = A[i * n + j] * dt;
    M[i * m + n] = B[i * inputs.length + input] * dt;
  }
  const E = exponential(M, m);
  const rows: Float64Array[] = [];
  let c = new Float64Array(m);
  c[n] = 1;
  for (let k = 0; k < count; k++) {
    rows.push(c.slice(0, n));
    const from = c;
    c = Float64Array.from({ length: m }, (_, i) => {
      let sum = 0;
      for (let j = 0; j < m; j++) sum += E[i * m + j] * from[j];
      return sum;
    });
  }
  return rows;
}

/** Of a small matrix: Taylor's series of a part that is small, squared up again. */
export function exponential(M: Float64Array, n: number): Float64Array {
  let norm = 0;
  for (let i = 0; i < n; i++) {
    let row = 0;
    for (let j = 0; j < n; j++) row += Math.abs(M[i * n + j]);
    norm = Math.max(norm, row);
  }
  let squarings = 0;
  for (let size = norm; size > 0.25; size /= 2) squarings++;
  let scale = 1;
  for (let k = 0; k < squarings; k++) scale /= 2;
  const small = M.map((v) => v * scale);
  let term: Float64Array = Float64Array.from(M, (_, k) => (k % (n + 1) === 0 ? 1 : 0));
  let E: Float64Array = term.slice();
  for (let k = 1; k <= 14; k++) {
    term = product(term, small, n).map((v) => v / k);
    E = E.map((v, i) => v + term[i]);
  }
  for (let k = 0; k < squarings; k++) E = product(E, E, n);
  return E;
}

function product(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++) {
      const v = a[i * n + k];
      if (v !== 0) for (let j = 0; j < n; j++) c[i * n + j] += v * b[k * n + j];
    }
  return c;
}

/** One panel per control: the states that move most, in units of their own. */
export function stepPanels(linear: LinearModel): Panel[] {
  const { states, inputs } = linear;
  const span = spanOf(linear);
  const dt = span / (POINTS - 1);
  const t = Float64Array.from({ length: POINTS }, (_, k) => k * dt);
  return inputs.map((input, i) => {
    const step = STEPS[input.unit] ?? 1;
    const rows = stepResponse(linear, i, dt, POINTS);
    const moved = states.map((f, j) => ({
      f,
      y: Float64Array.from(rows, (row) => row[j] * step * unitOf(f)),
    }));
    const size = (y: Float64Array) => y.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
    const shown = moved
      .filter(({ f, y }) => f.kind !== "actuator" && size(y) > 0)
      .sort((a, b) => size(b.y) - size(a.y))
      .slice(0, 5);
    const series: Series[] = shown.map(({ f, y }) => ({
      name: `${f.name} [${f.unit.replace("rad", "deg")}]`,
      x: t,
      y,
    }));
    const unit = input.unit === "1" ? "" : ` ${input.unit === "rad" ? "deg" : input.unit}`;
    return {
      title: `${input.name} + ${input.unit === "rad" ? 1 : step}${unit}`,
      xLabel: "t [s]",
      yLabel: "deviation",
      series,
    };
  });
}

const unitOf = (f: Field) => (f.unit === "rad" || f.unit === "rad/s" ? 180 / Math.PI : 1);

/** Long enough for the slower motions, short enough for those that grow. */
function spanOf(linear: LinearModel): number {
  const times = modesOf(linear, true)
    .filter((m) => m.frequency > 1e-3)
    .map((m) => (m.double !== undefined ? 3 * m.double : Math.min(3 * (m.half ?? 0), 4 * (m.period ?? 1e9))));
  return Math.max(0.5, Math.min(8, ...(times.length > 0 ? [Math.max(...times)] : [10])));
}
