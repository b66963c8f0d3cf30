/** Random states, inputs and surroundings of a model, from calm to absurd, on the ground and above it. */
import { stillAir } from "../../src/environment/environment.ts";
import { stream } from "../../src/math/random.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";

/** Endless ground at altitude zero, as a slot. */
const GROUND = [0, 0, 0, 0, 0, -1, 1, 0, 0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];

export interface Instant {
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly e: Float64Array;
}

/** How far a state goes to either side, by its kind. */
const SPANS: Readonly<Record<string, number>> = { velocity: 30, rate: 4, quaternion: 1, actuator: 1 };

export function instants({ model, parameters }: Vehicle, seed: number): (index: number) => Instant {
  const noise = stream(seed, model.name);
  return (index) => {
    let drawn = 0;
    const draw = () => 2 * noise.uniform(1000 * index + drawn++) - 1;
    const e = stillAir(model);
    for (let i = 0; i < Math.min(3, model.environment.length); i++) e[i] = 5 * draw();
    if (model.boundarySlots) e.set(GROUND, model.environment.length);
    const calm = index % 3 === 0 ? 0.1 : 1;
    const x = Float64Array.from(model.states, ({ name, kind }) => {
      if (name === "mode") return draw() < 0 ? 0 : 1;
      if (name === "down") return index % 2 === 0 ? 0.5 * draw() : -50;
      if (name.startsWith("rotor_")) return 800 * Math.abs(draw());
      if (name.startsWith("tau_")) return 300 * draw();
      return calm * (SPANS[kind ?? ""] ?? 1) * draw();
    });
    const u = Float64Array.from(model.inputs, ({ name }) => (name.startsWith("rotor_") ? 800 : 1) * draw());
    model.completeState?.(x, parameters);
    return { x, u, e };
  };
}
