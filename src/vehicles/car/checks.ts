import { cos, sin } from "../../math/elementary.ts";
import type { Balance, ModelChecks } from "../../model/model-checks.ts";
import { WHEELS } from "./outputs.ts";
import { type CarParameters, downforce } from "./parameters.ts";
import { DELTA, MODE, OMEGA, PHI, V_X, V_Y } from "./places.ts";
import { REFERENCE_CASES } from "./reference-cases.ts";

const ALONG = 1;
const ACROSS = 2;
const LOADS = 6;
const F_X = 14;
const F_Y = 18;
const LIFTED = 22;
const FORCE_X = 23;
const FORCE_Y = 27;
const MOMENT = 30;

/** Weight and downforce on the wheels, their moments, and Newton and Euler of the whole. */
function balances(
  x: Float64Array,
  _u: Float64Array,
  p: CarParameters,
  _e: Float64Array,
  dx: Float64Array,
  y: Float64Array,
): Balance[] {
  const weight = p.m * p.g + downforce(p, x[V_X]);
  const load = (i: number) => y[LOADS + i];
  const [cd, sd] = [cos(x[DELTA]), sin(x[DELTA])];
  // Sum over the wheels of place times force, as a torque about the vertical.
  let moment = 0;
  let along = -0;
  let across = 0;
  WHEELS.forEach((_, i) => {
    const [c, s] = i < 2 ? [cd, sd] : [1, 0];
    const fx = y[F_X + i] * c - y[F_Y + i] * s;
    const fy = y[F_X + i] * s + y[F_Y + i] * c;
    moment += (i < 2 ? p.l_F : -p.l_R) * fy - (i % 2 === 0 ? 0.5 : -0.5) * p.W * fx;
    along += fx;
    across += fy;
  });
  const drag = y[FORCE_X + 3];
  const law = (name: string, left: number, right: number, size: number): Balance => ({
    name,
    left,
    right,
    size,
  });
  const isOnWheels = x[MODE] < 0.5 || y[LIFTED] === 0;
  return [
    law("the wheels carry weight and downforce", load(0) + load(1) + load(2) + load(3), weight, weight),
    ...(isOnWheels
      ? [
          law(
            "loads front and rear balance the acceleration",
            (load(0) + load(1)) * p.l_F - (load(2) + load(3)) * p.l_R,
            -p.m * y[ALONG] * p.z_CG,
            weight,
          ),
          law(
            "loads right and left balance the acceleration",
            0.5 * p.W * (load(1) + load(3) - load(0) - load(2)),
            p.m * y[ACROSS] * p.z_CG,
            weight,
          ),
        ]
      : []),
    ...(x[MODE] >= 0.5
      ? [
          law(
            "mass times acceleration along is force",
            p.m * (dx[V_X] - x[V_Y] * x[OMEGA]),
            y[FORCE_X],
            weight,
          ),
          law(
            "mass times acceleration across is force",
            p.m * (dx[V_Y] + x[V_X] * x[OMEGA]),
            y[FORCE_Y],
            weight,
          ),
          law("yaw inertia times acceleration is moment", p.I_z * dx[OMEGA], y[MOMENT], weight),
          law("wheels and drag make the force along", along + drag, y[FORCE_X], weight),
          law("wheels make the force across", across, y[FORCE_Y], weight),
          law("wheels make the yawing moment", moment, y[MOMENT], weight),
        ]
      : []),
    ...(x[MODE] < 0.5 ? rolling(x, p, dx) : []),
    law("acceleration along", y[ALONG], dx[V_X] - x[V_Y] * x[OMEGA], 10),
    law("acceleration across", y[ACROSS], dx[V_Y] + x[V_X] * x[OMEGA], 10),
    law("speed", y[0], Math.sqrt(x[V_X] * x[V_X] + x[V_Y] * x[V_Y]), 1),
    law("downforce", y[5], downforce(p, x[V_X]), weight),
    law("heading changes by the yaw rate", dx[PHI], x[OMEGA], 1),
  ];
}

/** Wheels that roll where they point: v_y = v_x l_R tan(delta)/L and omega = v_y/l_R, and so do their rates. */
function rolling(x: Float64Array, p: CarParameters, dx: Float64Array): Balance[] {
  const [c, s] = [cos(x[DELTA]), sin(x[DELTA])];
  const part = p.l_R / (p.l_F + p.l_R);
  return [
    {
      name: "rolling wheels point where the car goes",
      left: x[V_Y] * c,
      right: x[V_X] * part * s,
      size: 1e-3,
    },
    {
      name: "rolling wheels keep rolling",
      left: dx[V_Y],
      right: dx[V_X] * part * (s / c) + (x[V_X] * part * dx[DELTA]) / (c * c),
      size: 1e-3,
    },
    { name: "rolling wheels turn the car", left: dx[OMEGA] * p.l_R, right: dx[V_Y], size: 1e-3 },
  ];
}

/** Left and right change places. */
const SIDES = [0, 1, 2, 3, 4, 5, 6].map((i) => [i, [1, -1, -1, 1, -1, -1, -1][i]] as const);

export const CAR_CHECKS: ModelChecks<CarParameters> = {
  domain: { speed: [5, 28], alpha: [0, 0], beta: [0, 0], rate: 0.7 },
  mirror: () => ({
    states: [...SIDES, [8, 1], [7, 1], [10, 1], [9, 1], [11, 1]],
    inputs: [
      [0, -1],
      [2, 1],
      [1, 1],
      [4, 1],
      [3, 1],
    ],
  }),
  balances,
  exceptions: [
    {
      check: "effect",
      fields: /^(length|width)$/,
      reason: "the body's size is used for cones and light beams only, not for its motion",
    },
    {
      check: "units",
      reason:
        "below walking pace drag and brakes fade with tanh(10 v), a constant of 10 s/m from the source, and slip angles have at least 1 mm/s in their denominator",
      outside: (x) => Math.abs(x[V_X]) < 3,
    },
    ...(["speed", "events"] as const).map((check) => ({
      check,
      without: { compat: 0 },
      reason: "compat: brains2 changes its equations once a tick, without events, as the original does",
    })),
    {
      check: "continuous",
      reason:
        "the car switches from rolling to tyre slip at 0.1 m/s and back at 0.08 m/s: two sets of equations, one state (its mode)",
      outside: (x) => x[MODE] < 0.5 || Math.abs(x[V_X]) < 0.2,
    },
  ],
  referenceCases: REFERENCE_CASES,
};
