import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import { type Air, densityRatio } from "./air.ts";
import { type Boundaries, SLOT } from "./boundaries.ts";
import { createWind, type Wind } from "./wind.ts";

/** Fills a model's environment e at any instant. */
export interface Environment {
  /** Before the instants of [t0, t1] are asked for: where the vehicle is decides which boundaries e holds. */
  begin(t0: number, t1: number, x: Float64Array, e: Float64Array): void;
  at(t: number, x: Float64Array, e: Float64Array): void;
  /** As `at` for several instants, where the state does not matter. */
  along?: Wind["along"];
  readonly memory: readonly Float64Array[];
  /** `at` does not look at the state. */
  readonly isUniform?: boolean;
  /** Nor at the time. */
  readonly isSteady?: boolean;
}

/** Length of e: the model's fields and its boundary slots. */
export const environmentLength = (model: Pick<Model, "environment" | "boundarySlots">): number =>
  model.environment.length + SLOT * (model.boundarySlots ?? 0);

/** The environment of a model in still air, far from everything. */
export function stillAir(model: Pick<Model, "environment" | "states" | "boundarySlots">): Float64Array {
  const e = new Float64Array(environmentLength(model));
  const none = new Float64Array(model.states.length);
  createEnvironment(model.environment, model.states, createWind({}, 0, 1), { model: "constant" }).at(
    0,
    none,
    e,
  );
  return e;
}

const KNOWN = ["wind_north", "wind_east", "wind_down", "density_ratio"];

/** Wind and air for the environment fields that a model declares. */
export function createEnvironment(
  fields: readonly Field[],
  states: readonly Field[],
  wind: Wind,
  air: Air,
  boundaries?: Boundaries,
): Environment {
  const stranger = fields.find((f) => !KNOWN.includes(f.name));
  if (stranger)
    throw new InputError(`the model needs the environment field "${stranger.name}", which does not exist`, {
      allowed: KNOWN.join(", "),
    });
  if (fields.length === 0 && boundaries === undefined)
    return { memory: [], begin() {}, at() {}, isUniform: true, isSteady: true };
  const position = KNOWN.map((name) => fields.findIndex((f) => f.name === name));
  const down = states.findIndex((s) => s.name === "down");
  const height = (x: Float64Array) => (down < 0 ? 0 : -x[down]);
  const north = states.findIndex((s) => s.name === "north");
  const begin = (t0: number, t1: number, x: Float64Array, e: Float64Array) => {
    wind.begin?.(t0, t1);
    boundaries?.surround(x[north], x[north + 1], x[north + 2], e, fields.length);
  };
  const memory = [...(wind.memory ?? []), ...(boundaries ? [boundaries.memory] : [])];
  const takesAll = position.every((p, i) => p === i);
  if (takesAll && air.model === "constant")
    return {
      memory,
      begin,
      isUniform: wind.isUniform,
      isSteady: wind.isSteady,
      at(t, x, e) {
        wind.at(t, x, e);
        e[3] = 1;
      },
      along:
        wind.along &&
        ((times, count, out, first, stride, gap) => {
          wind.along?.(times, count, out, first, stride, gap);
          for (let k = 0; k < count; k++) out[first + k * stride + 3 * gap] = 1;
        }),
    };
  const values = new Float64Array(4);
  return {
    memory,
    begin,
    at(t, x, e) {
      wind.at(t, x, values);
      values[3] = densityRatio(air, height(x));
      for (let i = 0; i < 4; i++) if (position[i] >= 0) e[position[i]] = values[i];
    },
  };
}
