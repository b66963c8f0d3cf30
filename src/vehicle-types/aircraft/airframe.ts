/** Static figures of an airframe: maximum thrust of its rotors, and its neutral point. */

import { UnslavedActuators } from "../../analysis/unslaved.ts";
import { stillAir } from "../../environment/environment.ts";
import { cos, sin } from "../../math/elementary.ts";
import { indexOf } from "../../model/model.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import { DOWN, Q_W } from "../../vehicles/rigid-body.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import type { Figures, Quantity } from "../../vehicles/vehicle-type.ts";
import { aeroPolar, hasLift } from "./aero-polar.ts";

/** Static thrust of an airframe. */
export interface Thrust {
  /** All rotors at their strongest at rest, full battery, the vehicle's own air density: upward and forward [N]. */
  readonly up: number;
  readonly forward: number;
  /** The larger of them over the weight. */
  readonly toWeight: number;
}

/** Far above the ground. */
const ALOFT = -10_000;

type Aircraft = Vehicle<AircraftParameters>;

/** Thrust of all rotors at rest at their upper limits, or undefined where the aircraft has none. */
export function staticThrust({ model, parameters }: Aircraft): Thrust | undefined {
  const controls = (model.controls?.(parameters) ?? []).filter((c) => c.isPropulsion);
  if (controls.length === 0) return undefined;
  const x = new Float64Array(model.states.length);
  const u = Float64Array.from(model.inputs, (f) => f.default ?? 0);
  const e = stillAir(model);
  const [dx, y] = [new Float64Array(x.length), new Float64Array(model.outputs.length)];
  [x[DOWN], x[Q_W]] = [ALOFT, 1];
  for (const { inputs, max } of controls)
    for (const name of inputs) {
      u[indexOf(model.inputs, name)] = max;
      const state = model.states.findIndex((f) => f.follows === name);
      if (state >= 0) x[state] = max;
    }
  const actuators = new UnslavedActuators(model);
  actuators.begin(x);
  const rates = () => model.derivative(x, u, parameters, e, dx, y);
  rates();
  actuators.settle(x, dx, rates);
  const sum = (axis: string) =>
    Object.keys(parameters.rotors ?? {}).reduce(
      (total, k) => total + y[indexOf(model.outputs, `force_rotor_${k}_${axis}`)],
      0,
    );
  const [up, forward] = [-sum("z"), sum("x")];
  return { up, forward, toWeight: Math.max(up, forward) / (parameters.m * parameters.g) };
}

/** The static margin of an airframe. */
export interface Stability {
  /** Distance of the neutral point behind the centre of mass, in mean chords and in metres; negative is unstable. */
  readonly margin: number;
  readonly distance: number;
}

/** For the slope of the coefficients [rad]. */
const STEP = 1e-4;

/**
 * Static margin with controls fixed and rotors still: -dC_m/dC_N about an angle of attack, C_N the force normal to the body
 * (Etkin & Reid, Dynamics of Flight, 2.3). About the neutral point the moment does not change.
 */
export function staticMargin(vehicle: Aircraft, alpha: number): Stability | undefined {
  if (!hasLift(vehicle)) return undefined;
  const { chord, rows } = aeroPolar(vehicle, [alpha - STEP, alpha + STEP]);
  const [low, high] = rows.map((r) => ({ Cm: r.Cm, CN: r.CL * cos(r.alpha) + r.CD * sin(r.alpha) }));
  const margin = -(high.Cm - low.Cm) / (high.CN - low.CN);
  return { margin, distance: margin * chord };
}

/** The static margin in flight at this angle of attack. */
export function stabilityNumbers(vehicle: Aircraft, alpha: number): readonly Quantity[] {
  const found = staticMargin(vehicle, alpha);
  if (found === undefined) return [];
  return [
    {
      name: "static_margin",
      value: found.margin,
      unit: "1",
      meaning: "static margin, parts of the mean chord",
    },
    {
      name: "neutral_point",
      value: found.distance,
      unit: "m",
      meaning: "neutral point behind the centre of mass",
    },
  ];
}

export function airframeFigures(vehicle: Aircraft): Figures {
  const thrust = staticThrust(vehicle);
  const stability = staticMargin(vehicle, 0);
  return {
    sentences: [
      ...(thrust ? [thrustSentence(thrust)] : []),
      ...(stability ? [marginSentence(stability)] : []),
    ],
    json: { thrust, stability },
  };
}

function thrustSentence({ up, forward, toWeight }: Thrust): string {
  const [most, direction] = up > forward ? [up, "upward"] : [forward, "forward"];
  return `maximum thrust at rest ${most.toFixed(1)} N ${direction}, ${toWeight.toFixed(2)} times the weight`;
}

function marginSentence({ margin, distance }: Stability): string {
  const side = margin >= 0 ? "behind" : "AHEAD OF";
  return (
    `static margin ${(100 * margin).toFixed(1)} % of the mean chord at zero angle of attack: neutral point ` +
    `${Math.abs(distance).toFixed(3)} m ${side} the centre of mass${margin >= 0 ? "" : ", unstable in pitch"}`
  );
}
