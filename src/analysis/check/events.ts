/** Initial modes agree with events, and every event leaves a valid state. */
import { stream } from "../../math/random.ts";
import { DOWN, V_DOWN, V_EAST, V_NORTH } from "../../vehicles/rigid-body.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { environmentAt } from "../explain.ts";
import { isRigidBody } from "../motion.ts";
import { type Finding, finding, shown } from "./finding.ts";
import { Sampler } from "./sample.ts";

const TRIES = 300;
const LANDINGS = 40;
const ROUNDING = 1e-12;

export function checkEvents(vehicle: Vehicle, p: unknown): Finding[] {
  const { events = [] } = vehicle.model;
  if (events.length === 0) return [];
  const wrong = isRigidBody(vehicle.model) ? landing(vehicle, p) : modes(vehicle, p);
  return [
    wrong === undefined
      ? finding("events", "ok", "initial modes agree with events, and every event leaves a valid state")
      : finding("events", "wrong", wrong),
  ];
}

/** A car near walking pace, in either of its modes. */
function modes({ model, ...vehicle }: Vehicle, p: unknown): string | undefined {
  const mode = model.states.findIndex((f) => f.kind === "discrete");
  if (mode < 0) return undefined;
  const { uniform } = stream(6, "events");
  let index = 0;
  const draw = (size: number) => size * (2 * uniform(index++) - 1);
  const sampler = new Sampler({ model, ...vehicle }, 26);
  for (let k = 0; k < TRIES; k++) {
    const { x, u, e } = sampler.sample("slow");
    x[mode] = k % 2;
    x.set([draw(0.2), draw(0.12) * (k % 3), draw(0.3) * (k % 5 === 0 ? 10 : 1), draw(0.4)], 3);
    if (k % 2 === 0) model.project?.(x, p as never);
    const started = x.slice();
    model.completeState?.(started, p as never);
    const due = (model.events ?? []).filter(
      (event) => !event.terminal && event.guard(x, u, p as never, e) >= 0,
    );
    if ((started[mode] !== x[mode]) !== due.length > 0)
      return `at ${shown(x[V_NORTH])}, ${shown(x[V_EAST])} m/s and ${shown(x[V_DOWN])} rad/s the initial mode is ${started[mode]}, but these events trigger: ${due.map(({ name }) => name).join(", ") || "none"}`;
    for (const { name, reset } of due) {
      const after = x.slice();
      reset?.(after, p as never);
      const again = after.slice();
      model.project?.(again, p as never);
      const moved = again.findIndex((v, i) => !(Math.abs(v - after[i]) <= ROUNDING));
      if (moved >= 0)
        return `${name} leaves ${model.states[moved].name} at a value that its mode does not allow`;
      if ((model.events ?? []).some((event) => event.guard(after, u, p as never, e) >= 0))
        return `directly after ${name} another event triggers`;
      // Tyres take over as they are; wheels that only roll are fewer motions.
      const changed = after.findIndex((v, i) => i !== mode && v !== x[i]);
      if (after[mode] === 1 && changed >= 0) return `${name} moves ${model.states[changed].name}`;
    }
  }
  return undefined;
}

/** What ends a flight happens at the ground and nowhere else. */
function landing(vehicle: Vehicle, p: unknown): string | undefined {
  const { model } = vehicle;
  const { uniform } = stream(7, "events");
  const sampler = new Sampler(vehicle, 27);
  for (const { name, terminal, guard } of model.events ?? []) {
    if (!terminal) continue;
    for (let k = 0; k < LANDINGS; k++) {
      const { x, u } = sampler.sample();
      const height = 6 * uniform(k) - 3;
      x[DOWN] = -height;
      const happens = guard(x, u, p as never, environmentAt(vehicle, x, [0, 0, 0])) >= 0;
      if (happens !== height <= 0)
        return `${name} ${happens ? "happens" : "does not happen"} ${shown(height)} m above the ground`;
    }
  }
  return undefined;
}
