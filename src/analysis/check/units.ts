/** Dimensional invariance: results do not depend on the units of length, mass, time and current. Finds hidden constants. */
import { pow } from "../../math/elementary.ts";
import type { Field } from "../../model/field.ts";
import { makeParameters, pack } from "../../model/parameters.ts";
import { parseUnit } from "../../model/units.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { difference, evaluate } from "./evaluate.ts";
import { type Finding, finding, shown } from "./finding.ts";
import type { Sample } from "./sample.ts";

/** New sizes of metre, kilogram, second and ampere, none a power of another. */
const SCALES = [
  [1.37, 0.61, 1.83, 2.3],
  [0.42, 2.9, 0.71, 0.37],
];

export function checkUnits(
  vehicle: Vehicle,
  skips: (s: Sample) => boolean,
  samples: readonly Sample[],
): Finding[] {
  const { model, parameters } = vehicle;
  const unknown = [...model.states, ...model.inputs, ...model.outputs, ...model.parameters].find(
    (f) => !parseUnit(f.unit),
  );
  if (unknown)
    return [
      finding("units", "wrong", `${unknown.name} has the unit "${unknown.unit}", which is not a known unit`),
    ];
  for (const scale of SCALES) {
    const factors = (fields: readonly Field[], perSecond = 0) =>
      fields.map((f) =>
        (parseUnit(f.unit)?.dimension ?? []).reduce(
          (product, d, i) => (i < 4 ? product * pow(scale[i], d - (i === 2 ? perSecond : 0)) : product),
          1,
        ),
      );
    const scaled = (by: readonly number[], v: Float64Array) =>
      v.map((w, i) => (by[i] === undefined ? w : w * by[i]));
    const [bx, bu, be] = [model.states, model.inputs, model.environment].map((f) => factors(f));
    const [brate, by] = [factors(model.states, 1), factors(model.outputs)];
    const p = makeParameters(model, scaled(factors(model.parameters), pack(model.parameters, parameters)));
    for (const s of samples) {
      if (skips(s)) continue;
      const other = { x: scaled(bx, s.x), u: scaled(bu, s.u), e: scaled(be, s.e) };
      const before = evaluate(model, parameters, s);
      const after = evaluate(model, p, other);
      const dx = scaled(brate, before.dx);
      const y = scaled(by, before.y);
      const rate = difference(model.states, after.dx, dx, 1e-8);
      const output = difference(model.outputs, after.y, y, 1e-8);
      const found = rate ?? output;
      if (found)
        return [
          finding(
            "units",
            "wrong",
            `${rate ? "the rate of " : ""}${found.field.name} is not the same in other units (${shown(found.b)} became ${shown(found.a)}): ` +
              "its equation contains a dimensional constant, or a declared unit is wrong",
          ),
        ];
    }
  }
  return [finding("units", "ok", "results do not depend on the units of length, mass, time and current")];
}
