// One measurement in a process of its own: `node bench/aircraft.mjs iris|gear|plane|heap-iris|heap-plane`. Warms up, then counts CPU time.

import { createSimulation, plainSource, preset, readScenario, rk4 } from "../dist/index.js";
import { aircraft, createBoundaries, environmentLength, fromNames, pack } from "../dist/library/models.js";

const WARM = 300_000;
const STEPS = 1_000_000;

/** A preset's numbers in an aircraft of another shape. */
function reshaped(name, shape, changes = {}) {
  const { model, parameters } = preset(name);
  const values = pack(model.parameters, parameters);
  const named = Object.fromEntries(model.parameters.map((f, i) => [f.name, values[i]]));
  const bare = aircraft(shape);
  return { model: bare, parameters: fromNames(bare, { ...named, ...changes }) };
}
const HOVER = {
  start: [0, 0, -1000, 1, 2, 0, 1, 0, 0, 0, 0.1, -0.2, 0.3, 780, 790, 800, 810],
  u: [800, 801, 802, 803, 1, 1, 1, 1],
};
const CRUISE = {
  start: [0, 0, -1000, 15, 1, 0.5, 1, 0, 0, 0, 0.1, -0.1, 0.1, 600],
  u: [640, 1, 0.02, -0.01, 0.03, 0.01],
};
/** Those of the truth trajectories, without contacts (gear: with); the plane's servos have lag and rate, as in aircraft.c. */
const FLIGHTS = {
  iris: () => ({ ...reshaped("iris", { rotors: 4 }), ...HOVER }),
  gear: () => ({ ...preset("iris"), ...HOVER }),
  plane: () => ({
    ...reshaped(
      "advanced-plane",
      { rotors: 1, surfaces: [{ law: "advanced-lift-drag", controls: 4 }], servos: 4 },
      Object.fromEntries(
        [1, 2, 3, 4].flatMap((k) => [
          [`servos.${k}.tau`, 0.05],
          [`servos.${k}.rate`, 5],
        ]),
      ),
    ),
    ...CRUISE,
  }),
};

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The bare integrator on the bare model, the same flight as aircraft.c: begun again every 500 steps. */
function stepping({ model, parameters, start, u }) {
  const n = model.states.length;
  const first = new Float64Array(n);
  first.set(start);
  const x = first.slice();
  const inputs = Float64Array.from(u);
  const e = new Float64Array(environmentLength(model));
  e.set([2, 1, 0.1, 1]);
  const ground = { name: "ground", point: [0, 0, 0], normal: [0, 0, -1] };
  createBoundaries([ground], model.boundarySlots).surround(0, 0, -1000, e, model.environment.length);
  const integrator = rk4(n);
  const f = (_t, state, dx) => model.derivative(state, inputs, parameters, e, dx);
  let begun = 0;
  for (let i = 0; i < WARM + STEPS; i++) {
    if (i === WARM) begun = cpuSeconds();
    if (i % 500 === 0) x.set(first);
    integrator.step(f, 0, 0.005, x);
    model.project(x, parameters);
  }
  return { stepsPerSecond: STEPS / (cpuSeconds() - begun), north: x[0], east: x[1] };
}

/** What a million steps leave on the JavaScript heap: falling or gliding, a pilot would only measure the pilot. */
function heap(name, initial) {
  const words = { vehicle: name, duration: 1e6, initial: { altitude: 1e5, ...initial } };
  const simulation = createSimulation(readScenario(plainSource(words, "bench"), preset(name)));
  const used = () => {
    global.gc();
    return process.memoryUsage().heapUsed;
  };
  while (simulation.steps < WARM) simulation.step();
  const before = used();
  while (simulation.steps < WARM + 1e6) {
    simulation.step();
    // Falling for an hour would end the run: up again.
    if (simulation.tick % 200 === 0) simulation.x[2] = -1e5;
    if (simulation.tick % 200 === 0 && name === "iris") simulation.x.fill(0, 3, 6);
  }
  return { megabytes: (used() - before) / 1e6 };
}

const what = process.argv[2];
const result = what.startsWith("heap-")
  ? what === "heap-plane"
    ? heap("advanced-plane", { v_north: 15 })
    : heap("iris", {})
  : stepping(FLIGHTS[what]());
console.log(JSON.stringify(result));
