/** The map of all steady motion; a click flies there. */
import type { EnvelopeStudy, SteadyPoint } from "../../src/session/study.ts";
import { flyFrom, readable, Studied, useStudy } from "./study.tsx";

export function Envelope() {
  const asked = useStudy<"envelope">({ study: "envelope" }, "");
  return (
    <>
      <p class="dim small">
        Steady motion, coloured by control margin (or by margin to the stall angle): bright is large; crosses
        mark stall. Click a cell to fly there.
      </p>
      <Studied asked={asked}>{(answer) => <Cells {...answer} />}</Studied>
    </>
  );
}

const [W, H, LEFT, DOWN] = [350, 290, 44, 34];

/** Lightness grows with the margin, so the map is readable without colours. */
const shade = (margin: number) => `hsl(${195 - 60 * margin} 65% ${26 + 46 * Math.min(1, 2 * margin)}%)`;

function Cells({ axes: [x, y], cells, named }: EnvelopeStudy) {
  const [nx, ny] = [x.values.length, y.values.length];
  const [w, h] = [(W - LEFT - 4) / nx, (H - DOWN - 4) / ny];
  return (
    <>
      <svg
        viewBox={`0 0 ${W} ${H}`}
        width="100%"
        style={{ font: "10px system-ui" }}
        role="img"
        aria-label={`steady motion over ${x.name} and ${y.name}`}
      >
        {cells.map((cell, i) => {
          const [cx, cy] = [i % nx, Math.floor(i / nx)];
          const [px, py] = [LEFT + cx * w, 4 + (ny - 1 - cy) * h];
          return cell ? (
            <Field
              key={`${cx} ${cy}`}
              cell={cell}
              x={px}
              y={py}
              w={w}
              h={h}
              label={`${x.name} ${readable(x.values[cx], x.unit)}, ${y.name} ${readable(y.values[cy], y.unit)}`}
            />
          ) : null;
        })}
        <path d={`M${LEFT} 4V${H - DOWN}H${W - 4}`} stroke="var(--dim)" fill="none" />
        {[0, nx - 1].map((i) => (
          <text
            key={i}
            x={LEFT + (i + 0.5) * w}
            y={H - DOWN + 13}
            text-anchor={i ? "end" : "start"}
            fill="var(--dim)"
          >
            {readable(x.values[i], x.unit)}
          </text>
        ))}
        {[0, ny - 1].map((j) => (
          <text key={j} x={LEFT - 4} y={4 + (ny - 0.35 - j) * h} text-anchor="end" fill="var(--dim)">
            {readable(y.values[j], y.unit)}
          </text>
        ))}
        <text x={(W + LEFT) / 2} y={H - 4} text-anchor="middle" fill="var(--text)">
          {x.name} →, {y.name} ↑
        </text>
      </svg>
      <table class="data">
        <tbody>
          {named.map(({ name, value, unit, at }) => (
            <tr
              key={name}
              class="click"
              tabIndex={0}
              onClick={() => flyFrom(at)}
              onKeyDown={(event) => event.key === "Enter" && flyFrom(at)}
            >
              <td>{name}</td>
              <td>{readable(value, unit)}</td>
              <td class="dim">
                at {readable(at.values[0], x.unit)}, {readable(at.values[1], y.unit)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Control margin, or where no control is free, margin to the stall angle. */
const leftOf = ({ margin, numbers }: SteadyPoint) =>
  margin ?? Math.max(0, Math.min(1, (numbers.stall_margin ?? 0.2) / 0.4));

interface FieldProps {
  readonly cell: SteadyPoint;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly label: string;
}
function Field({ cell, x, y, w, h, label }: FieldProps) {
  const isStalled = (cell.numbers.stall_margin ?? 1) < 0;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table below has the named ones for keys
    <g style={{ cursor: "pointer" }} onClick={() => flyFrom(cell)} data-cell="steady">
      <rect x={x} y={y} width={w - 1} height={h - 1} fill={shade(leftOf(cell))}>
        <title>{`${label}: ${cell.margin === undefined ? "" : `${Math.round(100 * cell.margin)} % control margin`}${isStalled ? ", stalled" : ""}. Click to fly here`}</title>
      </rect>
      {isStalled && (
        <path d={`M${x + 3} ${y + 3}l${w - 7} ${h - 7}m0 ${7 - h}l${7 - w} ${h - 7}`} stroke="#111" />
      )}
    </g>
  );
}
