// Campaigns: 10,000 drops of a parafoil from 100 m in coloured wind, a few hundred of them measured. CPU time, a process a measurement.
//   node bench/campaign.mjs stepping | plain | compiled      one measurement
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSimulation, plainSource, run } from "../dist/index.js";
import { makeCampaign, openCampaign, rowsOf } from "../dist/library/campaign.js";
import { folder } from "../test/support/folder.mjs";

const RUNS = 400;
const WARM = 60;
const SPECIFICATION = {
  scenario: {
    vehicle: "parafoil",
    duration: 300,
    initial: { altitude: 100, v_north: 4.4, v_down: 0.9 },
    wind: { steady: [0.5, 0, 0], colored: { tau: 2, sigma: 0.5 } },
  },
  runs: 10_000,
  vary: {
    "parameters.m": { normal: { mean: 2.4, sd: 0.1 } },
    "initial.altitude": { normal: { mean: 100, sd: 3 } },
    "wind.colored.sigma": { lognormal: { median: 0.5, sigma: 0.4 } },
  },
  measure: { north: { final: "north" }, east: { final: "east" }, touchdown: { event: "landing" } },
};
const campaignOf = () =>
  makeCampaign(plainSource(SPECIFICATION, "bench"), "parafoil", plainSource(SPECIFICATION.scenario, "bench"));

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Runs a second and core. */
function measure(what) {
  const whole = campaignOf();
  const isPlain = what !== "compiled";
  const campaign = isPlain ? openCampaign(whole.words, { isPlain }) : whole;
  if (what === "stepping") {
    // The bare loop, with scenarios that were read before.
    const scenarios = Array.from({ length: WARM + RUNS }, (_, i) => campaign.plan(i).scenario);
    const fly = (scenario) => run(createSimulation(scenario), scenario.duration);
    for (const scenario of scenarios.slice(0, WARM)) fly(scenario);
    const start = cpu();
    for (const scenario of scenarios.slice(WARM)) fly(scenario);
    return RUNS / (cpu() - start);
  }
  rowsOf(campaign, 0, WARM, { isPlain });
  const start = cpu();
  // Blocks, as threads do them.
  for (let from = WARM; from < WARM + RUNS; from += campaign.blockSize)
    rowsOf(campaign, from, Math.min(WARM + RUNS, from + campaign.blockSize), { isPlain });
  return RUNS / (cpu() - start);
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const bin = fileURLToPath(new URL("../bin/sideslip.js", import.meta.url));
const TELL =
  'data:text/javascript,import{isMainThread}from"node:worker_threads";if(isMainThread)process.on("exit",()=>{const c=process.cpuUsage();process.stderr.write("CPU "+(c.user+c.system)/1e6)})';

export function benchCampaign(wants) {
  const self = fileURLToPath(import.meta.url);
  const rounds = Array.from({ length: 7 }, () =>
    Object.fromEntries(
      ["stepping", "plain", "compiled"].map((what) => [
        what,
        Number(execFileSync(process.execPath, [self, what], { encoding: "utf8" })),
      ]),
    ),
  );
  const of = (pick) => median(rounds.map(pick));
  console.log(
    "campaign, parafoil dropped from 100 m in coloured wind, runs a second and core, medians of 7 rounds",
  );
  for (const what of ["stepping", "plain", "compiled"])
    console.log(`${what.padEnd(20)} ${of((r) => r[what]).toFixed(1)}`);
  wants(
    "campaign without machine code over the bare stepping loop",
    of((r) => r.plain / r.stepping),
    0.8,
  );
  wants(
    "campaign with machine code over the one without",
    of((r) => r.compiled / r.plain),
    2,
  );
  // Two threads: CPU time a run beside one.
  const at = folder("bench");
  writeFileSync(join(at, "c.yaml"), JSON.stringify({ ...SPECIFICATION, runs: 1600 }));
  const seconds = (threads) => {
    const args = [
      "--import",
      TELL,
      bin,
      "campaign",
      "c.yaml",
      "--threads",
      String(threads),
      "--out",
      "c.parquet",
    ];
    const { stderr, status } = spawnSync(process.execPath, args, { cwd: at, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return Number(/CPU ([\d.]+)/.exec(stderr)[1]);
  };
  const ratios = Array.from({ length: 5 }, () => seconds(2) / seconds(1));
  wants("CPU time of 1600 runs on two threads over that on one", median(ratios), 1.1, true);
  console.log();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(measure(process.argv[2]));
