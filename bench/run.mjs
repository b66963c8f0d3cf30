// `npm run bench`: speed beside C compiled here, in alternating rounds of the same run. Ratios are what counts.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

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
}

compare("parafoil", "parafoil", "heap", [
  ["stepping", "derivative + rk4, own elementary functions", 0.65],
  ["states", "simulation loop, states and inputs to memory", 0.5],
  ["everything", "simulation loop, all 86 channels to memory"],
]);
const BARE = "derivative + rk4";
compare("aircraft", "quadrotor (iris, 17 states)", "heap-iris", [["iris", BARE, 0.65]], ["iris"]);
compare(
  "aircraft",
  "quadrotor with landing gear (iris, 25 states)",
  "heap-iris",
  [["gear", BARE]],
  ["iris", "4"],
);
compare("aircraft", "advanced-plane (18 states)", "heap-plane", [["plane", BARE, 0.65]], ["plane"]);
