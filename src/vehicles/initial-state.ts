/** Initial states by name; where a model has them also altitude for down, and roll, pitch, yaw for the quaternion. */
import { fromEuler, normalise, pitchOf, rollOf, yawOf } from "../math/quaternion.ts";
import type { Document } from "../model/document.ts";
import { type Field, largestOf } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";

// Two turns: a bare 90 is degrees forgotten, not radians.
const TURNS = { unit: "rad", min: -6.2832, max: 6.2832 };
const ANGLES: readonly Field[] = [
  { name: "roll", meaning: 'initial bank angle, right wing down positive (degrees: "30 deg")', ...TURNS },
  { name: "pitch", meaning: 'initial pitch angle, nose up positive (degrees: "30 deg")', ...TURNS },
  { name: "yaw", meaning: 'initial heading, clockwise from north (degrees: "30 deg")', ...TURNS },
];
const ALTITUDE: Field = {
  name: "altitude",
  unit: "m",
  meaning: "initial height above the origin",
  min: -1e7,
  max: 1e7,
};
const QUATERNION = ["q_w", "q_x", "q_y", "q_z"];

const has = (model: Model, state: string) => model.states.some((s) => s.name === state);

/** The fields that an `initial` block of a model may have. */
export function initialFields(model: Model): readonly Field[] {
  const bounded = model.states.map((s) => ({ min: -largestOf(s), max: largestOf(s), ...s }));
  return [...bounded, ...(has(model, "q_w") ? ANGLES : []), ...(has(model, "down") ? [ALTITUDE] : [])];
}

type Named = Readonly<Record<string, number>>;

/** The complete state from layers of named values, later layers over earlier ones. */
export function initialState(
  model: Model,
  layers: readonly Named[],
  source: Document,
  path: readonly string[],
): Float64Array {
  const x = new Float64Array(model.states.map((s) => s.default ?? 0));
  const index = (name: string) => model.states.findIndex((s) => s.name === name);
  for (const layer of layers) {
    const complain = (problem: string, key: string, allowed?: string) =>
      new InputError(problem, {
        file: source.file,
        ...source.locate(path, key),
        field: [...path, key].join("."),
        value: layer[key],
        allowed,
      });
    model.states.forEach((s, i) => {
      x[i] = layer[s.name] ?? x[i];
    });
    if ("altitude" in layer) {
      if ("down" in layer) throw complain("height is given twice", "altitude", "either down or altitude");
      x[index("down")] = -layer.altitude;
    }
    const angles = ANGLES.some((a) => a.name in layer);
    const components = QUATERNION.filter((q) => q in layer);
    if (components.length > 0) {
      if (angles)
        throw complain(
          "attitude is given twice",
          components[0],
          "either roll, pitch, yaw or q_w, q_x, q_y, q_z",
        );
      if (components.length < 4)
        throw complain("the quaternion is incomplete", components[0], "all of q_w, q_x, q_y, q_z");
      const n = Math.sqrt(QUATERNION.reduce((sum, q) => sum + layer[q] * layer[q], 0));
      if (Math.abs(n - 1) > 1e-6)
        throw complain(`the quaternion has length ${n.toPrecision(6)}`, "q_w", "length 1 within 1e-6");
      normalise(x, index("q_w"));
    }
    if (angles) {
      const i = index("q_w");
      const [w, a, b, c] = x.subarray(i, i + 4);
      fromEuler(
        layer.roll ?? rollOf(w, a, b, c),
        layer.pitch ?? pitchOf(w, a, b, c),
        layer.yaw ?? yawOf(w, a, b, c),
        x,
        i,
      );
    }
  }
  return x;
}
