/** Models with exact derivatives: compiled when they are asked for, for the given vehicle and environment. */
import { differs } from "../math/arrays.ts";
import type { Model, Newton } from "../model/model.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { type By, entriesOf, jacobianModule, walkedJacobian } from "./jacobian.ts";
import { type Jacobian, jacobianKernel } from "./jacobian-kernel.ts";
import { hasVectors } from "./kernel.ts";
import { newtonModule } from "./newton.ts";
import { newtonKernels } from "./newton-kernel.ts";
import { holds, type TracedModel, trace } from "./trace.ts";
import { UnsupportedSyntax } from "./unsupported-syntax.ts";

/** At most so many kinds of parameters and environments are compiled; the others use differences. */
const MOST_KINDS = 32;

/** How `withJacobian` compiles. */
export interface JacobianOptions {
  /** No WebAssembly kernel: the graph is interpreted, with the same bits. */
  readonly isPlain?: boolean;
  /** Called once, when the equations cannot be compiled. */
  readonly onRefusal?: (refusal: UnsupportedSyntax) => void;
}

/** The same vehicle; its model has `jacobian` and `newton`. */
export function withJacobian<P>(vehicle: Vehicle<P>, options: JacobianOptions = {}): Vehicle<P> {
  const compiled = new Compiled(vehicle.model as Model, options);
  return {
    ...vehicle,
    model: {
      ...vehicle.model,
      jacobian: (by, x, u, p, e, J, dx) => compiled.jacobian(by, x, u, p, e, J, dx),
      newton: (owner, p, e) => compiled.newton(owner, p, e),
    },
  };
}

interface Kind {
  readonly lifted: TracedModel;
  /** Its graph was made, but no code of it. */
  isRefused?: boolean;
  readonly jacobians: Partial<Record<By, Jacobian>>;
  newton?: (owner: object, parameters: unknown) => Newton;
}

class Compiled {
  private readonly model: Model;
  private readonly options: JacobianOptions;
  private readonly fields: number;
  private readonly kinds: Kind[] = [];
  /** Messages that were reported already. */
  private readonly reported = new Set<string>();
  /** By parameters: the boundaries seen last, and what was compiled for them. */
  private readonly seen = new WeakMap<object, { readonly boundaries: Float64Array; readonly kind?: Kind }>();
  /** For models without boundaries that is all there is to it. */
  private last: { readonly p?: unknown; readonly kind?: Kind } = {};

  constructor(model: Model, options: JacobianOptions) {
    this.model = model;
    this.options = options;
    this.fields = model.environment.length;
  }

  /** False where the equations cannot be compiled. */
  jacobian(
    by: By,
    x: Float64Array,
    u: Float64Array,
    p: unknown,
    e: Float64Array,
    J: Float64Array,
    dx?: Float64Array,
  ): boolean {
    // What `derive` makes of parameters is not followed.
    if (by === "parameters" && this.model.derive !== undefined) return false;
    const kind = this.kindOf(p, e);
    if (kind === undefined || kind.isRefused) return false;
    kind.jacobians[by] ??= this.unlessRefused(kind, () =>
      this.isPlain
        ? walkedJacobian(this.model, kind.lifted, by)
        : jacobianKernel(jacobianModule(this.model, kind.lifted, by, p)),
    );
    kind.jacobians[by]?.(x, u, p, e, J, dx);
    return kind.jacobians[by] !== undefined;
  }

  newton(owner: object, p: unknown, e: Float64Array): Newton | undefined {
    const kind = this.kindOf(p, e);
    if (kind === undefined || kind.isRefused) return undefined;
    kind.newton ??= this.unlessRefused(kind, () => this.newtonOf(kind, p, e));
    return kind.newton?.(owner, p);
  }

  /** What the compiler makes, or undefined where it fails, which is reported once. */
  private unlessRefused<T>(kind: Kind | undefined, make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof UnsupportedSyntax)) throw error;
      if (kind) kind.isRefused = true;
      if (!this.reported.has(error.message)) this.options.onRefusal?.(error);
      this.reported.add(error.message);
      return undefined;
    }
  }

  private newtonOf({ lifted }: Kind, p: unknown, e: Float64Array): NonNullable<Kind["newton"]> {
    const { model } = this;
    const known = model.newton?.(this, p, e) ?? { pattern: this.patternOf(lifted) };
    if (!this.isPlain) return newtonKernels(newtonModule(model, lifted, known.pattern, p), known);
    return () => known;
  }
  private patternOf(lifted: TracedModel): Uint8Array {
    const n = this.model.states.length;
    const pattern = new Uint8Array(n * n);
    for (const { row, column } of entriesOf(this.model, lifted, "states")) pattern[row * n + column] = 1;
    return pattern;
  }

  private get isPlain(): boolean {
    return this.options.isPlain === true || !hasVectors();
  }

  /** What was compiled for these parameters and this environment. */
  private kindOf(p: unknown, e: Float64Array): Kind | undefined {
    const { fields, last } = this;
    if (last.p === p && e.length === fields) return last.kind;
    const seen = this.seen.get(p as object);
    if (seen !== undefined && !differs(seen.boundaries, e, fields)) return seen.kind;
    const kind = this.choose(p, e);
    this.seen.set(p as object, { boundaries: e.slice(fields), kind });
    this.last = { p, kind };
    return kind;
  }

  private choose(p: unknown, e: Float64Array): Kind | undefined {
    const known = this.kinds.find(({ lifted }) => holds(lifted, this.model, p, e));
    if (known !== undefined || this.kinds.length === MOST_KINDS) return known;
    return this.unlessRefused(undefined, () => {
      const kind: Kind = { lifted: trace(this.model, p, e), jacobians: {} };
      this.kinds.push(kind);
      return kind;
    });
  }
}
