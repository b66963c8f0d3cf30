import type { Control, Model } from "../../model/model.ts";
import type { AircraftOutputs } from "./outputs.ts";
import type { AircraftParameters } from "./parameters.ts";

/** Rotors and servos. Where wings carry it, rotors that point upward are for hovering. */
function aircraftControls(p: AircraftParameters): Control[] {
  const hasWings = Object.keys(p.surfaces ?? {}).length > 0;
  const rotors = Object.entries(p.rotors ?? {}).map(
    ([k, rotor]): Control => ({
      name: `rotor_${k}`,
      inputs: [`rotor_${k}_cmd`],
      min: 0,
      max: p.battery ? 1 : rotor.maxRotVelocity,
      limits: p.battery ? {} : { max: `rotors.${k}.maxRotVelocity` },
      neutral: 0,
      isPropulsion: true,
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
      limits: { min: `servos.${k}.min`, max: `servos.${k}.max` },
      neutral: Math.max(min, Math.min(max, 0)),
    }),
  );
  return [...rotors, ...servos];
}

/** How it is held in steady flight; with so many lifting surfaces. */
export function aircraftHandling(
  surfaces: number,
  outputs: AircraftOutputs,
): Pick<Model<AircraftParameters>, "controls" | "coordination" | "stallMargin"> {
  if (surfaces === 0) return { controls: aircraftControls, coordination: () => "sideslip" };
  return {
    controls: aircraftControls,
    coordination: () => "side force",
    // Of the surface nearest to its stall; the seventh of its outputs is its angle of attack.
    stallMargin: (_x, p, y) =>
      Math.min(...p.surfaceList.map((s, k) => s.alpha_stall - Math.abs(y[outputs.surfaces[k] + 6]))),
  };
}
