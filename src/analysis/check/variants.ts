/**
 * Other vehicles that are checked for the same laws: those of the reference cases, which have parts that this one may lack, each with
 * other options (rotor laws, boundary effects, switches) and with actuators without lag. So errors in any part of the equations show.
 */

import { plainSource } from "../../model/document.ts";
import type { Field } from "../../model/field.ts";
import { makeParameters, pack } from "../../model/parameters.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { preset, shippedVehicle } from "../../vehicles/vehicle-file.ts";
import { checksOf } from "./checks-of.ts";

export interface Variant {
  /** How it differs from the vehicle that is checked. */
  readonly label: string;
  readonly vehicle: Vehicle;
}

/** Choices that are left as they are: one decides which parameters there are, the other brings documented mistakes back. */
const LEFT = ["surfaces.*.law", "compat"];

/** `rotors.*.law`, the same for all of a list. */
const kindOf = ({ name }: Field) => name.replace(/\.\d+\./g, ".*.");

export function* otherVehicles(vehicle: Vehicle): Generator<Variant> {
  const seen = new Set<string>();
  const subjects: Variant[] = [{ label: "", vehicle }];
  for (const { vehicle: given, source } of checksOf(vehicle)?.referenceCases ?? []) {
    const key = JSON.stringify(given);
    if (seen.has(key)) continue;
    seen.add(key);
    const other =
      typeof given === "string"
        ? preset(given, [vehicle.type])
        : shippedVehicle(vehicle.type, plainSource(given, source), "reference case");
    subjects.push({ label: `at ${other.name}`, vehicle: other });
  }
  for (const subject of subjects) {
    if (subject.label !== "") yield subject;
    for (const { label, vehicle: variant } of variantsOf(subject.vehicle))
      yield { label: [subject.label, label].filter(Boolean).join(" "), vehicle: variant };
  }
}

/** The vehicle with one choice made otherwise, and with actuators that follow at once. */
function* variantsOf(vehicle: Vehicle): Generator<Variant> {
  const { model } = vehicle;
  const fields = model.parameters;
  const values = pack(fields, vehicle.parameters);
  const made = (change: (f: Field, value: number) => number): Vehicle | undefined => {
    const other = values.map((v, i) => change(fields[i], v));
    if (other.every((v, i) => v === values[i])) return undefined;
    const parameters = makeParameters(model, other);
    return model.validate?.(parameters) === undefined ? { ...vehicle, parameters } : undefined;
  };
  const chosen = fields.filter((f) => f.choices !== undefined && !LEFT.includes(kindOf(f)));
  const kinds = new Map(chosen.map((f) => [kindOf(f), f.choices]));
  for (const [kind, choices = {}] of kinds)
    for (const [option, choice] of Object.entries(choices)) {
      const variant = made((f, v) => (kindOf(f) === kind ? choice : v));
      if (variant) yield { label: `with ${kind}: ${option}`, vehicle: variant };
    }
  const isLagging = fields.some((f) => f.lag && f.min === 0);
  const rigid = isLagging ? made((f, v) => (f.lag && f.min === 0 ? 0 : v)) : undefined;
  if (rigid) yield { label: "without lags", vehicle: rigid };
}
