/** Random states, inputs and environments of a vehicle, within the range for which its model is valid. */

import { stillAir } from "../../environment/environment.ts";
import { WIND_DOWN, WIND_EAST, WIND_NORTH } from "../../environment/fields.ts";
import { cos, exp, sin } from "../../math/elementary.ts";
import { fromEuler, toBody, toWorld } from "../../math/quaternion.ts";
import { stream } from "../../math/random.ts";
import type { Model } from "../../model/model.ts";
import { isInPlane, OMEGA, PHI, V_X, V_Y, X, Y } from "../../vehicles/plane.ts";
import { DOWN, P_B, Q_W, V_DOWN, V_EAST, V_NORTH } from "../../vehicles/rigid-body.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { environmentAt } from "../explain.ts";
import { isRigidBody } from "../motion.ts";
import { checksOf } from "./checks-of.ts";

export interface Sample {
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly e: Float64Array;
}

/** In free air or on the road; low, in ground effect; on the ground, some way up; slow, where wheels only roll. */
export type Region = "free" | "low" | "ground" | "slow";

export class Sampler {
  private readonly vehicle: Vehicle;
  private readonly draw: (low: number, high: number) => number;

  constructor(vehicle: Vehicle, seed = 1) {
    this.vehicle = vehicle;
    const source = stream(seed, "check");
    let index = 0;
    this.draw = (low, high) => low + (high - low) * source.uniform(index++);
  }

  sample(place: Region = "free"): Sample {
    const { model, parameters } = this.vehicle;
    const x = new Float64Array(model.states.length);
    const u = this.inputs(model);
    model.states.forEach((f, i) => {
      const input = model.inputs.findIndex((g) => g.name === f.follows);
      if (f.kind === "actuator") x[i] = input >= 0 ? u[input] * this.draw(0.9, 1) : this.draw(80, 200);
      if (f.kind === "store") x[i] = exp(this.draw(0, 10));
    });
    if (isRigidBody(model)) return this.flying(x, u, place);
    if (isInPlane(model)) this.driving(x, place);
    else this.anywhere(x);
    model.completeState?.(x, parameters);
    return { x, u, e: stillAir(model) };
  }

  /** Another relative flow at the same attitude and wind: the model must be valid at all states between the two. */
  beside(other: Sample): Sample {
    const { x, u, e } = this.sample();
    if (!isRigidBody(this.vehicle.model)) return { x, u, e };
    const body = new Float64Array(3);
    toBody(
      x,
      Q_W,
      Float64Array.of(x[V_NORTH] - e[WIND_NORTH], x[V_EAST] - e[WIND_EAST], x[V_DOWN] - e[WIND_DOWN]),
      0,
      body,
      0,
    );
    x.set(other.x.subarray(Q_W, P_B), Q_W);
    toWorld(x, Q_W, body, 0, x, V_NORTH);
    for (let i = 0; i < 3; i++) x[V_NORTH + i] += other.e[i];
    return { x, u, e: other.e };
  }

  private inputs(model: Model): Float64Array {
    const controls = model.controls?.(this.vehicle.parameters) ?? [];
    return Float64Array.from(model.inputs, (f) => {
      const control = controls.find((c) => c.inputs.includes(f.name));
      const low = control?.min ?? f.min ?? 0;
      const high = control?.max ?? f.max ?? 1;
      const top = Math.min(high, 1e4);
      return f.name.endsWith("_health")
        ? this.draw(0.6, 1)
        : this.draw(low + 0.05 * (top - low), top - 0.05 * (top - low));
    });
  }

  private flying(x: Float64Array, u: Float64Array, place: Region): Sample {
    const { model } = this.vehicle;
    const domain = checksOf(this.vehicle)?.domain ?? {
      speed: [1, 20],
      alpha: [-0.3, 0.3],
      beta: [-0.3, 0.3],
      rate: 1,
    };
    const isNear = place === "ground";
    const isLow = place === "low";
    const V = this.draw(...domain.speed) * (isNear ? 0.05 : 1);
    const [alpha, beta] = [this.draw(...domain.alpha), this.draw(...domain.beta)];
    const body = Float64Array.of(V * cos(alpha) * cos(beta), V * sin(beta), V * sin(alpha) * cos(beta));
    // On the ground it lies on any side.
    const tilt = isNear ? this.draw(0.02, 1.5) : isLow ? 0.1 : 0.8;
    const over = isNear && this.draw(0, 1) < 0.3 ? Math.PI : 0;
    fromEuler(over + this.draw(-tilt, tilt), this.draw(-tilt, tilt), this.draw(-3, 3), x, Q_W);
    toWorld(x, Q_W, body, 0, x, V_NORTH);
    const wind = [this.draw(-4, 4), this.draw(-4, 4), this.draw(-1, 1)] as const;
    for (let i = 0; i < 3; i++) {
      if (!isNear) x[V_NORTH + i] += wind[i];
      x[P_B + i] = this.draw(-domain.rate, domain.rate);
      x[i] = this.draw(-50, 50);
    }
    x[DOWN] = isNear ? this.draw(-0.3, 0.05) : isLow ? this.draw(-1.5, -0.6) : this.draw(-9000, -2000);
    model.states.forEach((f, i) => {
      if (f.kind === "internal") x[i] = isNear ? this.draw(-1e-4, 1e-4) : 0;
    });
    if (isNear) this.touchDown(x, u);
    const e = environmentAt(this.vehicle, x, isNear ? [0, 0, 0] : wind);
    const density = model.environment.findIndex((f) => f.name === "density_ratio");
    if (density >= 0) e[density] = this.draw(0.6, 1.1);
    return { x, u, e };
  }

  /** Lets it down until something touches, and a little further. */
  private touchDown(x: Float64Array, u: Float64Array): void {
    const { model, parameters } = this.vehicle;
    const touching = model.outputs.flatMap((f, i) => (f.name.startsWith("force_contact") ? [i] : []));
    const y = new Float64Array(model.outputs.length);
    const dx = new Float64Array(x.length);
    const e = environmentAt(this.vehicle, x, [0, 0, 0]);
    // In large steps first, then in small ones from the last that hung free.
    for (const step of [0.2, 0.02]) {
      for (x[DOWN] -= step === 0.2 ? 1.5 + x[DOWN] : 0.2; x[DOWN] < 0; x[DOWN] += step) {
        model.derivative(x, u, parameters, e, dx, y);
        if (touching.some((i) => y[i] !== 0)) break;
      }
    }
    x[DOWN] += this.draw(0, 0.03);
  }

  /** A model of its own kind: each state within its range, or of the order of one. */
  private anywhere(x: Float64Array): void {
    this.vehicle.model.states.forEach((f, i) => {
      if (f.kind !== "actuator" && f.kind !== "store")
        x[i] = this.draw(Math.max(f.min ?? -1, -10), Math.min(f.max ?? 1, 10));
    });
  }

  private driving(x: Float64Array, place: Region): void {
    const speed = checksOf(this.vehicle)?.domain.speed ?? [3, 20];
    const isSlow = place === "slow";
    x[X] = this.draw(-50, 50);
    x[Y] = this.draw(-50, 50);
    x[PHI] = this.draw(-3, 3);
    x[V_X] = isSlow ? this.draw(0.01, 0.06) : this.draw(...speed);
    x[V_Y] = isSlow ? 0 : this.draw(-1, 1);
    x[OMEGA] = isSlow ? 0 : this.draw(-0.7, 0.7);
    x[OMEGA + 1] *= 0.5;
  }
}
