// One measurement in a process of its own: `node bench/parafoil.mjs stepping|states|everything|heap`. Warms up, then counts CPU time.
import { createSimulation, plainSource, preset, Recorder, Run, readScenario, rk4 } from "../dist/index.js";

const WARM = 300_000;
const STEPS = 1_000_000;
const { model, parameters } = preset("parafoil");

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The bare integrator on the bare model, the same flight as parafoil.c. */
function stepping() {
  const x = new Float64Array(15);
  x.set([0, 0, -1e6, 4.5, 0, 0.9, 1]);
  const u = new Float64Array(2);
  const e = new Float64Array([2, 1, 0.1, 1]);
  const integrator = rk4(15);
  const f = (_t, state, dx) => model.derivative(state, u, parameters, e, dx);
  let start = 0;
  for (let i = 0; i < WARM + STEPS; i++) {
    if (i === WARM) start = cpuSeconds();
    if (i % 200 === 0) {
      u[0] = (Math.floor(i / 200) % 3) * 0.3;
      u[1] = (Math.floor(i / 200) % 2) * 0.4;
    }
    integrator.step(f, 0, 0.005, x);
    model.project(x, parameters);
  }
  return { stepsPerSecond: STEPS / (cpuSeconds() - start), north: x[0], east: x[1] };
}

/** The whole tick loop: wind, events, divergence guard, hash, outputs, and samples recorded to memory at 50 Hz. */
function simulating(names) {
  const scenario = readScenario(
    plainSource({ vehicle: "parafoil", wind: { steady: [2, 1, 0.1] }, initial: { down: -1e6 } }, "bench"),
    preset("parafoil"),
  );
  const simulation = createSimulation(scenario);
  const job = new Run(simulation, 1e9, [new Recorder(names)]);
  const flyTo = (steps) => {
    while (simulation.steps < steps) job.advance(64);
  };
  flyTo(WARM);
  const start = cpuSeconds();
  flyTo(WARM + STEPS);
  return { stepsPerSecond: STEPS / (cpuSeconds() - start) };
}

/** What stays on the JavaScript heap after a million steps. */
function heap() {
  const scenario = readScenario(
    plainSource(
      {
        vehicle: "parafoil",
        initial: { down: -1e6 },
        wind: { gust: { interval: 10, duration: 2, magnitude: 3 } },
      },
      "bench",
    ),
    preset("parafoil"),
  );
  const simulation = createSimulation(scenario);
  const used = () => {
    global.gc();
    return process.memoryUsage().heapUsed;
  };
  while (simulation.steps < WARM) simulation.step();
  const before = used();
  while (simulation.steps < WARM + 1e6) simulation.step();
  return { megabytes: (used() - before) / 1e6 };
}

const measurements = {
  stepping,
  states: () => simulating([...model.states, ...model.inputs].map((f) => f.name)),
  everything: () => simulating(),
  heap,
};
console.log(JSON.stringify(measurements[process.argv[2]]()));
