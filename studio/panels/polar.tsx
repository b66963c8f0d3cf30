/** Steady motion over one control or condition; a click starts a flight there. */
import { useState } from "preact/hooks";
import type { PolarStudy, SteadyPoint } from "../../src/session/study.ts";
import { flyFrom, readable, Studied, useStudy } from "./study.tsx";

export function Polar() {
  const [over, setOver] = useState<string>();
  const asked = useStudy<"polar">({ study: "polar", over }, over ?? "");
  return (
    <>
      <p class="dim small">Every row is a steady motion. Click a point or a row to fly there.</p>
      {asked.answer && (
        <label class="field">
          <span>over</span>
          <select
            aria-label="over"
            value={asked.answer.over}
            onChange={(event) => setOver(event.currentTarget.value)}
          >
            {asked.answer.choices.map((c) => (
              <option key={c}>{c}</option>
            ))}
          </select>
        </label>
      )}
      <Studied asked={asked}>{(answer) => <Rows {...answer} />}</Studied>
    </>
  );
}

/** Columns that fit beside each other. */
const MOST = 4;

function Rows({ over, unit, rows, columns: all }: PolarStudy) {
  if (rows.length === 0) return <p>No steady motion in this range; Trim shows why.</p>;
  const isVaried = (n: string) => {
    const values = rows.map((r) => r.numbers[n]);
    const most = Math.max(...values.map(Math.abs));
    return Math.max(...values) - Math.min(...values) > 1e-6 * Math.max(1e-3, most);
  };
  const columns = all.filter(({ name }) => name !== over && isVaried(name)).slice(0, MOST);
  return (
    <>
      {columns.slice(0, 2).map((c) => (
        <Curve key={c.name} rows={rows} {...c} over={over} overUnit={unit} />
      ))}
      <table class="data">
        <thead>
          <tr>
            <th>{over.replace(/brake_left\+brake_right/, "both brakes")}</th>
            {columns.map((c) => (
              <th key={c.name}>{c.name.replace(/_/g, " ")}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((r) => (
            <tr
              key={r.values[0]}
              class="click"
              tabIndex={0}
              onClick={() => flyFrom(r)}
              onKeyDown={(event) => event.key === "Enter" && flyFrom(r)}
            >
              <td>{readable(r.values[0], unit)}</td>
              {columns.map((c) => (
                <td key={c.name}>{readable(r.numbers[c.name], c.unit)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const [W, H, LEFT, DOWN] = [340, 150, 46, 26];

/** Values below rounding are shown as 0. */
const short = (v: number) => (Math.abs(v) < 1e-9 ? 0 : Number(v.toPrecision(3)));

interface CurveProps {
  readonly rows: readonly SteadyPoint[];
  readonly name: string;
  readonly unit: string;
  readonly over: string;
  readonly overUnit: string;
}

function Curve({ rows, name, unit, over, overUnit }: CurveProps) {
  const isAngle = unit.startsWith("rad");
  const ys = rows.map((r) => (isAngle ? (r.numbers[name] * 180) / Math.PI : r.numbers[name]));
  const xs = rows.map((r) => r.values[0]);
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  const px = (x: number) => LEFT + ((x - x0) / (x1 - x0 || 1)) * (W - LEFT - 8);
  const py = (y: number) => 8 + (1 - (y - y0) / (y1 - y0 || 1)) * (H - DOWN - 8);
  const line = rows.map((_, i) => `${i === 0 ? "M" : "L"}${px(xs[i])} ${py(ys[i])}`).join("");
  return (
    <svg
      viewBox={`0 0 ${W} ${H}`}
      width="100%"
      role="img"
      aria-label={`${name} over ${over}`}
      style={{ font: "10px system-ui" }}
    >
      <path d={`M${LEFT} 8V${H - DOWN}H${W - 8}`} stroke="var(--line)" fill="none" />
      <text x={LEFT - 4} y={14} text-anchor="end" fill="var(--dim)">
        {short(y1)}
      </text>
      <text x={LEFT - 4} y={H - DOWN} text-anchor="end" fill="var(--dim)">
        {short(y0)}
      </text>
      <text x={LEFT} y={H - 12} fill="var(--dim)">
        {readable(x0, overUnit)}
      </text>
      <text x={W - 8} y={H - 12} text-anchor="end" fill="var(--dim)">
        {readable(x1, overUnit)}
      </text>
      <text x={(W + LEFT) / 2} y={H - 2} text-anchor="middle" fill="var(--dim)">
        {over} → {name.replace(/_/g, " ")}
        {unit === "1" ? "" : ` [${isAngle ? unit.replace("rad", "°") : unit}]`}
      </text>
      <path d={line} stroke="#56b4e9" stroke-width="2" fill="none" />
      {rows.map((r, i) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the table below has the same for keys
        <circle
          key={r.values[0]}
          cx={px(xs[i])}
          cy={py(ys[i])}
          r="5"
          fill="var(--accent)"
          style={{ cursor: "pointer" }}
          onClick={() => flyFrom(r)}
        >
          <title>{`${readable(xs[i], overUnit)}: ${name} ${Number(ys[i].toPrecision(4))}. Click to fly here`}</title>
        </circle>
      ))}
    </svg>
  );
}
