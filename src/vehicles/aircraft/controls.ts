import type { Control } from "../../model/model.ts";
import type { AircraftParameters } from "./parameters.ts";

/** Rotors and servos. Where wings carry it, rotors that point upward are for hovering. */
export function aircraftControls(p: AircraftParameters): Control[] {
  const hasWings = Object.keys(p.surfaces ?? {}).length > 0;
  const rotors = Object.entries(p.rotors ?? {}).map(
    ([k, rotor]): Control => ({
      name: `rotor_${k}`,
      inputs: [`rotor_${k}_cmd`],
      min: 0,
      max: p.battery ? 1 : rotor.maxRotVelocity,
      neutral: 0,
      isSquare: true,
      isForHover: hasWings && rotor.axis.z < -0.7,
    }),
  );
  const servos = Object.entries(p.servos ?? {}).map(
    ([k, { min, max }]): Control => ({
      name: `servo_${k}`,
      inputs: [`servo_${k}_cmd`],
      min,
      max,
      neutral: Math.max(min, Math.min(max, 0)),
    }),
  );
  return [...rotors, ...servos];
}

/** Of the surface that is nearest to its stall; `places` are those of their outputs, of which the seventh is the angle of attack. */
export function stallMargin(p: AircraftParameters, y: Float64Array, places: Int32Array): number {
  return Math.min(...p.surfaceList.map((s, k) => s.alpha_stall - Math.abs(y[places[k] + 6])));
}
