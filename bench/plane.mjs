// One measurement in a process of its own: `node bench/plane.mjs stepping|heap`. Warms up, then counts CPU time.
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
const plane = preset("advanced-plane");

/** The plane of the truth trajectories, without contacts; servos with lag and rate, as plane.c has them. */
function bare() {
  const values = pack(plane.model.parameters, plane.parameters);
  const named = Object.fromEntries(plane.model.parameters.map((f, i) => [f.name, values[i]]));
  for (let k = 1; k <= 4; k++) Object.assign(named, { [`servos.${k}.tau`]: 0.05, [`servos.${k}.rate`]: 5 });
  const model = aircraft({ rotors: 1, surfaces: [{ law: "advanced-lift-drag", controls: 4 }], servos: 4 });
  return { model, parameters: fromNames(model, named) };
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The bare integrator on the bare model, the same flight as plane.c: begun again every 500 steps. */
function stepping() {
  const { model, parameters } = bare();
  const n = model.states.length;
  const start = new Float64Array(n);
  start.set([0, 0, -1000, 15, 1, 0.5, 1, 0, 0, 0, 0.1, -0.1, 0.1, 600]);
  const x = start.slice();
  const u = new Float64Array([640, 1, 0.02, -0.01, 0.03, 0.01]);
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

/** What a million steps of gliding leave on the JavaScript heap. */
function heap() {
  const words = { vehicle: "advanced-plane", duration: 1e6, initial: { altitude: 1e5, v_north: 15 } };
  const simulation = createSimulation(readScenario(plainSource(words, "bench"), plane));
  const used = () => {
    global.gc();
    return process.memoryUsage().heapUsed;
  };
  while (simulation.steps < WARM) simulation.step();
  const before = used();
  while (simulation.steps < WARM + 1e6) simulation.step();
  return { megabytes: (used() - before) / 1e6 };
}

const measurements = { stepping, heap };
console.log(JSON.stringify(measurements[process.argv[2]]()));
