/** Instruments of what drives: accelerations in g, wheel loads, slip. */
import { useEffect, useRef } from "preact/hooks";
import { studio } from "../studio.ts";
import { weightOf } from "../view/view.ts";
import { drawAccelerations, drawLoads } from "./draw.ts";
import { everyFrame, type Instruments } from "./instruments.ts";

const G = 9.81;
const WHEELS = ["FL", "FR", "RL", "RR"];
/** Points of the acceleration's tail. */
const TAIL = 60;
/** Slower than this a sideslip angle says nothing [m/s]. */
const WALKING = 0.5;
const degrees = (v: number) => (v * 180) / Math.PI;

export const drivingInstruments: Instruments = {
  readings: (get) => [
    { name: "speed", value: 3.6 * get("speed"), unit: "km/h", digits: 0 },
    { name: "along", value: get("a_x") / G, unit: "g", digits: 2 },
    { name: "across", value: get("a_y") / G, unit: "g", digits: 2 },
    {
      name: "sideslip",
      value: get("speed") < WALKING ? Number.NaN : degrees(get("beta")),
      unit: "°",
      digits: 1,
    },
    { name: "steering", value: degrees(get("delta")), unit: "°", digits: 1 },
    { name: "yaw rate", value: degrees(get("omega")), unit: "°/s", digits: 0 },
    { name: "understeer", value: degrees(get("understeer")), unit: "°", digits: 1 },
    // Only on a track.
    ...(Number.isFinite(get("lap_time"))
      ? [{ name: "lap time", value: get("lap_time"), unit: "s", digits: 1 }]
      : []),
  ],
  Dials({ info }) {
    const accelerations = useRef<HTMLCanvasElement>(null);
    const loads = useRef<HTMLCanvasElement>(null);
    useEffect(() => {
      const tail: [number, number][] = [];
      return everyFrame(() => {
        const { samples, shown } = studio;
        if (!samples || !shown.info) return;
        const { get } = samples;
        tail.push([get("a_x"), get("a_y")]);
        if (tail.length > TAIL) tail.shift();
        if (accelerations.current) drawAccelerations(accelerations.current, tail, G);
        const weight = weightOf(shown.info, shown.values ?? shown.info.values);
        if (loads.current)
          drawLoads(
            loads.current,
            WHEELS.map((w) => get(`F_z_${w}`)),
            weight / WHEELS.length,
          );
      });
    }, [info.name]);
    return (
      <>
        <canvas
          ref={accelerations}
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
    );
  },
};
