/**
 * Trim: steady flight, glide, climb, turn, hover and cornering, by solving for everything at once. What the given conditions leave
 * open is settled by moving the controls as little as possible from where they stand at rest.
 */
import { stillAir } from "../environment/environment.ts";
import { jacobian, type LeastSquaresResult, largest, leastSquares } from "../math/least-squares.ts";
import { type Control, indexOf } from "../model/model.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { type Constraint, constraintsOf } from "./constraints.ts";
import { surfacesThatDrag } from "./control-drag.ts";
import { leastEffort } from "./least-effort.ts";
import { type Motion, motionOf, type Rate, type Unknown } from "./motion.ts";
import { residualSlopesOf } from "./trim-slopes.ts";
import { startOf } from "./trim-start.ts";
import { UnslavedActuators } from "./unslaved.ts";

export const BRANCHES = ["nose-first", "tail-first", "stalled"] as const;
export type Branch = (typeof BRANCHES)[number];

/** Conditions of the motion; all else is free. SI, radians. */
export interface Condition {
  /** True airspeed, or the car's speed over ground. 0: hover. */
  readonly speed?: number;
  /** Which of several steady flights: by default nose first and below the stall. */
  readonly branch?: Branch;
  /** Upward. */
  readonly climb?: number;
  /** Rate of turn: in flight positive to the right, on the road to the left. */
  readonly turn?: number;
  readonly bank?: number;
  readonly sideslip?: number;
  /** Coordinated: no lateral specific force, the ball stays in the middle. */
  readonly isCoordinated?: boolean;
  /** Of a car: acceleration to the left. */
  readonly lateral?: number;
}

export interface Trimmed {
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly outputs: Readonly<Record<string, number>>;
  readonly motion: Readonly<Record<string, number>>;
  readonly controls: readonly {
    readonly control: Control;
    readonly value: number;
    readonly isFree: boolean;
  }[];
  /** What is left of each rate and condition, and the largest of them. */
  readonly residuals: readonly (Rate & { readonly value: number })[];
  readonly residual: number;
  readonly isTrimmed: boolean;
  /** Controls and angles that stand at a limit and would have to go on. */
  readonly blocked: readonly { readonly name: string; readonly limit: number; readonly unit: string }[];
  /** Surfaces that are deflected for nothing but a drag below zero (control-drag.ts): no steady flight, though all rates vanish. */
  readonly draggedBy: readonly string[];
  /** To start a neighbour from, by name; of what acts with its square the square. */
  readonly unknowns: Start;
}

/** Unknowns to begin with, by name; what is not there begins as usual. */
export type Start = Readonly<Record<string, number>>;

/** Rates and conditions that miss by less than this, in SI units, are met. */
const STEADY = 1e-10;
/** Regularisation weights that hold controls near rest against the rates, for starts that are far away. */
const FAR_WEIGHTS = [10, 3, 0.1];
/** Thrust has no cost: no surface deflects to save it. */
const CHEAP = 0.03;
/** Damping where a solution is near: little, but enough that what is left open does not wander off. */
const NEAR = 1e-7;
/** A rotor above this part of its upper limit counts as saturated. */
const ALL = 1 - 1e-6;

/** From anywhere, or from the solution of a neighbour. */
export type Way = "far" | "near";

/** `held`: inputs by name that stay as they are. `start`: unknowns to begin with. */
export function trim(
  vehicle: Vehicle,
  condition: Condition,
  held: Readonly<Record<string, number>>,
  start?: Start,
  way: Way = "far",
): Trimmed {
  return new TrimProblem(vehicle, condition, held).solve(start, way);
}

