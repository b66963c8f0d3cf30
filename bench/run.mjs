// `npm run bench`: speed beside C compiled here, in alternating rounds of the same run. Ratios are what counts.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LANES } from "../dist/library/compile.js";
import { benchAnalysis } from "./analysis.mjs";
import { avx2Program } from "./avx2.mjs";
import { benchCampaign } from "./campaign.mjs";
import { benchStudio } from "./studio.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const ROUNDS = 9;
const STEPS = 1_300_000; // as many as the .mjs files fly, warm-up included, so that the ends can be compared

if (spawnSync("gcc", ["--version"]).status !== 0) {
  console.error("bench: gcc is needed for the reference; install it and run again");
  process.exit(1);
}
mkdirSync(`${here}build`, { recursive: true });

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/** One vehicle: `lines` are [what the .mjs measures, how to call it, the ratio wanted], `heap` its measurement of memory; `more` are arguments of the C program. */
function compare(vehicle, title, heap, lines, more = []) {
  const program = `${here}build/${vehicle}`;
  execFileSync("gcc", ["-O3", "-march=native", "-o", program, `${here}${vehicle}.c`, "-lm"]);
  const c = () => JSON.parse(execFileSync(program, [String(STEPS), ...more], { encoding: "utf8" }));
  const node = (what) =>
    JSON.parse(
      execFileSync(process.execPath, ["--expose-gc", `${here}${vehicle}.mjs`, what], { encoding: "utf8" }),
    );
  const reference = [];
  const rates = lines.map(() => []);
  let difference = 0;
  for (let i = 0; i < ROUNDS; i++) {
    const theirs = c();
    reference.push(theirs.stepsPerSecond);
    lines.forEach(([what], k) => {
      const ours = node(what);
      rates[k].push(ours.stepsPerSecond);
      if (k === 0)
        difference = Math.max(
          difference,
          Math.abs(ours.north / theirs.north - 1),
          Math.abs(ours.east / theirs.east - 1),
        );
    });
  }
  console.log(
    `${title}, RK4, dt 5 ms, CPU time, medians of ${ROUNDS} rounds and of their ratios; ends agree with C to ${difference.toExponential(1)}`,
  );
  const line = (what, list, wanted) => {
    // Round by round, so that what slows the machine down slows both.
    const ratio = median(list.map((rate, i) => rate / reference[i]));
    if (wanted !== undefined && ratio < wanted) process.exitCode = 1;
    const verdict =
      wanted === undefined ? "" : `  (wanted ${wanted}: ${ratio >= wanted ? "holds" : "MISSED"})`;
    console.log(
      `${what.padEnd(50)} ${(median(list) / 1e6).toFixed(2).padStart(6)} M steps/s  ${ratio.toFixed(2)} of C${verdict}`,
    );
  };
  line("C, gcc -O3 -march=native, glibc", reference);
  lines.forEach(([, what, wanted], k) => {
    line(what, rates[k], wanted);
  });
  console.log(`heap growth over 10^6 steps: ${node(heap).megabytes.toFixed(3)} MB (wanted: below 1)\n`);
  return rates;
}

/** A line about a ratio that is wanted. */
function wants(what, value, wanted, isMost = false) {
  const isFine = isMost ? value <= wanted : value >= wanted;
  if (!isFine) process.exitCode = 1;
  const bound = `${wanted}${isMost ? " at most" : ""}`;
  console.log(`${what.padEnd(66)} ${value.toFixed(2)}  (wanted ${bound}: ${isFine ? "holds" : "MISSED"})`);
}

/** The parafoil's machine code beside the plain function, and beside the same arithmetic in C++ with AVX2; its Jacobian. */
function tellOfMachine([plain, , simd]) {
  wants("machine code over plain function", median(simd.map((rate, i) => rate / plain[i])), 2.5);
  const program = avx2Program(`${here}build`);
  const limit = median(
    Array.from(
      { length: ROUNDS },
      () => JSON.parse(execFileSync(program, [String(STEPS)], { encoding: "utf8" })).stepsPerSecond,
    ),
  );
  console.log(
    `C++ with AVX2 of the same graph, four vehicles an instruction: ${(limit / 1e6).toFixed(2)} M steps/s; machine code has ${(median(simd) / limit).toFixed(2)} of it`,
  );
  wants("derivative and exact Jacobian, in derivatives", jacobianCost("parafoil"), 10, true);
  console.log();
}

const jacobianCost = (vehicle) =>
  median(
    Array.from(
      { length: 5 },
      () =>
        JSON.parse(
          execFileSync(process.execPath, [`${here}${vehicle}.mjs`, "jacobian"], { encoding: "utf8" }),
        ).evaluations,
    ),
  );

