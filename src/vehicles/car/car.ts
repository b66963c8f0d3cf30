/** The car as a model: its fields, what changes between rolling and sliding, and what ends a drive. */
import { hypot, sin } from "../../math/elementary.ts";
import type { Field } from "../../model/field.ts";
import type { Model, ModelEvent, Newton } from "../../model/model.ts";
import { clipAsBrains2 } from "./brains2.ts";
import { EQUATIONS, MODE } from "./equations.ts";
import { ENTRIES, holdsFor, writeEntries } from "./jacobian.generated.ts";
import { rollingMotion } from "./kinematic.ts";
import { OUTPUTS, WHEELS } from "./outputs.ts";
import { type CarParameters, downforce, PARAMETERS } from "./parameters.ts";

// Places of the states.
// biome-ignore format: a table
const V_X = 3, V_Y = 4, OMEGA = 5, DELTA = 6, TAU_FL = 7, TAU_FR = 8;

const STATES: readonly Field[] = [
  { name: "X", unit: "m", meaning: "position in the plane, X", kind: "position", cyclic: true },
  { name: "Y", unit: "m", meaning: "position in the plane, Y", kind: "position", cyclic: true },
  { name: "phi", unit: "rad", meaning: "heading, counter-clockwise from X", cyclic: true },
  { name: "v_x", unit: "m/s", meaning: "velocity along the car", kind: "velocity" },
  { name: "v_y", unit: "m/s", meaning: "velocity to the left", kind: "velocity" },
  { name: "omega", unit: "rad/s", meaning: "yaw rate, counter-clockwise", kind: "rate" },
  {
    name: "delta",
    unit: "rad",
    meaning: "steering angle of the front wheels, left positive",
    kind: "actuator",
    follows: "u_delta",
  },
  ...WHEELS.map(
    (w): Field => ({
      name: `tau_${w}`,
      unit: "N m",
      meaning: `torque of wheel ${w}`,
      kind: "actuator",
      follows: `u_tau_${w}`,
    }),
  ),
  {
    name: "mode",
    unit: "1",
    meaning: "0 rolling without slip (below walking pace), 1 with tyre slip",
    kind: "discrete",
    min: 0,
    max: 1,
  },
];
const INPUTS: readonly Field[] = [
  { name: "u_delta", unit: "rad", meaning: "commanded steering angle, left positive", default: 0 },
  ...WHEELS.map(
    (w): Field => ({
      name: `u_tau_${w}`,
      unit: "N m",
      meaning: `commanded torque of wheel ${w}; negative brakes`,
      default: 0,
    }),
  ),
];
/** Speeds at which the model switches to tyre slip, and back to rolling [m/s]. */
const TAKES_OVER = 0.1;
const GIVES_UP = 0.08;

/** The speed that decides between the two modes; it includes the yaw rate, because a car that spins on the spot is not rolling. */
const paceOf = (x: Float64Array, p: CarParameters) =>
  p.compat === 1
    ? hypot(x[V_X], x[V_Y])
    : Math.max(hypot(x[V_X], x[V_Y]), Math.abs(x[OMEGA]) * Math.min(p.l_F, p.l_R));

/** No reset is needed: a rolling state is also a state of the model with tyre slip. */
const SLIDE: ModelEvent<CarParameters> = {
  name: "tyre_slip",
  isQuiet: true,
  guard: (x, _u, p) => (x[MODE] >= 0.5 || p.compat === 1 ? -1 : paceOf(x, p) - TAKES_OVER),
  reset(x) {
    x[MODE] = 1;
  },
};
const ROLL: ModelEvent<CarParameters> = {
  name: "rolling",
  isQuiet: true,
  guard: (x, _u, p) => (x[MODE] < 0.5 || p.compat === 1 ? -1 : GIVES_UP - paceOf(x, p)),
  reset(x, p) {
    x[MODE] = 0;
    rollingMotion(x, p);
  },
};

const scratch = { dx: new Float64Array(STATES.length), y: new Float64Array(OUTPUTS.length) };

