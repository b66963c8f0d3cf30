/** The instruments under the picture: what a pilot or driver looks at. */
import { channel, useShown } from "../studio.ts";
import { STUDIO_TYPES } from "../vehicle-types.tsx";
import { drivingInstruments } from "./driving.tsx";
import { flightInstruments } from "./flight.tsx";
import { isPlane, type Reading } from "./instruments.ts";

const valueText = ({ value, digits }: Reading) =>
  Number.isFinite(value)
    ? value
        .toFixed(digits)
        .replace(/^-(0\.?0*)$/, "$1")
        .replace("-", "−")
    : "–";

/** A stick as a bar: from its rest, or from its lower end where that is its rest. */
function StickBar({
  springs,
  name,
  min,
  max,
  rest,
  value,
}: {
  name: string;
  min: number;
  max: number;
  rest: number;
  value: number;
  springs: boolean;
}) {
  const part = (v: number) => (100 * (v - min)) / (max - min || 1);
  const from = springs ? rest : min;
  const [a, b] = [part(Math.min(from, value)), part(Math.max(from, value))];
  const label = name.replace(/_/g, " ");
  return (
    <div>
      <span class="dim">{label}</span>
      <div
        class="track"
        role="meter"
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={min}
        aria-valuemax={max}
      >
        <i style={{ left: `${a}%`, width: `${Math.max(1.5, b - a)}%` }} />
      </div>
    </div>
  );
}

export function Dash() {
  const info = useShown((s) => s.info);
  // Ten times a second for what is read; dials draw themselves in every frame.
  const frame = useShown((s) => s.frame && { ...s.frame, row: s.examined ?? s.frame.row }, 100);
  if (!info || !frame) return null;
  const { readings, Dials } =
    STUDIO_TYPES[info.model]?.instruments ?? (isPlane(info) ? drivingInstruments : flightInstruments);
  const known = readings((name) => channel(info, frame, name));
  return (
    <div class="over dash" role="group" aria-label="instruments">
      <Dials info={info} />
      <div class="read">
        {known.map((r) => (
          <div key={r.name}>
            <span>
              {r.name} [{r.unit}]
            </span>
            <b data-reading={r.name}>{valueText(r)}</b>
          </div>
        ))}
      </div>
      <div class="bars" role="group" aria-label="controls">
        {info.sticks.slice(0, 6).map((s, i) => (
          <StickBar key={s.name} {...s} value={frame.sticks[i]} />
        ))}
      </div>
    </div>
  );
}

/** Where the wind goes, seen from above with north up, and where it comes from in words. */
export function WindRose() {
  const info = useShown((s) => s.info);
  const frame = useShown((s) => s.frame, 100);
  const n = channel(info, frame, "wind_north");
  const e = channel(info, frame, "wind_east");
  const d = channel(info, frame, "wind_down");
  if (!Number.isFinite(n)) return null;
  const speed = Math.hypot(n, e);
  const to = (Math.atan2(e, n) * 180) / Math.PI;
  const from = Math.round((to + 540) % 360);
  return (
    <div style={{ textAlign: "center", alignSelf: "stretch" }}>
      <svg
        width="54"
        height="54"
        viewBox="-27 -27 54 54"
        role="img"
        aria-label={`wind from ${from} degrees with ${speed.toFixed(1)} metres per second`}
      >
        <circle r="25" fill="none" stroke="var(--line)" />
        <text y="-15" text-anchor="middle" font-size="9" fill="var(--dim)">
          N
        </text>
        {speed > 0.05 && (
          <path
            d="M0 17 V-13 M-6 -5 L0 -14 L6 -5"
            transform={`rotate(${to})`}
            stroke="#8ec7ff"
            stroke-width="3"
            fill="none"
          />
        )}
      </svg>
      <div class="small number">
        {speed > 0.05 ? `wind ${speed.toFixed(1)} m/s from ${String(from).padStart(3, "0")}°` : "no wind"}
        {Math.abs(d) > 0.05 ? `, ${d < 0 ? "up" : "down"} ${Math.abs(d).toFixed(1)}` : ""}
      </div>
    </div>
  );
}
