/** The instruments under the picture: what a pilot or driver looks at. */
import { useEffect, useRef } from "preact/hooks";
import type { Frame, SessionInfo } from "../../src/session/protocol.ts";
import { channel, studio, useShown } from "../studio.ts";
import { weightOf } from "../view/view.ts";
import { drawAccelerations, drawAttitude, drawLoads } from "./draw.ts";

const degrees = (v: number) => (v * 180) / Math.PI;

interface Reading {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly digits: number;
}

/** Flow past a body: angle of attack and sideslip, from its velocity through the air. */
function flowOf(get: (name: string) => number): { alpha: number; beta: number } {
  const [w, x, y, z] = [get("q_w"), get("q_x"), get("q_y"), get("q_z")];
  const n = get("v_north") - (get("wind_north") || 0);
  const e = get("v_east") - (get("wind_east") || 0);
  const d = get("v_down") - (get("wind_down") || 0);
  const u = (1 - 2 * (y * y + z * z)) * n + 2 * (x * y + w * z) * e + 2 * (x * z - w * y) * d;
  const v = 2 * (x * y - w * z) * n + (1 - 2 * (x * x + z * z)) * e + 2 * (y * z + w * x) * d;
  const q = 2 * (x * z + w * y) * n + 2 * (y * z - w * x) * e + (1 - 2 * (x * x + y * y)) * d;
  const V = Math.hypot(u, v, q);
  return V < 1
    ? { alpha: Number.NaN, beta: Number.NaN }
    : { alpha: Math.atan2(q, u), beta: Math.asin(v / V) };
}

function readings(info: SessionInfo, frame: Frame): Reading[] {
  const get = (name: string) => channel(info, frame, name);
  if (info.model === "car")
    return [
      { name: "speed", value: 3.6 * get("speed"), unit: "km/h", digits: 0 },
      { name: "along", value: get("a_x") / 9.81, unit: "g", digits: 2 },
      { name: "across", value: get("a_y") / 9.81, unit: "g", digits: 2 },
      {
        name: "sideslip",
        value: get("speed") < 0.5 ? Number.NaN : degrees(get("beta")),
        unit: "°",
        digits: 1,
      },
      { name: "steering", value: degrees(get("delta")), unit: "°", digits: 1 },
      { name: "yaw rate", value: degrees(get("omega")), unit: "°/s", digits: 0 },
      { name: "understeer", value: degrees(get("understeer")), unit: "°", digits: 1 },
      { name: "lap time", value: get("lap_time"), unit: "s", digits: 1 },
    ];
  const { alpha, beta } = flowOf(get);
  return [
    { name: "airspeed", value: get("airspeed"), unit: "m/s", digits: 1 },
    { name: "altitude", value: get("altitude"), unit: "m", digits: 1 },
    { name: "vertical speed", value: -get("v_down"), unit: "m/s", digits: 1 },
    { name: "over ground", value: get("horizontal_speed"), unit: "m/s", digits: 1 },
    { name: "angle of attack", value: degrees(alpha), unit: "°", digits: 1 },
    { name: "sideslip", value: degrees(beta), unit: "°", digits: 1 },
    { name: "bank", value: degrees(get("roll")), unit: "°", digits: 0 },
    { name: "pitch", value: degrees(get("pitch")), unit: "°", digits: 0 },
  ];
}

const told = ({ value, digits }: Reading) =>
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
  const attitude = useRef<HTMLCanvasElement>(null);
  const forces = useRef<HTMLCanvasElement>(null);
  const loads = useRef<HTMLCanvasElement>(null);
  // Ten times a second for what is read, every frame for what is looked at.
  const frame = useShown((s) => s.frame && { ...s.frame, row: s.examined ?? s.frame.row }, 100);
  const tail = useRef<[number, number][]>([]);
  useEffect(() => {
    tail.current = [];
    let frame = 0;
    const draw = () => {
      frame = requestAnimationFrame(draw);
      const { samples, shown } = studio;
      if (!samples || !shown.info) return;
      const { get } = samples;
      if (shown.info.model === "car") {
        tail.current.push([get("a_x"), get("a_y")]);
        if (tail.current.length > 60) tail.current.shift();
        if (forces.current) drawAccelerations(forces.current, tail.current, 9.81);
        const weight = weightOf(shown.info, shown.values ?? shown.info.values);
        if (loads.current)
          drawLoads(
            loads.current,
            ["FL", "FR", "RL", "RR"].map((w) => get(`F_z_${w}`)),
            weight / 4,
          );
      } else if (attitude.current) drawAttitude(attitude.current, get("roll"), get("pitch"), get("yaw"));
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [info?.name]);
  if (!info || !frame) return null;
  const isCar = info.model === "car";
  return (
    <div class="over dash" role="group" aria-label="instruments">
      {isCar ? (
        <>
          <canvas
            ref={forces}
            style={{ width: "104px", height: "104px" }}
            aria-label="accelerations in g"
            role="img"
          />
          <canvas
            ref={loads}
            style={{ width: "96px", height: "104px" }}
            title="wheel loads [N]"
            aria-label="wheel loads in newton"
            role="img"
          />
        </>
      ) : (
        <canvas
          ref={attitude}
          style={{ width: "104px", height: "104px" }}
          aria-label="attitude indicator"
          role="img"
        />
      )}
      <div class="read">
        {readings(info, frame)
          .filter((r) => r.name !== "lap time" || Number.isFinite(r.value))
          .map((r) => (
            <div key={r.name}>
              <span>
                {r.name} [{r.unit}]
              </span>
              <b data-reading={r.name}>{told(r)}</b>
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