class TrimProblem {
  readonly vehicle: Vehicle;
  readonly condition: Condition;
  readonly motion: Motion;
  /** Of the motion, free controls, and unslaved actuators. */
  readonly unknowns: readonly Unknown[];
  private readonly controls: readonly Control[];
  readonly free: readonly Control[];
  readonly places: readonly (readonly number[])[];
  readonly followers: readonly (readonly [number, number])[];
  private readonly actuators: UnslavedActuators;
  readonly unslaved: readonly number[];
  readonly constraints: readonly Constraint[];
  readonly rows: number;
  readonly z: Float64Array;
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly e: Float64Array;
  readonly dx: Float64Array;
  private readonly y: Float64Array;
  /** The model does not begin with what it was given: a car that rolls. */
  private isMoved = false;
  private readonly r: Float64Array;
  private slopes: ((J: Float64Array) => boolean) | undefined;
  /** Of each unknown: how much its distance from rest counts, and where that is. */
  private readonly effort: Record<"weights" | "rests", readonly number[]>;
  private readonly bounds: Record<"lower" | "upper" | "scale", readonly number[]>;

  constructor(vehicle: Vehicle, condition: Condition, held: Readonly<Record<string, number>>) {
    const { model, parameters } = vehicle;
    const { states, inputs } = model;
    this.vehicle = vehicle;
    this.condition = condition;
    this.motion = motionOf(vehicle);
    this.controls = model.controls?.(parameters) ?? [];
    this.free = this.controls.filter((c) => !c.inputs.some((name) => name in held));
    this.places = this.free.map((c) => c.inputs.map((name) => indexOf(inputs, name)));
    this.followers = states.flatMap((f, i) =>
      f.follows === undefined ? [] : [[i, indexOf(inputs, f.follows)] as const],
    );
    this.actuators = new UnslavedActuators(model);
    this.unslaved = this.actuators.states;
    this.unknowns = [
      ...this.motion.unknowns.map((a) => this.fixed(a)),
      ...this.free.map(({ name, min, max, isSquare }) => ({
        name,
        unit: "",
        lower: isSquare ? min * Math.abs(min) : min,
        upper: isSquare ? max * max : max,
        scale: 0.1 * (isSquare ? max * max : max - min),
      })),
    ];
    this.bounds = {
      lower: this.unknowns.map((a) => a.lower),
      upper: this.unknowns.map((a) => a.upper),
      scale: this.unknowns.map((a) => a.scale),
    };
    const control = (i: number): Control | undefined => this.free[i - this.motion.unknowns.length];
    this.effort = {
      weights: this.unknowns.map(({ lower, upper }, i) =>
        control(i) === undefined ? 0 : (control(i)?.isSquare ? CHEAP : 1) / (upper - lower),
      ),
      rests: this.unknowns.map((_, i) => {
        const { neutral = 0, isSquare } = control(i) ?? {};
        return isSquare ? neutral * neutral : neutral;
      }),
    };
    this.z = new Float64Array(this.motion.unknowns.length);
    this.x = new Float64Array(states.length);
    this.u = Float64Array.from(inputs, (f) => held[f.name] ?? f.default ?? 0);
    this.e = stillAir(model);
    this.dx = new Float64Array(states.length);
    this.y = new Float64Array(model.outputs.length);
    this.constraints = constraintsOf(condition, this);
    this.rows = this.motion.rates.length + this.constraints.length;
    this.r = new Float64Array(this.rows);
  }

  /** Conditions that say what an unknown of the motion is. */
  private fixed(unknown: Unknown): Unknown {
    const { speed, climb, turn, bank, branch } = this.condition;
    if (unknown.name === "v_forward" && speed !== undefined && speed > 0)
      return branch === "tail-first" ? { ...unknown, upper: 0 } : { ...unknown, lower: 0 };
    const values: Readonly<Record<string, number | undefined>> = {
      v_down: climb === undefined ? undefined : -climb,
      turn,
      roll: bank,
      ...(speed === 0 ? { v_forward: 0, v_right: 0 } : {}),
    };
    const value = values[unknown.name];
    return value === undefined ? unknown : { ...unknown, lower: value, upper: value };
  }

  /** What should vanish at these unknowns: rates of the motion, constraints. */
  evaluate(unknowns: Float64Array, r: Float64Array): void {
    this.place(unknowns);
    this.rates();
    this.actuators.settle(this.x, this.dx, this.rates);
    this.measure(r);
  }

  private readonly rates = () => {
    const { model, parameters } = this.vehicle;
    model.derivative(this.x, this.u, parameters, this.e, this.dx);
  };

