/** The pilot that fits an aircraft: of a multirotor, an aeroplane, or what is both. */

import type { Estimator } from "../../control/estimator.ts";
import type { PilotLine } from "../../control/pilot-command.ts";
import type { Field } from "../../model/field.ts";
import { InputError } from "../../model/input-error.ts";
import type { InputSource } from "../../model/input-source.ts";
import { indexOf, type Model } from "../../model/model.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import { fixedWingPilot } from "./fixed-wing/pilot.ts";
import { multirotorPilot } from "./multirotor/pilot.ts";
import { vtolPilot } from "./vtol/pilot.ts";

/** Numbers (from 1) of the rotors that thrust upward. */
export const liftersOf = (p: AircraftParameters): number[] =>
  Object.entries(p.rotors ?? {}).flatMap(([k, { axis }]) => (axis.z < -0.5 ? [Number(k)] : []));

/** How an aircraft flies: what hovers flies on its wings too only if something steers and something pushes it. */
export function kindOf(p: AircraftParameters): {
  readonly kind: "multirotor" | "airplane" | "vtol";
  readonly lifters: readonly number[];
} {
  const count = (parts: object | undefined) => Object.keys(parts ?? {}).length;
  const lifters = liftersOf(p);
  const canCruise = count(p.servos) > 0 && lifters.length < count(p.rotors);
  if (count(p.surfaces) === 0 || (lifters.length > 0 && !canCruise)) return { kind: "multirotor", lifters };
  return { kind: lifters.length > 0 ? "vtol" : "airplane", lifters };
}

/**
 * The pilot that fits an aircraft: of a multirotor, of a fixed wing, or of a VTOL.
 *
 * @throws InputError where no pilot can fly it
 */
export function pilotFor(
  model: Model,
  p: AircraftParameters,
  lines: readonly PilotLine[],
  interval: number,
  navigation?: { readonly estimator: Estimator; readonly fields: readonly Field[] },
): InputSource {
  const estimator = navigation?.estimator;
  const { kind, lifters } = kindOf(p);
  if (kind === "multirotor") return multirotorPilot(p, lines, interval, estimator);
  const place = navigation
    ? indexOf(navigation.fields, "airspeed_measured")
    : indexOf(model.outputs, "airspeed");
  if (place < 0)
    throw new InputError("navigation by sensors on wings needs an airspeed sensor", {
      field: "sensors",
      allowed: "airspeed: {} among the sensors",
    });
  const airspeedAt = (sensed: { y: Float64Array; z: Float64Array }) =>
    navigation ? sensed.z[place] : sensed.y[place];
  return kind === "vtol"
    ? vtolPilot(model, p, lifters, lines, interval, airspeedAt, estimator)
    : fixedWingPilot(model, p, lines, interval, airspeedAt, estimator);
}
