/** States with published results, or results of equations written down a second time. */
import { plainSource } from "../../model/document.ts";
import type { Field } from "../../model/field.ts";
import { indexOf } from "../../model/model.ts";
import type { ReferenceCase } from "../../model/model-checks.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { preset, shippedVehicle } from "../../vehicles/vehicle-file.ts";
import type { VehicleType } from "../../vehicles/vehicle-type.ts";
import { environmentAt } from "../explain.ts";
import { brokenLaws } from "./balance.ts";
import { checksOf } from "./checks-of.ts";
import { evaluate } from "./evaluate.ts";
import { type Finding, finding, shown } from "./finding.ts";
import { checkReferences } from "./references.ts";
import type { Sample } from "./sample.ts";

export function checkReferenceCases({ model, type }: Vehicle): Finding[] {
  const references = checkReferences(model.name, type);
  const wrong: Finding[] = [...references.wrong];
  const list = checksOf({ model, type })?.referenceCases ?? [];
  const known = new Map<ReferenceCase["vehicle"], Vehicle>();
  for (const reference of list) {
    const vehicle = known.get(reference.vehicle) ?? vehicleOf(reference, type);
    known.set(reference.vehicle, vehicle);
    const { model: own } = vehicle;
    const sample = sampleOf(vehicle, reference);
    const { dx, y } = evaluate(own, vehicle.parameters, sample);
    for (const { name, left, right } of brokenLaws(vehicle, sample))
      wrong.push(
        finding("witness", "wrong", `${name}: ${shown(left)} is not ${shown(right)} (${reference.source})`),
      );
    const places = Object.keys(reference.outputs ?? {}).map((name) => indexOf(own.outputs, name));
    const compare = (
      kind: string,
      fields: readonly Field[],
      values: readonly number[],
      want: readonly number[],
    ) => {
      const size = Math.max(1e-6, ...want.map(Math.abs));
      want.forEach((right, i) => {
        if (!(Math.abs(values[i] - right) <= 1e-9 * Math.max(1e-3 * size, Math.abs(right))))
          wrong.push(
            finding(
              "witness",
              "wrong",
              `${kind}${fields[i].name} is ${shown(values[i])}, but should be ${shown(right)} (${reference.source})`,
            ),
          );
      });
    };
    compare("the rate of ", own.states, [...dx], reference.derivative);
    compare(
      "",
      places.map((i) => own.outputs[i]),
      places.map((i) => y[i]),
      Object.values(reference.outputs ?? {}),
    );
  }
  return wrong.length > 0 || list.length === 0
    ? wrong.slice(0, 3)
    : [
        finding(
          "witness",
          "ok",
          `the equations of the model "${model.name}" give ${list.length + references.count} independent results for reference vehicles; the checks below use this vehicle's parameters`,
        ),
      ];
}

const vehicleOf = ({ vehicle, source }: ReferenceCase, type: VehicleType): Vehicle =>
  typeof vehicle === "string"
    ? preset(vehicle, [type])
    : shippedVehicle(type, plainSource(vehicle, source), "reference case");

function sampleOf(vehicle: Vehicle, { state, inputs, wind = [0, 0, 0], boundaries }: ReferenceCase): Sample {
  const { model } = vehicle;
  const x = Float64Array.from(model.states, (f, i) => state[i] ?? f.default ?? 0);
  const u = Float64Array.from(model.inputs, (f, i) => inputs[i] ?? f.default ?? 0);
  return { x, u, e: environmentAt(vehicle, x, wind, boundaries) };
}