/** The car's stiff integrator beside the dense one of car.c, per control step of 10 ms. */
function compareCar() {
  const program = `${here}build/car`;
  execFileSync("gcc", ["-O3", "-march=native", "-o", program, `${here}car.c`, "-lm"]);
  const c = (...numbers) => JSON.parse(execFileSync(program, numbers.map(String), { encoding: "utf8" }));
  const node = (what) =>
    JSON.parse(execFileSync(process.execPath, [`${here}car.mjs`, what], { encoding: "utf8" }));
  // Two seconds (200 control steps) in steps of a quarter millisecond, all Newton iterations to the end: order 7.
  const truth = c(200, 40, 8).end;
  const error = ({ end }) =>
    Math.max(...truth.map((v, i) => Math.abs(end[i] - v) / Math.max(1, Math.abs(v))));
  const rounds = Array.from({ length: ROUNDS }, () => ({
    c: c(600, 10, 3),
    radau: node("radau"),
    compiled: node("compiled"),
    rk4: node("rk4"),
  }));
  const of = (pick) => median(rounds.map(pick));
  console.log(
    `race car (12 states), control step of 10 ms, CPU time, medians of ${ROUNDS} rounds and of their ratios`,
  );
  const line = (what, name, more = "") =>
    console.log(
      `${what.padEnd(62)} ${of((r) => r[name].microseconds)
        .toFixed(1)
        .padStart(6)} us  error ${error(rounds[0][name]).toExponential(1)}${more}`,
    );
  line(
    `C, 4 stages x 10 steps x 3 Newton, dense (LU at ${of((r) => r.c.gigaflops).toFixed(1)} GFlop/s)`,
    "c",
  );
  const cheaper = of((r) => r.c.microseconds / r.radau.microseconds);
  const holds = cheaper >= 5 && error(rounds[0].radau) < 1e-6;
  if (!holds) process.exitCode = 1;
  line(
    "radau, 10 steps",
    "radau",
    `  ${cheaper.toFixed(1)} times cheaper (wanted 5, 1e-6: ${holds ? "holds" : "MISSED"})`,
  );
  const machine = of((r) => r.c.microseconds / r.compiled.microseconds);
  const machineHolds = machine >= 15 && error(rounds[0].compiled) < 1e-6;
  if (!machineHolds) process.exitCode = 1;
  line(
    "radau, 10 steps, its iterations as machine code",
    "compiled",
    `  ${machine.toFixed(1)} times cheaper (wanted 15, 1e-6: ${machineHolds ? "holds" : "MISSED"})`,
  );
  const explicit = of((r) => r.c.microseconds / r.rk4.microseconds);
  line("rk4, 10 steps (unstable below 0.14 m/s)", "rk4", `  ${explicit.toFixed(1)} times cheaper`);
  wants("derivative and exact Jacobian, in derivatives", jacobianCost("car"), 3, true);
  console.log();
}

const BARE = "derivative + rk4";
const BENCHES = {
  parafoil() {
    const rates = compare("parafoil", "parafoil", "heap", [
      ["stepping", "derivative + rk4, own elementary functions", 0.65],
      ["generated", "the same, derivative generated from its graph", 0.85],
      ["simd", `machine code, ${LANES} vehicles at once`, 1.7],
      ["states", "simulation loop, states and inputs to memory", 0.5],
      ["everything", "simulation loop, all 86 channels to memory"],
    ]);
    tellOfMachine(rates);
  },
  aircraft() {
    compare("aircraft", "quadrotor (iris, 17 states)", "heap-iris", [["iris", BARE, 0.65]], ["iris"]);
    const gear = "quadrotor with landing gear (iris, 25 states)";
    compare("aircraft", gear, "heap-iris", [["gear", BARE]], ["iris", "4"]);
    compare("aircraft", "advanced-plane (18 states)", "heap-plane", [["plane", BARE, 0.65]], ["plane"]);
  },
  car: compareCar,
  campaign: () => benchCampaign(wants),
  analysis: benchAnalysis,
  // Loaded when it is asked for: it brings TypeScript's loader along.
  ros2: async () => (await import("./ros2.mjs")).benchRos2(),
  sitl: async () => (await import("./sitl.mjs")).benchSitl(),
  studio: benchStudio,
};
// `npm run bench` runs all, `npm run bench car` one.
for (const [name, bench] of Object.entries(BENCHES))
  if (process.argv.length < 3 || process.argv.includes(name)) await bench();
