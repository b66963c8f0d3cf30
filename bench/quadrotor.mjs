// One measurement in a process of its own: `node bench/quadrotor.mjs stepping|gear|heap`. Warms up, then counts CPU time.
import {
  aircraft,
  createBoundaries,
  createSimulation,
  environmentLength,
  fromNames,
  pack,
  plainSource,
  preset,
  readScenario,
  rk4,
} from "../dist/index.js";

const WARM = 300_000;
const STEPS = 1_000_000;
const iris = preset("iris");

/** The iris of the truth trajectories, without landing gear: 17 states instead of 25. */
function bare() {
  const values = pack(iris.model.parameters, iris.parameters);
  const named = Object.fromEntries(iris.model.parameters.map((f, i) => [f.name, values[i]]));
  const model = aircraft({ rotors: 4 });
  return { model, parameters: fromNames(model, named) };
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The bare integrator on the bare model, the same flight as quadrotor.c: begun again every 500 steps. */
function stepping({ model, parameters }) {
  const n = model.states.length;
  const start = new Float64Array(n);
  start.set([0, 0, -1000, 1, 2, 0, 1, 0, 0, 0, 0.1, -0.2, 0.3, 780, 790, 800, 810]);
  const x = start.slice();
  const u = new Float64Array([800, 801, 802, 803, 1, 1, 1, 1]);
  const e = new Float64Array(environmentLength(model));
  e.set([2, 1, 0.1, 1]);
  const ground = { name: "ground", point: [0, 0, 0], normal: [0, 0, -1] };
  createBoundaries([ground], model.boundarySlots).surround(0, 0, -1000, e, model.environment.length);
  const integrator = rk4(n);
  const f = (_t, state, dx) => model.derivative(state, u, parameters, e, dx);
  let begun = 0;
  for (let i = 0; i < WARM + STEPS; i++) {
    if (i === WARM) begun = cpuSeconds();
    if (i % 500 === 0) x.set(start);
    integrator.step(f, 0, 0.005, x);
    model.project(x, parameters);
  }
  return { stepsPerSecond: STEPS / (cpuSeconds() - begun), north: x[0], east: x[1] };
}

/** What a million steps leave on the JavaScript heap, and allocate on the way: hovering on a pilot would only measure the pilot. */
function heap() {
  const scenario = readScenario(
    plainSource({ vehicle: "iris", duration: 1e6, initial: { altitude: 1e5 } }, "bench"),
    preset("iris"),
  );
  const simulation = createSimulation(scenario);
  const used = () => {
    global.gc();
    return process.memoryUsage().heapUsed;
  };
  while (simulation.steps < WARM) simulation.step();
  const before = used();
  while (simulation.steps < WARM + 1e6) {
    simulation.step();
    // Falling for an hour would end the run: begin again.
    if (simulation.tick % 200 === 0) simulation.x.fill(0, 3, 6);
    if (simulation.tick % 200 === 0) simulation.x[2] = -1e5;
  }
  return { megabytes: (used() - before) / 1e6 };
}

const measurements = { stepping: () => stepping(bare()), gear: () => stepping(iris), heap };
console.log(JSON.stringify(measurements[process.argv[2]]()));
