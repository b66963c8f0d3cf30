/**
 * Trim: steady flight, glide, climb, turn, hover and cornering, by solving for everything at once. What the given conditions leave
 * open is settled by moving the controls as little as possible from where they stand at rest.
 */
import { stillAir } from "../environment/environment.ts";
import { hypot } from "../math/elementary.ts";
import { largest, leastSquares } from "../math/least-squares.ts";
import { type Control, indexOf, type Vehicle } from "../model/model.ts";
import { type Demand, demandsOf } from "./demands.ts";
import { isRigidBody, type Motion, motionOf, type Rate, type Unknown } from "./motion.ts";
import { residualSlopesOf } from "./trim-slopes.ts";

/** What is asked of the motion; all else is free. SI, radians. */
export interface Condition {
  /** True airspeed, or the car's speed over ground. 0: hover. */
  readonly speed?: number;
  /** Upward. */
  readonly climb?: number;
  /** Rate of turn: in flight positive to the right, on the road to the left. */
  readonly turn?: number;
  readonly bank?: number;
  readonly sideslip?: number;
  /** No force to the side is felt: the ball stays in the middle. */
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
  /** What stands at a limit and wants to go on. */
  readonly blocked: readonly { readonly name: string; readonly limit: number; readonly unit: string }[];
  /** To start a neighbour from, by name; of what acts with its square the square. */
  readonly unknowns: Start;
}

/** Unknowns to begin with, by name; what is not there begins as usual. */
export type Start = Readonly<Record<string, number>>;

/** Rates and conditions that miss by less than this, in SI units, are met. */
const STEADY = 1e-10;
/** Weights of keeping controls near rest against the rates: firmly at first, so that all starts come to the same place. */
const FIRMLY = [10, 3];
const GENTLY = [1e-1, 1e-2, 1e-3, 1e-4];
/** Thrust is there to be used: no surface moves to spare it. */
const CHEAP = 0.03;
/** Damping where a solution is near. */
const NEAR = 1e-12;

