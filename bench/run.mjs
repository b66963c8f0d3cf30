// Speed beside C in the same run: `npm run bench`. Medians of alternating rounds; ratios are what counts.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  createSimulation,
  Recorder,
  plainSource,
  preset,
  readScenario,
  rk4,
} from "../dist/index.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

if (spawnSync("gcc", ["--version"]).status !== 0) {
  console.error("bench: gcc is needed for the reference; install it and run again");
  process.exit(1);
}
mkdirSync(`${here}build`, { recursive: true });
execFileSync("gcc", ["-O3", "-march=native", "-o", `${here}build/parafoil`, `${here}parafoil.c`, "-lm"]);

const { model, parameters } = preset("parafoil");
const STEPS = 400_000;

function c() {
  return JSON.parse(execFileSync(`${here}build/parafoil`, [String(STEPS)], { encoding: "utf8" }));
}

function stepping() {
  const x = new Float64Array(15);
  x.set([0, 0, -1e6, 4.5, 0, 0.9, 1]);
  const u = new Float64Array(2);
  const e = new Float64Array([2, 1, 0.1, 1]);
  const integrator = rk4(15);
  const f = (_t, state, dx) => model.derivative(state, u, parameters, e, dx);
  const start = cpu();
  for (let i = 0; i < STEPS; i++) {
    if (i % 200 === 0) {
      u[0] = (Math.floor(i / 200) % 3) * 0.3;
      u[1] = (Math.floor(i / 200) % 2) * 0.4;
    }
    integrator.step(f, 0, 0.005, x);
    model.project(x, parameters);
  }
  return { stepsPerSecond: STEPS / (cpu() - start), north: x[0], east: x[1] };
}

const scenario = readScenario(
  plainSource({ vehicle: "parafoil", wind: { steady: [2, 1, 0.1] }, initial: { down: -1e6 } }, "bench"),
  preset("parafoil"),
);

function simulating() {
  const simulation = createSimulation(scenario);
  const recorder = new Recorder();
  recorder.open(simulation.channels);
  const start = cpu();
  while (simulation.steps < STEPS) {
    simulation.step();
    recorder.write(simulation.sample());
  }
  return { stepsPerSecond: STEPS / (cpu() - start) };
}

const rounds = { c: [], stepping: [], simulating: [] };
let same;
for (let i = 0; i < 7; i++) {
  const reference = c();
  const ours = stepping();
  same = Math.abs(ours.north / reference.north - 1) + Math.abs(ours.east / reference.east - 1);
  rounds.c.push(reference.stepsPerSecond);
  rounds.stepping.push(ours.stepsPerSecond);
  rounds.simulating.push(simulating().stepsPerSecond);
}
const cRate = median(rounds.c);
const line = (what, rate) =>
  console.log(`${what.padEnd(52)} ${(rate / 1e6).toFixed(2).padStart(6)} M steps/s   ${(rate / cRate).toFixed(2)} of C`);
console.log(`parafoil, RK4, dt 5 ms (medians of 7 rounds; states agree to ${same.toExponential(1)})`);
line("C, gcc -O3 -march=native, glibc", cRate);
line("derivative + rk4, own elementary functions", median(rounds.stepping));
line("simulation loop, all channels recorded to memory", median(rounds.simulating));

const simulation = createSimulation(scenario);
const heap = () => {
  global.gc();
  return process.memoryUsage().heapUsed;
};
while (simulation.steps < 1e5) simulation.step();
const before = heap();
while (simulation.steps < 1.1e6) simulation.step();
console.log(`heap growth over 10^6 steps: ${((heap() - before) / 1e6).toFixed(3)} MB`);