  stallMargin(): number {
    const { model, parameters } = this.vehicle;
    if (model.stallMargin === undefined) return Number.POSITIVE_INFINITY;
    model.derivative(this.x, this.u, parameters, this.e, this.dx, this.y);
    return model.stallMargin(this.x, parameters, this.y);
  }

  /** Unknowns into states and inputs. */
  private place(unknowns: Float64Array): void {
    const { x, u, z, motion, vehicle } = this;
    const first = z.length;
    z.set(unknowns.subarray(0, first));
    this.free.forEach(({ isSquare }, i) => {
      const value = isSquare ? Math.sqrt(Math.max(0, unknowns[first + i])) : unknowns[first + i];
      for (const place of this.places[i]) u[place] = value;
    });
    for (const [state, input] of this.followers) x[state] = u[input];
    motion.place(z, x);
    const { model, parameters } = vehicle;
    if (model.completeState === undefined) return;
    const placed = x.slice();
    model.completeState(x, parameters);
    this.isMoved = x.some((v, i) => v !== placed[i] && model.states[i].kind !== "discrete");
  }

  /** What should vanish, from the rates. */
  private measure(r: Float64Array): void {
    const { dx, z, motion, constraints } = this;
    motion.measure(z, dx, r);
    let row = motion.rates.length;
    for (const { of } of constraints) r[row++] = of();
  }

  private derivatives(unknowns: Float64Array, J: Float64Array): boolean {
    if (this.vehicle.model.jacobian === undefined) return false;
    this.evaluate(unknowns, this.r);
    if (this.isMoved) return false;
    this.slopes ??= residualSlopesOf(this);
    return this.slopes(J);
  }

  solve(given: Start | undefined, way: Way): Trimmed {
    this.actuators.begin(this.x);
    const isGiven = given !== undefined && this.unknowns.every(({ name }) => name in given);
    const usual = isGiven ? [] : startOf(this);
    for (const i of this.unslaved)
      this.x[i] = given?.[stateKey(this.vehicle.model.states[i].name)] ?? this.x[i];
    const start = Float64Array.from(this.unknowns, ({ name }, i) => given?.[name] ?? usual[i]);
    const found = this.leastEffort(start, way === "near" ? NEAR : undefined);
    if (way === "near" || this.free.length === 0 || (found.size <= STEADY && !this.isStalled(found)))
      return this.result(found);
    // Far from a solution the way is easily lost, or leads beyond the stall: there the controls come near rest first.
    let held: ArrayLike<number> = start;
    for (const weight of FAR_WEIGHTS) held = this.nearRest(held, weight);
    const other = this.leastEffort(held);
    const isBetter =
      found.size <= STEADY ? other.size <= STEADY && !this.isStalled(other) : other.size < found.size;
    return this.result(isBetter ? other : found);
  }

  private isStalled({ x }: LeastSquaresResult): boolean {
    this.evaluate(x, this.r);
    return this.stallMargin() < 0;
  }

  private steady(start: ArrayLike<number>, damping?: number): LeastSquaresResult {
    return leastSquares({
      ...this.bounds,
      start,
      count: this.rows,
      damping,
      residuals: (v, r) => this.evaluate(v, r),
      derivatives: (v, J) => this.derivatives(v, J),
    });
  }

  /** Rates, and the controls' distance from rest by a weight over their ranges: for starts that are far away. */
  private nearRest(start: ArrayLike<number>, weight: number): Float64Array {
    const { rows, effort } = this;
    const first = this.z.length;
    return leastSquares({
      ...this.bounds,
      start,
      count: rows + this.free.length,
      enough: 1e-6,
      residuals: (v, r) => {
        this.evaluate(v, r);
        for (let i = first; i < v.length; i++)
          r[rows + i - first] = weight * effort.weights[i] * (v[i] - effort.rests[i]);
      },
      derivatives: (v, J) => {
        if (!this.derivatives(v, J)) return false;
        J.fill(0, rows * v.length);
        for (let i = first; i < v.length; i++)
          J[(rows + i - first) * v.length + i] = weight * effort.weights[i];
        return true;
      },
    }).x;
  }