/** From anywhere; from the solution of a neighbour; or whatever way of holding the controls is found first. */
export type Way = "far" | "near" | "any";

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
  /** Of the motion, free controls, and actuators that have their own mind. */
  readonly unknowns: readonly Unknown[];
  private readonly controls: readonly Control[];
  readonly free: readonly Control[];
  readonly places: readonly (readonly number[])[];
  readonly followers: readonly (readonly [number, number])[];
  readonly willful: readonly number[];
  readonly demands: readonly Demand[];
  readonly rows: number;
  readonly z: Float64Array;
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly e: Float64Array;
  readonly dx: Float64Array;
  private readonly y: Float64Array;
  /** The model does not begin with what it was given: a car that rolls. */
  private isMoved = false;
  private slopes: ((J: Float64Array) => boolean) | undefined;

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
    this.willful = states.flatMap((f, i) => (f.kind === "actuator" && f.follows === undefined ? [i] : []));
    this.unknowns = [
      ...this.motion.unknowns.map((a) => this.fixed(a)),
      ...this.free.map(({ name, min, max, isSquare }) => ({
        name,
        unit: "",
        lower: isSquare ? min * Math.abs(min) : min,
        upper: isSquare ? max * max : max,
        scale: 0.1 * (isSquare ? max * max : max - min),
      })),
      ...this.willful.map((i) => ({
        name: states[i].name,
        unit: states[i].unit,
        lower: -1e5,
        upper: 1e5,
        scale: 100,
      })),
    ];
    this.z = new Float64Array(this.motion.unknowns.length);
    this.x = new Float64Array(states.length);
    this.u = Float64Array.from(inputs, (f) => held[f.name] ?? f.default ?? 0);
    this.e = stillAir(model);
    this.dx = new Float64Array(states.length);
    this.y = new Float64Array(model.outputs.length);
    this.demands = demandsOf(condition, this);
    this.rows = this.motion.rates.length + this.willful.length + this.demands.length;
  }

  /** Conditions that say what an unknown of the motion is. */
  private fixed(unknown: Unknown): Unknown {
    const { speed, climb, turn, bank } = this.condition;
    const values: Readonly<Record<string, number | undefined>> = {
      v_down: climb === undefined ? undefined : -climb,
      turn,
      roll: bank,
      ...(speed === 0 ? { v_forward: 0, v_right: 0 } : {}),
    };
    const value = values[unknown.name];
    return value === undefined ? unknown : { ...unknown, lower: value, upper: value };
  }

  private evaluate(unknowns: Float64Array, r: Float64Array): void {
    const { model, parameters } = this.vehicle;
    this.place(unknowns);
    model.derivative(this.x, this.u, parameters, this.e, this.dx);
    this.measure(r);
  }

  /** Unknowns into states and inputs. */
  private place(unknowns: Float64Array): void {
    const { x, u, z, motion, vehicle, willful } = this;
    const first = z.length;
    z.set(unknowns.subarray(0, first));
    this.free.forEach(({ isSquare }, i) => {
      const value = isSquare ? Math.sqrt(Math.max(0, unknowns[first + i])) : unknowns[first + i];
      for (const place of this.places[i]) u[place] = value;
    });
    for (const [state, input] of this.followers) x[state] = u[input];
    willful.forEach((i, k) => {
      x[i] = unknowns[first + this.free.length + k];
    });
    motion.place(z, x);
    const { model, parameters } = vehicle;
    if (model.begin === undefined) return;
    const placed = x.slice();
    model.begin(x, parameters);
    this.isMoved = x.some((v, i) => v !== placed[i] && model.states[i].kind !== "discrete");
  }

  /** What should vanish, from the rates. */
  private measure(r: Float64Array): void {
    const { dx, z, motion, demands, willful } = this;
    motion.measure(z, dx, r);
    let row = motion.rates.length;
    for (const i of willful) r[row++] = dx[i];
    for (const { of } of demands) r[row++] = of();
  }

  private derivatives(unknowns: Float64Array, J: Float64Array): boolean {
    this.place(unknowns);
    if (this.isMoved || this.vehicle.model.jacobian === undefined) return false;
    this.slopes ??= residualSlopesOf(this);
    return this.slopes(J);
  }

  solve(given: Start | undefined, way: Way): Trimmed {
    const { rows, free, unknowns } = this;
    const first = this.z.length;
    const open = unknowns.filter((a) => a.lower < a.upper).length;
    const bounds = {
      lower: unknowns.map((a) => a.lower),
      upper: unknowns.map((a) => a.upper),
      scale: unknowns.map((a) => a.scale),
    };
    const steady = (from: ArrayLike<number>, damping?: number) =>
      leastSquares({
        ...bounds,
        start: from,
        count: rows,
        damping,
        residuals: (v, r) => this.evaluate(v, r),
        derivatives: (v, J) => this.derivatives(v, J),
      });
    /** How much each control is held back from moving. */
    const holding = (weight: number) =>
      free.map((c, i) => {
        const { upper, lower } = unknowns[first + i];
        return (weight * (c.isSquare ? CHEAP : 1)) / (upper - lower);
      });
    const gently = (from: ArrayLike<number>, weight: number, damping?: number) => {
      const hold = holding(weight);
      return leastSquares({
        ...bounds,
        start: from,
        count: rows + free.length,
        damping,
        enough: weight === GENTLY[GENTLY.length - 1] ? undefined : 1e-6,
        residuals: (v, r) => {
          this.evaluate(v, r);
          free.forEach((c, i) => {
            r[rows + i] = hold[i] * (v[first + i] - (c.isSquare ? c.neutral * c.neutral : c.neutral));
          });
        },
        derivatives: (v, J) => {
          if (!this.derivatives(v, J)) return false;
          J.fill(0, rows * v.length);
          hold.forEach((h, i) => {
            J[(rows + i) * v.length + first + i] = h;
          });
          return true;
        },
      }).x;
    };
    const usual = this.guess();
    const start = Float64Array.from(unknowns, ({ name }, i) => given?.[name] ?? usual[i]);
    if (way === "any") {
      const found = steady(start);
      return this.told(found.x, found.blocked);
    }
    // Controls come near rest before anything else: from far out the way is easily lost.
    let near: ArrayLike<number> = start;
    if (way === "far" && free.length > 0) for (const weight of FIRMLY) near = gently(near, weight);
    if (open > rows) near = gently(near, GENTLY[0]);
    let any = steady(near);
    if (any.size > STEADY && way === "far") {
      const other = steady(start);
      if (other.size < any.size) any = other;
      near = any.x;
    }
    // Where there are more ways than one: the one that moves the controls least, nearly, and exactly steady from there.
    if (open <= rows || any.size > STEADY) return this.told(any.x, any.blocked);
    for (const weight of GENTLY.slice(1)) near = gently(near, weight, NEAR);
    const found = steady(near, NEAR);
    // From afar any way will do; along a curve the usual one ends here.
    const isUsual = found.size <= STEADY || way === "near";
    return isUsual ? this.told(found.x, found.blocked) : this.told(any.x, any.blocked);
  }

  private told(solution: Float64Array, blocked: Int8Array): Trimmed {
    const { vehicle, x, u, y, dx, motion, unknowns, willful, demands } = this;
    const { model, parameters } = vehicle;
    const r = new Float64Array(this.rows);
    this.evaluate(solution, r);
    model.derivative(x, u, parameters, this.e, dx, y);
    const names = [
      ...motion.rates,
      ...willful.map((i) => ({
        name: `change of ${model.states[i].name}`,
        unit: `${model.states[i].unit}/s`,
      })),
      ...demands,
    ];
    const residual = largest(r);
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
      residuals: names.map(({ name, unit }, i) => ({ name, unit, value: r[i] })),
      residual,
      isTrimmed: residual < STEADY && !unknowns.some((u, i) => i < this.z.length && isAtEnd(u, solution[i])),
      blocked: unknowns.flatMap((a, i) => {
        const isSearched = i < this.z.length && isAtEnd(a, solution[i]);
        if ((blocked[i] === 0 && !isSearched) || a.lower === a.upper) return [];
        const control = this.free[i - this.z.length];
        const limit = solution[i] <= a.lower ? a.lower : a.upper;
        const isSquare = control?.isSquare;
        const unit = control ? model.inputs[indexOf(model.inputs, control.inputs[0])].unit : a.unit;
        return [{ name: a.name, limit: isSquare ? Math.sqrt(limit) : limit, unit }];
      }),
      unknowns: Object.fromEntries(unknowns.map((a, i) => [a.name, solution[i]])),
    };
  }

  /** Somewhere to begin: straight ahead or in a turn of that bank, rotors at half their fastest speed, surfaces at rest. */
  private guess(): Float64Array {
    const { turn = 0, lateral = 0 } = this.condition;
    const follows = turn !== 0 && lateral !== 0 ? lateral / turn : undefined;
    const { speed = follows ?? (usualSpeed(this.vehicle) || 5) } = this.condition;
    const { g = 9.81 } = this.vehicle.parameters as { g?: number };
    const isFlight = isRigidBody(this.vehicle.model);
    const values: Readonly<Record<string, number>> = {
      v_forward: speed,
      v_x: speed,
      v_down: isFlight ? 0.1 * speed : 0,
      roll: Math.max(-1, Math.min(1, (turn * speed) / g)),
      pitch: 0,
      turn: turn === 0 && lateral !== 0 ? lateral / Math.max(1, speed) : turn,
    };
    return Float64Array.from(this.unknowns, ({ name, lower, upper }, i) => {
      const control = this.free[i - this.z.length];
      if (control?.isSquare) return 0.25 * upper;
      if (control) return control.neutral;
      return Math.max(lower, Math.min(upper, values[name] ?? (this.willful.length > 0 ? 100 : 0)));
    });
  }
}

/** Whether a motion stands where the search for it ends: what holds it there is the search. */
const isAtEnd = ({ lower, upper }: Unknown, v: number) => lower < upper && (v <= lower || v >= upper);

/** Its speed where nothing else is said. */
export function usualSpeed({ initial }: Vehicle): number {
  const { v_north = 0, v_down = 0, v_x = 0 } = initial;
  return hypot(hypot(v_north, v_down), v_x);
}
