/** Initial states by name, with roll, pitch, yaw in place of the quaternion where a model has one. */
import { fromEuler, normalise } from "../math/quaternion.ts";
import type { Source } from "../model/document.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";

const ANGLES: readonly Field[] = [
  {
    name: "roll",
    unit: "rad",
    meaning: "initial bank angle, right wing down positive",
    min: -1000,
    max: 1000,
  },
  { name: "pitch", unit: "rad", meaning: "initial pitch angle, nose up positive", min: -1000, max: 1000 },
  { name: "yaw", unit: "rad", meaning: "initial heading, clockwise from north", min: -1000, max: 1000 },
];
const QUATERNION = ["q_w", "q_x", "q_y", "q_z"];

const hasAttitude = (model: Model) => model.states.some((s) => s.name === "q_w");

export function initialFields(model: Model): readonly Field[] {
  return hasAttitude(model) ? [...model.states, ...ANGLES] : model.states;
}

type Named = Readonly<Record<string, number>>;

/** The complete state from layers of named values, later layers over earlier ones. */
export function initialState(
  model: Model,
  layers: readonly Named[],
  source: Source,
  path: readonly string[],
): Float64Array {
  const x = new Float64Array(model.states.map((s) => s.default ?? 0));
  const set = (named: Named) =>
    model.states.forEach((s, i) => {
      x[i] = named[s.name] ?? x[i];
    });
  for (const layer of layers) {
    const angles = ANGLES.filter((a) => a.name in layer);
    const components = QUATERNION.filter((q) => q in layer);
    const fail = (problem: string, key: string, allowed?: string) => {
      throw new InputError(problem, {
        file: source.file,
        ...source.locate(path, key),
        field: [...path, key].join("."),
        value: layer[key],
        allowed,
      });
    };
    if (hasAttitude(model)) {
      const i = model.states.findIndex((s) => s.name === "q_w");
      if (angles.length > 0 && components.length > 0)
        fail("attitude is given twice", components[0], "either roll, pitch, yaw or q_w, q_x, q_y, q_z");
      if (components.length > 0 && components.length < 4)
        fail("the quaternion is incomplete", components[0], "all of q_w, q_x, q_y, q_z");
      if (components.length === 4) {
        const n = Math.sqrt(QUATERNION.reduce((sum, q) => sum + layer[q] * layer[q], 0));
        if (Math.abs(n - 1) > 1e-6)
          fail(`the quaternion has length ${n.toPrecision(6)}`, "q_w", "length 1 within 1e-6");
      }
      set(layer);
      if (angles.length > 0) fromEuler(layer.roll ?? 0, layer.pitch ?? 0, layer.yaw ?? 0, x, i);
      normalise(x, i);
    } else set(layer);
  }
  return x;
}
