/** Air and road take energy and never give it: without thrust, torque and turning, the power of all forces is not positive. */

import { WIND_DOWN, WIND_EAST, WIND_NORTH } from "../../environment/fields.ts";
import { toBody } from "../../math/quaternion.ts";
import { indexOf } from "../../model/model.ts";
import { isInPlane, OMEGA, V_X, V_Y } from "../../vehicles/plane.ts";
import { Q_W, V_DOWN, V_EAST, V_NORTH } from "../../vehicles/rigid-body.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { isRigidBody } from "../motion.ts";
import { evaluate } from "./evaluate.ts";
import { type Finding, finding, shown } from "./finding.ts";
import { type Sample, Sampler } from "./sample.ts";

export function checkPassive(vehicle: Vehicle, p: unknown, skips: (s: Sample) => boolean): Finding[] {
  if (!isRigidBody(vehicle.model) && !isInPlane(vehicle.model)) return [];
  const { model } = vehicle;
  const isBody = isRigidBody(model);
  const controls = model.controls?.(p) ?? [];
  const driven = new Set(controls.filter((c) => c.isPropulsion).flatMap((c) => c.inputs));
  const sampler = new Sampler(vehicle, 5);
  for (let k = 0; k < 200; k++) {
    const { x, u, e } = sampler.sample();
    model.inputs.forEach((f, i) => {
      if (driven.has(f.name)) u[i] = 0;
    });
    model.states.forEach((f, i) => {
      if (f.kind === "actuator" && (f.follows === undefined || driven.has(f.follows))) x[i] = 0;
    });
    if (isBody) x.fill(0, 10, 13);
    const s = { x, u, e };
    if (skips(s)) continue;
    const { dx, y } = evaluate(model, p, s);
    const power = isBody ? flightPower(vehicle, s, y) : roadPower(p, x, dx);
    const size = isBody ? Math.abs(y[indexOf(model.outputs, "force_z")]) : 1;
    if (power > 1e-9 * Math.max(1, size))
      return [
        finding(
          "passive",
          "wrong",
          `${isBody ? "the air" : "the road"} adds energy: ${shown(power)} W without any thrust, at ${place(vehicle, x)}`,
        ),
      ];
  }
  return [finding("passive", "ok", `${isBody ? "still air" : "the road"} never adds energy`)];
}

function flightPower({ model }: Vehicle, { x, e }: Sample, y: Float64Array): number {
  const air = new Float64Array(3);
  toBody(
    x,
    Q_W,
    Float64Array.of(x[V_NORTH] - e[WIND_NORTH], x[V_EAST] - e[WIND_EAST], x[V_DOWN] - e[WIND_DOWN]),
    0,
    air,
    0,
  );
  return ["x", "y", "z"].reduce((sum, a, i) => sum + y[indexOf(model.outputs, `force_${a}`)] * air[i], 0);
}

function roadPower(p: unknown, x: Float64Array, dx: Float64Array): number {
  const { m, I_z } = p as { m: number; I_z: number };
  return m * (x[V_X] * dx[V_X] + x[V_Y] * dx[V_Y]) + I_z * x[OMEGA] * dx[OMEGA];
}

const place = ({ model }: Vehicle, x: Float64Array) =>
  model.states.flatMap((f, i) => (f.kind === "velocity" ? [`${f.name} ${shown(x[i])}`] : [])).join(", ");
