/** Models with exact derivatives: compiled when they are asked for, for the vehicle and the surroundings at hand. */
import type { Model, Newton, NewtonKernel, Vehicle } from "../model/model.ts";
import { type By, entriesOf, type Jacobian, jacobianOf } from "./jacobian.ts";
import { holds, type Lifted, lift, verify } from "./lift.ts";
import { hasVectors } from "./machine.ts";
import { newtonKernels } from "./newton.ts";
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
  newton?: {
    readonly pattern: Uint8Array;
    readonly kernels?: (parameters: unknown) => NewtonKernel;
    /** By parameters: simulations must not share a kernel's memory. */
    readonly made: WeakMap<object, Newton>;
  };
}

class Compiled {
  private readonly model: Model;
  private readonly options: ExactOptions;
  private readonly fields: number;
  private readonly kinds: Kind[] = [];
  private isRefused = false;
  /** By parameters: the boundaries seen last, and what was compiled for them. */
  private readonly seen = new WeakMap<object, { readonly boundaries: Float64Array; kind?: Kind }>();

  constructor(model: Model, options: ExactOptions) {
    this.model = model;
    this.options = options;
    this.fields = model.environment.length;
  }

  /** False where the equations cannot be compiled. */
  jacobian(by: By, x: Float64Array, u: Float64Array, p: unknown, e: Float64Array, J: Float64Array): boolean {
    // What `derive` makes of parameters is not followed.
    if (by === "parameters" && this.model.derive !== undefined) return false;
    const kind = this.kindOf(x, u, p, e);
    if (kind === undefined) return false;
    kind.jacobians[by] ??= jacobianOf(this.model, kind.lifted, by, p, this.isPlain);
    kind.jacobians[by](x, u, p, e, J);
    return true;
  }

  newton(x: Float64Array, u: Float64Array, p: unknown, e: Float64Array): Newton | undefined {
    const kind = this.kindOf(x, u, p, e);
    if (kind === undefined) return undefined;
    const { pattern, kernels, made } = (kind.newton ??= this.newtonOf(kind, p));
    let found = made.get(p as object);
    if (found === undefined) made.set(p as object, (found = { pattern, kernel: kernels?.(p) }));
    return found;
  }

  private newtonOf({ lifted }: Kind, p: unknown): NonNullable<Kind["newton"]> {
    const { model } = this;
    const n = model.states.length;
    const pattern = new Uint8Array(n * n);
    for (const { row, column } of entriesOf(model, lifted, "states")) pattern[row * n + column] = 1;
    const kernels = this.isPlain ? undefined : newtonKernels(model, lifted, pattern, p);
    return { pattern, kernels, made: new WeakMap() };
  }

  private get isPlain(): boolean {
    return this.options.isPlain === true || !hasVectors();
  }

  /** What was compiled for these parameters and surroundings. */
  private kindOf(x: Float64Array, u: Float64Array, p: unknown, e: Float64Array): Kind | undefined {
    if (this.isRefused) return undefined;
    const { fields } = this;
    let seen = this.seen.get(p as object);
    if (seen === undefined)
      this.seen.set(p as object, (seen = { boundaries: new Float64Array(e.length - fields) }));
    const isNew = update(seen.boundaries, e, fields);
    if (seen.kind !== undefined && !isNew) return seen.kind;
    try {
      return (seen.kind = this.choose(x, u, p, e));
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
}

/** Copies what follows `first`; whether any of it is new. */
export function update(copy: Float64Array, list: Float64Array, first: number): boolean {
  let isNew = false;
  for (let i = 0; i < copy.length; i++)
    if (copy[i] !== list[first + i]) {
      copy[i] = list[first + i];
      isNew = true;
    }
  return isNew;
}
