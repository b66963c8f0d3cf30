// One measurement in a process of its own: `node bench/car.mjs radau|compiled|rk4`: microseconds of CPU time per control step of 10 ms;
// `node bench/car.mjs jacobian`: derivative and exact Jacobian together, in evaluations of the derivative.
import { preset, rk4 } from "../dist/index.js";
import { withJacobian } from "../dist/library/compile.js";
import { radau, rhsOf } from "../dist/library/models.js";

const WARM = 10_000;
const CONTROLS = 20_000;
const what = process.argv[2];
const { model, parameters } =
  what === "radau" ? preset("formula-student") : withJacobian(preset("formula-student"));
parameters.steering_rate_max = Number.POSITIVE_INFINITY; // as in car.c
const n = model.states.length;
const integrator = what === "rk4" ? rk4(n) : radau(n, "fixed");
const x = new Float64Array(n);
const u = new Float64Array(model.inputs.length);
const e = new Float64Array(0);
const f = rhsOf(model, { memory: [], begin() {}, at() {}, isUniform: true }, u, e, () => parameters);
const wave = (s) => 4 * Math.abs(s - Math.floor(s + 0.5)) - 1;

/** The drive of car.c: two seconds at a time from the same start. */
function drive(controls) {
  for (let k = 0; k < controls; k++) {
    const l = k % 200;
    if (l === 0) {
      x.fill(0);
      x[3] = 8;
      x[11] = 1;
    }
    u[0] = 0.08 * wave(l / 100);
    u.fill(40 + 60 * wave(l / 37), 1);
    integrator.jump?.();
    for (let i = 0; i < 10; i++) {
      let left = 1e-3;
      while (left > 1e-12) left -= integrator.step(f, 0, left, x);
    }
  }
}
function microseconds() {
  drive(WARM);
  const before = process.cpuUsage();
  drive(CONTROLS);
  const { user, system } = process.cpuUsage(before);
  return { microseconds: (user + system) / CONTROLS, end: [...x.subarray(0, 11)] };
}

/** Along the same drive. */
function jacobian() {
  const states = [];
  for (let k = 1; k <= 200; k++) {
    drive(k);
    if (k % 20 === 0) states.push(x.slice());
  }
  const [dx, J] = [new Float64Array(n), new Float64Array(n * n)];
  const time = (work) => {
    for (let i = 0; i < 3e4; i++) states.forEach(work);
    const before = process.cpuUsage();
    for (let i = 0; i < 1e5; i++) states.forEach(work);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const one = time((at) => model.derivative(at, u, parameters, e, dx));
  const both = time((at) => model.jacobian("states", at, u, parameters, e, J, dx));
  return { evaluations: both / one };
}
console.log(JSON.stringify(what === "jacobian" ? jacobian() : microseconds()));
