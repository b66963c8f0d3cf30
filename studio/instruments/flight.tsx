/** Instruments of what flies: attitude, speeds, flow angles. */
import { useEffect, useRef } from "preact/hooks";
import { studio } from "../studio.ts";
import { drawAttitude } from "./draw.ts";
import { everyFrame, type Instruments } from "./instruments.ts";

const degrees = (v: number) => (v * 180) / Math.PI;

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

export const flightInstruments: Instruments = {
  readings(get) {
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
  },
  Dials() {
    const canvas = useRef<HTMLCanvasElement>(null);
    useEffect(
      () =>
        everyFrame(() => {
          const { samples, shown } = studio;
          if (!samples || !shown.info || !canvas.current) return;
          const { get } = samples;
          drawAttitude(canvas.current, get("roll"), get("pitch"), get("yaw"));
        }),
      [],
    );
    return (
      <canvas
        ref={canvas}
        style={{ width: "104px", height: "104px" }}
        aria-label="attitude indicator"
        role="img"
      />
    );
  },
};
