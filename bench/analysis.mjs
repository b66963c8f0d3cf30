// CPU time of the analysis commands on the shipped vehicles, as processes of their own, and of the polar beside flights that settle.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createSimulation, findTrim, linearize, plainSource, preset, readScenario } from "../dist/index.js";
import { brakePolar } from "../dist/library/analysis.js";
import { withJacobian } from "../dist/library/compile.js";

const bin = fileURLToPath(new URL("../bin/sideslip.js", import.meta.url));
const TELL =
  'data:text/javascript,process.on("exit",()=>{const c=process.cpuUsage();process.stderr.write("CPU "+(c.user+c.system)/1e6)})';

/** Seconds of CPU, the least of three: the machine does other things, too. */
function seconds(args) {
  const runs = [1, 2, 3].map(() => {
    const { stderr, status } = spawnSync(process.execPath, ["--import", TELL, bin, ...args], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`sideslip ${args.join(" ")}: ${stderr}`);
    return Number(/CPU ([\d.]+)$/.exec(stderr)?.[1]);
  });
  return Math.min(...runs);
}

export function benchAnalysis() {
  const start = seconds(["--version"]);
  console.log(
    `analysis commands: seconds of CPU, the least of three; starting alone takes ${start.toFixed(2)}`,
  );
  const all = [
    "parafoil",
    "advanced-plane",
    "rc-cessna",
    "zephyr",
    "standard-vtol",
    "x500",
    "typhoon-h480",
    "hakoniwa",
    "formula-student",
  ];
  for (const [command, vehicles, wanted] of [
    ["trim", all, 1],
    ["linearize", all, 1],
    ["modes", all, 1],
    ["explain", all, 1],
    ["polar", all, 1],
    ["turn", all, 1],
    ["check", all, 1],
    ["envelope", all, 5],
  ]) {
    const times = vehicles.map((vehicle) => ({ vehicle, s: seconds([command, vehicle]) }));
    const worst = times.reduce((a, b) => (b.s > a.s ? b : a));
    const own = worst.s - start;
    const verdict = worst.s < wanted ? "holds" : "MISSED";
    if (worst.s >= wanted) process.exitCode = 1;
    console.log(
      `${command.padEnd(10)} ${Math.min(...times.map((t) => t.s)).toFixed(2)} to ${worst.s.toFixed(2)} s (${worst.vehicle}), ` +
        `of which ${own.toFixed(2)} its own  (wanted ${wanted}: ${verdict})`,
    );
  }
  settling();
  derivatives();
}

/** Linear models and trims with exact derivatives beside those by differences, both warm. */
function derivatives() {
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  const microseconds = (work) => {
    for (let i = 0; i < 200; i++) work();
    return median(
      Array.from({ length: 201 }, () => {
        const start = performance.now();
        work();
        return 1e3 * (performance.now() - start);
      }),
    );
  };
  for (const name of ["parafoil", "advanced-plane", "rc-cessna", "formula-student"]) {
    const [plain, exactly] = [preset(name), withJacobian(preset(name))];
    const { x, u } = findTrim(plain, {});
    const linear = [plain, exactly].map((vehicle) => microseconds(() => linearize(vehicle, x, u, [])));
    const trim = [plain, exactly].map((vehicle) => microseconds(() => findTrim(vehicle, {})));
    const ratio = linear[1] / linear[0];
    if (ratio > 0.5) process.exitCode = 1;
    console.log(
      `${name.padEnd(16)} linear model ${linear.map((t) => t.toFixed(0)).join(" -> ")} us with exact derivatives: ${ratio.toFixed(2)}  (wanted 0.5: ${ratio <= 0.5 ? "holds" : "MISSED"}); trim ${trim.map((t) => t.toFixed(0)).join(" -> ")} us`,
    );
  }
}

/** Eleven flights of two minutes, as the polar was made before, beside solving for them. */
function settling() {
  const parafoil = preset("parafoil");
  const cpu = (work) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const fly = (brake) => {
    const words = {
      vehicle: "parafoil",
      dt: 0.02,
      control_dt: 0.02,
      initial: { down: -10000, brake_left: brake, brake_right: brake },
      inputs: [{ t: 0, brake_left_cmd: brake, brake_right_cmd: brake }],
    };
    const simulation = createSimulation(readScenario(plainSource(words, "bench"), parafoil));
    while (simulation.t < 120) simulation.step();
  };
  const brakes = Array.from({ length: 11 }, (_, i) => i / 10);
  const settled = cpu(() => brakes.forEach(fly));
  const solved = cpu(() => brakePolar(parafoil, brakes));
  const ratio = solved / settled;
  if (ratio > 0.1) process.exitCode = 1;
  console.log(
    `polar of the parafoil: ${(1e3 * solved).toFixed(0)} ms by trim, ${(1e3 * settled).toFixed(0)} ms by settling: ${ratio.toFixed(3)}  (wanted 0.1: ${ratio < 0.1 ? "holds" : "MISSED"})`,
  );
}
