/** Models with exact derivatives: compiled when they are asked for, for the vehicle and the surroundings at hand. */
import { environmentLength } from "../environment/environment.ts";
import type { Model, Newton, Vehicle } from "../model/model.ts";
import { type By, entriesOf, type Jacobian, jacobianOf } from "./jacobian.ts";
import { holds, type Lifted, lift, verify } from "./lift.ts";
import { hasVectors } from "./machine.ts";
import { newtonKernel } from "./newton.ts";
import { Refusal } from "./refusal.ts";

/** More kinds of surroundings than this are not worth it: differences will do. */
const MOST_KINDS = 8;

export interface ExactOptions {
  /** No machine code: derivatives by walking over the graph, with the same bits. */
  readonly isPlain?: boolean;
  /** Told once, when the equations cannot be compiled. */
  readonly onRefusal?: (refusal: Refusal) => void;
}

/** The same vehicle; its model has `jacobian` and `newton`. */
export function exact<P>(vehicle: Vehicle<P>, options: ExactOptions = {}): Vehicle<P> {
  const compiled = new Compiled(vehicle.model as Model, options);
  return {
    ...vehicle,
    model: {
      ...vehicle.model,
      jacobian: (by, x, u, p, e, J) => compiled.jacobian(by, x, u, p, e, J),
      newton: (x, u, p, e) => compiled.newton(x, u, p, e),
    },
  };
}

interface Kind {
  readonly lifted: Lifted;
  readonly jacobians: Partial<Record<By, Jacobian>>;
  /** Of one set of parameters. */
  newton?: { readonly parameters: unknown; readonly made: Newton };
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
    const kind = this.kindOf(x, u, p, e);
    if (kind === undefined) return false;
    kind.jacobians[by] ??= jacobianOf(this.model, kind.lifted, by, p, this.isPlain);
    kind.jacobians[by](x, u, p, e, J);
    return true;
  }

  newton(x: Float64Array, u: Float64Array, p: unknown, e: Float64Array): Newton | undefined {
    const kind = this.kindOf(x, u, p, e);
    if (kind === undefined || kind.newton?.parameters === p) return kind?.newton?.made;
    const n = x.length;
    const pattern = new Uint8Array(n * n);
    for (const { row, column } of entriesOf(this.model, kind.lifted, "states")) pattern[row * n + column] = 1;
    const kernel = this.isPlain ? undefined : newtonKernel(this.model, kind.lifted, pattern, p);
    kind.newton = { parameters: p, made: { pattern, kernel } };
    return kind.newton.made;
  }

  private get isPlain(): boolean {
    return this.options.isPlain === true || !hasVectors();
  }

  /** What was compiled for these parameters and surroundings. */
  private kindOf(x: Float64Array, u: Float64Array, p: unknown, e: Float64Array): Kind | undefined {
    if (this.isRefused) return undefined;
    const haveChanged = this.haveBoundariesChanged(e);
    if (p === this.parameters && !haveChanged) return this.kind;
    try {
      this.kind = this.choose(x, u, p, e);
      this.parameters = p;
      return this.kind;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.isRefused = true;
      this.options.onRefusal?.(error);
      return undefined;
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
