// One measurement in a process of its own: `node bench/car.mjs radau|rk4`. Microseconds of CPU time per control step of 10 ms.
import { preset, radau, rk4 } from "../dist/index.js";

const WARM = 10_000;
const CONTROLS = 20_000;
const { model, parameters } = preset("formula-student");
parameters.steering_rate_max = Number.POSITIVE_INFINITY; // as in car.c
const n = model.states.length;
const integrator = process.argv[2] === "rk4" ? rk4(n) : radau(n, "fixed");
const x = new Float64Array(n);
const u = new Float64Array(model.inputs.length);
const e = new Float64Array(0);
const f = (_t, at, dx) => model.derivative(at, u, parameters, e, dx);
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
drive(WARM);
const before = process.cpuUsage();
drive(CONTROLS);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ microseconds: (user + system) / CONTROLS, end: [...x.subarray(0, 11)] }));