/** Both wheels of one side off the ground: the roll moment is more than the car's weight and downforce can balance. */
const ROLLOVER: ModelEvent<CarParameters> = {
  name: "rollover",
  terminal: true,
  guard(x, u, p) {
    if (x[MODE] < 0.5 || p.compat === 1 || p.z_CG === 0) return -1;
    const weight = p.m * p.g + downforce(p, x[V_X]);
    const most = (p.W * weight) / (2 * p.z_CG);
    // Cheaply: can the tyres push that hard at all?
    const grip = (p.load_sensitivity === 1 ? p.d2a + Math.max(0, p.d1a) * weight : p.Da) * weight;
    const steered = p.C_m0 * Math.abs(x[TAU_FL] + x[TAU_FR]) * sin(Math.abs(x[DELTA]));
    if (grip + steered < most) return -1;
    EQUATIONS.derivative(x, u, p, x, scratch.dx, scratch.y);
    return Math.abs(scratch.y[2]) * p.m - most;
  },
};

/** Which model holds at the start. */
function begin(x: Float64Array, p: CarParameters): void {
  const pace = paceOf(x, p);
  if (pace > TAKES_OVER) x[MODE] = 1;
  else if (pace < GIVES_UP || p.compat === 1) x[MODE] = 0;
  if (x[MODE] < 0.5 && p.compat !== 1) rollingMotion(x, p);
}

const pattern = new Uint8Array(STATES.length * STATES.length);
for (const place of ENTRIES) pattern[place] = 1;
/** The Jacobian's pattern for radau, with the switches that `jacobian` is made for, and with others. */
const EXACTLY: Newton = { pattern };
const NEARLY: Newton = { pattern, byDifferences: true };

/** The car: four wheels with Magic Formula tyres and load transfer in the plane, rolling wheels at walking pace. */
export const car: Model<CarParameters> = {
  name: "car",
  meaning: "race car on four wheels, in the plane",
  stiff: true,
  states: STATES,
  inputs: INPUTS,
  outputs: OUTPUTS,
  environment: [],
  parameters: PARAMETERS,
  ...EQUATIONS,
  source: { file: "vehicles/car/equations.ts", name: "EQUATIONS" },
  // Those of these equations: not of others in their place.
  jacobian(by, x, u, p, e, J, dx) {
    if (by !== "states" || this.derivative !== EQUATIONS.derivative || !holdsFor(p)) return false;
    J.fill(0);
    writeEntries(x, u, p, e, J);
    if (dx) EQUATIONS.derivative(x, u, p, e, dx);
    return true;
  },
  newton(_owner, p) {
    if (this.derivative !== EQUATIONS.derivative) return undefined;
    return holdsFor(p) ? EXACTLY : NEARLY;
  },
  completeState: begin,
  controls: (p) => [
    {
      name: "steering",
      inputs: ["u_delta"],
      min: -p.steering_max,
      max: p.steering_max,
      limits: { max: "steering_max" },
      neutral: 0,
    },
    {
      name: "torque",
      inputs: WHEELS.map((w) => `u_tau_${w}`),
      min: -p.torque_max,
      max: p.torque_max,
      limits: { max: "torque_max" },
      neutral: 0,
      isPropulsion: true,
    },
  ],
  warnings(p) {
    const share = p.l_R / (p.l_F + p.l_R);
    return share > 0.35 && share < 0.65
      ? []
      : [
          `${(100 * share).toFixed(0)} % of the weight stands on the front wheels: are l_F (centre of mass to front axle) and ` +
            "l_R (to rear axle) swapped?",
        ];
  },
  onTick(x, u, p) {
    // Lags and brakes never quite arrive at zero, and numbers near the smallest are slow.
    for (let i = 3; i < MODE; i++) if (x[i] < 1e-100 && x[i] > -1e-100) x[i] = 0;
    if (p.compat !== 1) return;
    x[MODE] = paceOf(x, p) > TAKES_OVER ? 1 : 0;
    clipAsBrains2(x, u, p);
  },
  events: [SLIDE, ROLL, ROLLOVER],
};
