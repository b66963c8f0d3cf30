/** Models with exact derivatives: compiled when they are asked for, for the vehicle and the surroundings at hand. */
import { environmentLength } from "../environment/environment.ts";
import type { Model, Vehicle } from "../model/model.ts";
import { type By, type Jacobian, jacobianOf } from "./jacobian.ts";
import { holds, type Lifted, lift, verify } from "./lift.ts";
import { Refusal } from "./refusal.ts";

/** More kinds of surroundings than this are not worth it: differences will do. */
const MOST_KINDS = 8;

export interface ExactOptions {
  /** No machine code: derivatives by walking over the graph, with the same bits. */
  readonly isPlain?: boolean;
  /** Told once, when the equations cannot be compiled. */
  readonly onRefusal?: (refusal: Refusal) => void;
}

/** The same vehicle; its model has `jacobian`. */
export function exact<P>(vehicle: Vehicle<P>, options: ExactOptions = {}): Vehicle<P> {
  const compiled = new Compiled(vehicle.model as Model, options);
  return {
    ...vehicle,
    model: {
      ...vehicle.model,
      jacobian: (by, x, u, p, e, J) => compiled.jacobian(by, x, u, p, e, J),
    },
  };
}

interface Kind {
  readonly lifted: Lifted;
  readonly jacobians: Partial<Record<By, Jacobian>>;
}

class Compiled {
  private readonly model: Model;
  private readonly options: ExactOptions;
  private readonly kinds: Kind[] = [];
  private isRefused = false;
  /** What the kind at hand was chosen for: parameters, and the boundaries among the surroundings. */
  private kind?: Kind;
  private parameters: unknown;
  private readonly boundaries: Float64Array;

  constructor(model: Model, options: ExactOptions) {
    this.model = model;
    this.options = options;
    this.boundaries = new Float64Array(environmentLength(model) - model.environment.length).fill(Number.NaN);
  }

  /** False where the equations cannot be compiled. */
  jacobian(by: By, x: Float64Array, u: Float64Array, p: unknown, e: Float64Array, J: Float64Array): boolean {
    if (this.isRefused) return false;
    try {
      if (p !== this.parameters || this.haveBoundariesChanged(e)) {
        this.kind = this.choose(x, u, p, e);
        this.parameters = p;
      }
      const { lifted, jacobians } = this.kind as Kind;
      jacobians[by] ??= jacobianOf(this.model, lifted, by, p, this.options.isPlain === true);
      jacobians[by](x, u, p, e, J);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.isRefused = true;
      this.options.onRefusal?.(error);
      return false;
    }
  }

  private choose(x: Float64Array, u: Float64Array, p: unknown, e: Float64Array): Kind {
    const known = this.kinds.find(({ lifted }) => holds(lifted, p, e));
    if (known !== undefined) return known;
    if (this.kinds.length === MOST_KINDS)
      throw new Refusal(this.model.name, 1, "the surroundings change too often", "have fewer boundaries");
    const lifted = lift(this.model, p, e);
    verify(this.model, lifted, x, u, p, e);
    const kind: Kind = { lifted, jacobians: {} };
    this.kinds.push(kind);
    return kind;
  }

  private haveBoundariesChanged(e: Float64Array): boolean {
    const { boundaries } = this;
    const first = e.length - boundaries.length;
    let hasChanged = false;
    for (let i = 0; i < boundaries.length; i++)
      if (boundaries[i] !== e[first + i]) {
        boundaries[i] = e[first + i];
        hasChanged = true;
      }
    return hasChanged;
  }
}