  /** A steady motion, and where there are many that of least control effort. */
  private leastEffort(start: ArrayLike<number>, damping?: number): LeastSquaresResult {
    const { rows, unknowns, bounds, r } = this;
    const any = this.steady(start, damping);
    const open = unknowns.filter((a) => a.lower < a.upper).length;
    if (open <= rows || any.size > STEADY) return any;
    const moved = new Float64Array(rows);
    let last = any;
    const problem = {
      residuals: (v: Float64Array, out: Float64Array) => this.evaluate(v, out),
      derivatives: (v: Float64Array, J: Float64Array) => this.derivatives(v, J),
    };
    leastEffort(
      {
        ...bounds,
        ...this.effort,
        rows,
        slopes: (v, J) => {
          this.evaluate(v, r);
          jacobian({ ...problem, ...bounds, count: rows, start: v }, v, r, moved, J);
        },
        restore: (v) => {
          const found = this.steady(v, NEAR);
          if (found.size > STEADY) return undefined;
          last = found;
          return found.x;
        },
      },
      any.x,
    );
    return last;
  }

  private result({ x: solution, blocked }: LeastSquaresResult): Trimmed {
    const { vehicle, x, u, y, dx, motion, unknowns, unslaved, constraints } = this;
    const { model, parameters } = vehicle;
    const r = new Float64Array(this.rows);
    this.evaluate(solution, r);
    model.derivative(x, u, parameters, this.e, dx, y);
    const names = [
      ...motion.rates,
      ...constraints,
      ...unslaved.map((i) => ({
        name: `change of ${model.states[i].name}`,
        unit: `${model.states[i].unit}/s`,
      })),
    ];
    const left = Float64Array.of(...r, ...unslaved.map((i) => dx[i]));
    const residual = largest(left);
    const draggedBy =
      residual < STEADY && this.isOutOfThrust(solution) ? surfacesThatDrag(this, solution) : [];
    const isFree = (c: Control) => this.free.includes(c);
    return {
      x: x.slice(),
      u: u.slice(),
      outputs: Object.fromEntries(model.outputs.map((f, i) => [f.name, y[i]])),
      motion: Object.fromEntries(motion.unknowns.map((a, i) => [a.name, solution[i]])),
      controls: this.controls.map((control) => ({
        control,
        value: u[indexOf(model.inputs, control.inputs[0])],
        isFree: isFree(control),
      })),
      residuals: names.map(({ name, unit }, i) => ({ name, unit, value: left[i] })),
      residual,
      isTrimmed:
        residual < STEADY &&
        draggedBy.length === 0 &&
        !unknowns.some((u, i) => i < this.z.length && isAtEnd(u, solution[i])),
      draggedBy,
      blocked: unknowns.flatMap((a, i) => {
        const isSearched = i < this.z.length && isAtEnd(a, solution[i]);
        if ((blocked[i] === 0 && !isSearched) || a.lower === a.upper) return [];
        const control = this.free[i - this.z.length];
        // What rests at its limit is not in the way there: a rotor that stands.
        if (control?.isPropulsion && blocked[i] < 0 && control.neutral <= control.min) return [];
        const limit = solution[i] <= a.lower ? a.lower : a.upper;
        const isSquare = control?.isSquare;
        const unit = control ? model.inputs[indexOf(model.inputs, control.inputs[0])].unit : a.unit;
        return [{ name: a.name, limit: isSquare ? Math.sqrt(limit) : limit, unit }];
      }),
      unknowns: {
        ...Object.fromEntries(unknowns.map((a, i) => [a.name, solution[i]])),
        ...Object.fromEntries(unslaved.map((i) => [stateKey(model.states[i].name), x[i]])),
      },
    };
  }

  private isOutOfThrust(solution: Float64Array): boolean {
    const first = this.z.length;
    return this.free.some(
      (c, i) => c.isPropulsion && solution[first + i] >= ALL * this.unknowns[first + i].upper,
    );
  }
}

/** Among unknowns by name: the speed of rotor_1, not the control of that name. */
const stateKey = (name: string) => `state ${name}`;

/** Whether a motion stands where the search for it ends: what holds it there is the search. */
const isAtEnd = ({ lower, upper }: Unknown, v: number) => lower < upper && (v <= lower || v >= upper);
