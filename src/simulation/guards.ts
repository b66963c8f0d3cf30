/** Looks for a model's events within the steps of an integrator. */
import type { Environment } from "../environment/environment.ts";
import type { Integrator, Rhs } from "../integrators/integrator.ts";
import { copyTo } from "../math/arrays.ts";
import type { Model, ModelEvent } from "../model/model.ts";
import { locate } from "./events.ts";

export interface Happening {
  readonly event: ModelEvent<unknown>;
  /** Time after the start of the step [s]. */
  readonly after: number;
}

export class Guards {
  private readonly model: Model;
  private readonly events: readonly ModelEvent<unknown>[];
  private readonly environment: Environment;
  private readonly integrator: Integrator;
  private readonly f: Rhs;
  private readonly u: Float64Array;
  private readonly e: Float64Array;
  private readonly scratch: Float64Array;
  /** A guard that does not declare its fourth argument cannot look at the environment. */
  private readonly seeEnvironment: boolean;

  constructor(
    model: Model,
    events: readonly ModelEvent<unknown>[],
    environment: Environment,
    integrator: Integrator,
    f: Rhs,
    u: Float64Array,
    e: Float64Array,
  ) {
    this.model = model;
    this.events = events;
    this.environment = environment;
    this.integrator = integrator;
    this.f = f;
    this.u = u;
    this.e = e;
    this.scratch = new Float64Array(model.states.length);
    this.seeEnvironment = events.some((event) => event.guard.length > 3);
  }

  /** A terminal event that holds before the run has begun. */
  over(x: Float64Array, p: unknown): ModelEvent<unknown> | undefined {
    return this.events.find((event) => event.terminal && this.at(event, 0, x, p) >= 0);
  }

  /** Whether none can have happened in a step that led here. */
  allNegative(t: number, x: Float64Array, p: unknown): boolean {
    const { events } = this;
    for (let i = 0; i < events.length; i++) if (!(this.at(events[i], t, x, p) < 0)) return false;
    return true;
  }

  /** The earliest event within the step just taken from `start` to x; x becomes the state of its instant. */
  first(t: number, taken: number, start: Float64Array, x: Float64Array, p: unknown): Happening | undefined {
    const { events, scratch } = this;
    let first: Happening | undefined;
    for (let i = 0; i < events.length; i++) {
      const event = events[i];
      const after = this.at(event, t + taken, x, p);
      if (!(after >= 0)) continue;
      const before = this.at(event, t, start, p);
      // A reset leaves the guard at zero: then the next crossing is one that comes back from below within the step.
      if (!(before < 0 || (before === 0 && after > 0))) continue;
      const guard = (s: number) => {
        this.within(t, s, taken, start, scratch, p);
        return this.at(event, t + s, scratch, p);
      };
      const s = locate(guard, taken, before);
      if (first === undefined || s < first.after) first = { event, after: s };
    }
    if (first !== undefined) this.within(t, first.after, taken, start, x, p);
    return first;
  }

  private at(event: ModelEvent<unknown>, t: number, x: Float64Array, p: unknown): number {
    if (this.seeEnvironment) this.environment.at(t, x, this.e);
    return event.guard(x, this.u, p, this.e);
  }

  /** State at the time s into the step just taken, by dense output or by stepping again. */
  private within(
    t: number,
    s: number,
    taken: number,
    start: Float64Array,
    out: Float64Array,
    p: unknown,
  ): void {
    const { integrator } = this;
    if (integrator.interpolate) integrator.interpolate(s / taken, out);
    else {
      copyTo(out, start);
      integrator.step(this.f, t, s, out);
    }
    this.model.project?.(out, p);
  }
}
