/** States with published results. */
import { plainSource } from "../../model/document.ts";
import type { Witness } from "../../model/facts.ts";
import type { Vehicle } from "../../model/model.ts";
import { preset, readVehicle } from "../../vehicles/vehicle-file.ts";
import { environmentAt } from "../explain.ts";
import { evaluate } from "./evaluate.ts";
import { type Finding, finding, shown } from "./finding.ts";

/** `make`: where vehicles come from. */
export function checkWitnesses({ model }: Vehicle): Finding[] {
  const wrong: Finding[] = [];
  const list = model.facts?.witnesses ?? [];
  for (const witness of list) {
    const vehicle =
      typeof witness.vehicle === "string"
        ? preset(witness.vehicle)
        : readVehicle(plainSource(witness.vehicle, witness.source), "witness");
    const { dx, y } = at(vehicle, witness);
    const compare = (
      kind: string,
      names: readonly { name: string; unit: string }[],
      values: Float64Array,
      want: Readonly<Record<string, number>>,
    ) => {
      const size = Math.max(1e-6, ...Object.values(want).map(Math.abs));
      for (const [name, right] of Object.entries(want)) {
        const found = values[names.findIndex((f) => f.name === name)];
        if (!(Math.abs(found - right) <= 1e-9 * Math.max(1e-3 * size, Math.abs(right))))
          wrong.push(
            finding(
              "witness",
              "wrong",
              `${kind}${name} is ${shown(found)}, published is ${shown(right)} (${witness.source})`,
            ),
          );
      }
    };
    compare("the rate of ", vehicle.model.states, dx, witness.derivative);
    compare("", vehicle.model.outputs, y, witness.outputs ?? {});
  }
  return wrong.length > 0 || list.length === 0
    ? wrong.slice(0, 3)
    : [finding("witness", "ok", `${list.length} states with published results come out right`)];
}

function at(vehicle: Vehicle, { state, inputs, wind = [0, 0, 0] }: Witness) {
  const { model, parameters } = vehicle;
  const x = Float64Array.from(model.states, (f) => state[f.name] ?? f.default ?? 0);
  const u = Float64Array.from(model.inputs, (f) => inputs[f.name] ?? f.default ?? 0);
  return evaluate(model, parameters, { x, u, e: environmentAt(vehicle, x, wind) });
}
