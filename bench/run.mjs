// `npm run bench`: speed beside C compiled here, in alternating rounds of the same run. Ratios are what counts.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const ROUNDS = 9;
const STEPS = 1_300_000; // as many as parafoil.mjs flies, warm-up included, so that the ends can be compared

if (spawnSync("gcc", ["--version"]).status !== 0) {
  console.error("bench: gcc is needed for the reference; install it and run again");
  process.exit(1);
}
mkdirSync(`${here}build`, { recursive: true });
execFileSync("gcc", ["-O3", "-march=native", "-o", `${here}build/parafoil`, `${here}parafoil.c`, "-lm"]);

const c = () => JSON.parse(execFileSync(`${here}build/parafoil`, [String(STEPS)], { encoding: "utf8" }));
const node = (what) =>
  JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", `${here}parafoil.mjs`, what], { encoding: "utf8" }),
  );
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

const rounds = { c: [], stepping: [], states: [], everything: [] };
let difference = 0;
for (let i = 0; i < ROUNDS; i++) {
  const reference = c();
  const ours = node("stepping");
  difference = Math.max(
    difference,
    Math.abs(ours.north / reference.north - 1),
    Math.abs(ours.east / reference.east - 1),
  );
  rounds.c.push(reference.stepsPerSecond);
  rounds.stepping.push(ours.stepsPerSecond);
  rounds.states.push(node("states").stepsPerSecond);
  rounds.everything.push(node("everything").stepsPerSecond);
}

const cRate = median(rounds.c);
const line = (what, rates, wanted) => {
  const ratio = median(rates) / cRate;
  if (wanted !== undefined && ratio < wanted) process.exitCode = 1;
  const verdict =
    wanted === undefined
      ? ""
      : ratio >= wanted
        ? `  (wanted ${wanted}: holds)`
        : `  (wanted ${wanted}: MISSED)`;
  console.log(
    `${what.padEnd(50)} ${(median(rates) / 1e6).toFixed(2).padStart(6)} M steps/s  ${ratio.toFixed(2)} of C${verdict}`,
  );
};
console.log(
  `parafoil, RK4, dt 5 ms, CPU time, medians of ${ROUNDS} rounds; ends agree with C to ${difference.toExponential(1)}`,
);
line("C, gcc -O3 -march=native, glibc", rounds.c);
line("derivative + rk4, own elementary functions", rounds.stepping, 0.65);
line("simulation loop, states and inputs to memory", rounds.states, 0.5);
line("simulation loop, all 86 channels to memory", rounds.everything);
console.log(`heap growth over 10^6 steps: ${node("heap").megabytes.toFixed(3)} MB (wanted: below 1)`);
