// One measurement in a process of its own: `node bench/parafoil.mjs stepping|generated|simd|jacobian|states|everything|heap`. Warms up, then counts CPU time.
import { createSimulation, plainSource, preset, Recorder, readScenario, rk4 } from "../dist/index.js";
import { generatedDerivative, LANES, Stepper, trace, withJacobian } from "../dist/library/compile.js";
import { Run } from "../dist/library/models.js";

const WARM = 300_000;
const STEPS = 1_000_000;
const { model, parameters } = preset("parafoil");

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The bare integrator on the bare model, the same flight as parafoil.c. */
function stepping(derivative = model.derivative) {
  const x = new Float64Array(15);
  x.set([0, 0, -1e6, 4.5, 0, 0.9, 1]);
  const u = new Float64Array(2);
  const e = new Float64Array([2, 1, 0.1, 1]);
  const integrator = rk4(15);
  const f = (_t, state, dx) => derivative(state, u, parameters, e, dx);
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

const STILL = Float64Array.of(2, 1, 0.1, 1);

/** As in a tick of 20 ms. */
const AT_ONCE = 4;

/** The same flight in all lanes of the machine code; steps of all lanes count. */
function simd() {
  const stepper = new Stepper(model, parameters, STILL);
  const x = new Float64Array(15);
  x.set([0, 0, -1e6, 4.5, 0, 0.9, 1]);
  const u = new Float64Array(2);
  for (let lane = 0; lane < LANES; lane++) {
    stepper.setParameters(lane, parameters);
    stepper.setState(lane, x);
    for (let step = 0; step < AT_ONCE; step++) {
      for (let instant = 0; instant < 3; instant++) stepper.setSurroundings(step, lane, instant, STILL);
      stepper.setStep(step, lane, 0.005);
    }
  }
  let start = 0;
  for (let i = 0; i < WARM + STEPS; i += AT_ONCE) {
    if (i === WARM) start = cpuSeconds();
    if (i % 200 === 0) {
      u[0] = (Math.floor(i / 200) % 3) * 0.3;
      u[1] = (Math.floor(i / 200) % 2) * 0.4;
      for (let lane = 0; lane < LANES; lane++) stepper.setInputs(lane, u);
    }
    stepper.steps(AT_ONCE);
  }
  const seconds = cpuSeconds() - start;
  stepper.state(LANES - 1, x);
  return { stepsPerSecond: (LANES * STEPS) / seconds, north: x[0], east: x[1] };
}

/** Derivative and exact Jacobian together, in evaluations of the derivative. */
function jacobian() {
  const exactly = withJacobian(preset("parafoil"));
  const x = Float64Array.of(0, 0, -100, 4.5, 0.3, 0.9, 1, 0.02, 0.03, 0.1, 0.1, 0.05, 0.1, 0.3, 0.2);
  const [u, dx, J] = [2, 15, 225].map((n) => new Float64Array(n));
  const time = (work) => {
    for (let i = 0; i < WARM; i++) work();
    const start = cpuSeconds();
    for (let i = 0; i < STEPS; i++) work();
    return cpuSeconds() - start;
  };
  const one = time(() => model.derivative(x, u, parameters, STILL, dx));
  const both = time(() => exactly.model.jacobian("states", x, u, parameters, STILL, J, dx));
  return { evaluations: both / one };
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
  stepping: () => stepping(),
  generated: () => stepping(generatedDerivative(trace(model, parameters, STILL))),
  simd,
  jacobian,
  states: () => simulating([...model.states, ...model.inputs].map((f) => f.name)),
  everything: () => simulating(),
  heap,
};
console.log(JSON.stringify(measurements[process.argv[2]]()));
