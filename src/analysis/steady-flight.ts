/** Steady flight of a rigid body with given inputs, straight or turning, by solving for it: unstable ones are found too. */
import { createEnvironment, environmentLength } from "../environment/environment.ts";
import { createWind } from "../environment/wind.ts";
import { leastSquares } from "../math/least-squares.ts";
import { fromEuler, toBody } from "../math/quaternion.ts";
import { InputError } from "../model/input-error.ts";
import { indexOf, type Vehicle } from "../model/model.ts";

export interface SteadyFlight {
  readonly x: Float64Array;
  readonly u: Float64Array;
  /** Rate of turn over ground, positive to the right [rad/s]. */
  readonly turnRate: number;
  readonly outputs: Readonly<Record<string, number>>;
  /** Largest rate that is left and should not be: accelerations [m/s^2] and angular accelerations [rad/s^2]. */
  readonly residual: number;
}

/** What is sought: velocity in the heading's frame, roll, pitch, rate of turn. */
const GUESS = [5, 0, 1, 0, 0, 0];
const LOWER = [-100, -100, -100, -1.4, -1.4, -3];
const UPPER = [100, 100, 100, 1.4, 1.4, 3];
const SCALE = [1, 1, 1, 0.1, 0.1, 0.1];

/**
 * In still air, far above the ground. Nothing changes but place and heading: the velocity turns with the heading, and the body
 * rates are those of the turn. `guess` is a neighbour's solution, or nothing.
 */
export function steadyFlight(
  vehicle: Vehicle,
  inputs: Readonly<Record<string, number>>,
  guess: ArrayLike<number> = GUESS,
): SteadyFlight & { readonly unknowns: Float64Array } {
  const { model, parameters } = vehicle;
  if (indexOf(model.states, "q_w") !== 6)
    throw new InputError(`${vehicle.name} does not fly`, { allowed: "a parafoil or an aircraft" });
  const environment = createEnvironment(model.environment, model.states, createWind({}, 0, 1), {
    model: "constant",
  });
  const e = new Float64Array(environmentLength(model));
  const u = Float64Array.from(model.inputs, (f) => inputs[f.name] ?? f.default ?? 0);
  const x = new Float64Array(model.states.length);
  x[2] = -10_000;
  // Actuators stand where they are told to.
  model.inputs.forEach((f, i) => {
    const place = indexOf(model.states, f.name.replace(/_cmd$/, ""));
    if (place >= 0) x[place] = u[i];
  });
  const dx = new Float64Array(x.length);
  const turn = new Float64Array(3);
  const residuals = (z: Float64Array, r: Float64Array) => {
    const [v_n, v_e, v_d, roll, pitch, rate] = z;
    x.set([v_n, v_e, v_d], 3);
    fromEuler(roll, pitch, 0, x, 6);
    turn[2] = rate;
    toBody(x, 6, turn, 0, x, 10);
    environment.at(0, x, e);
    model.derivative(x, u, parameters, e, dx);
    r[0] = dx[3] + rate * v_e;
    r[1] = dx[4] - rate * v_n;
    r[2] = dx[5];
    r[3] = dx[10];
    r[4] = dx[11];
    r[5] = dx[12];
  };
  const solved = leastSquares({
    residuals,
    count: 6,
    start: guess,
    lower: LOWER,
    upper: UPPER,
    scale: SCALE,
  });
  residuals(solved.x, new Float64Array(6));
  const y = new Float64Array(model.outputs.length);
  model.derivative(x, u, parameters, e, dx, y);
  return {
    x,
    u,
    turnRate: solved.x[5],
    outputs: Object.fromEntries(model.outputs.map((f, i) => [f.name, y[i]])),
    residual: solved.size,
    unknowns: solved.x,
  };
}
