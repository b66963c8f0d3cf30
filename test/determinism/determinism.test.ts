import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { chromium } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { createSimulation, parseYaml, preset, Recorder, readScenario, run } from "../../src/index.ts";

import { bundled } from "../support/bundle.ts";
import { folder } from "../support/folder.mjs";

const SCENARIO = `
vehicle: parafoil
duration: 30
control_dt: 0.02
seed: 77
wind:
  steady: [0.5, 1.5, 0]
  gust: { interval: 4, duration: 2, magnitude: 3 }
  colored: { tau: 2, sigma: 1 }
  dryden: { turbulence: moderate, height: 40, airspeed: 4.5, heading: 30 deg }
sensors: { accelerometer: {}, gyro: {}, imu: { rate: 5 } }
air: isa
inputs: [{ t: 2, brake_left_cmd: 0.7 }, { t: 10, brake_left_cmd: 0, brake_right_cmd: 0.6 }, { t: 20, brake_left_cmd: 1, brake_right_cmd: 1 }]
`;
/** A car from standstill, with its driver. */
const DRIVE = `
vehicle: formula-student
duration: 8
track: autocross
driver: true
parameters: { friction_ellipse: on, load_sensitivity: on }
`;
const isStiff = (integrator: string) => integrator.startsWith("radau");
const hashHere = (integrator: string) => {
  const [words, vehicle] = isStiff(integrator) ? [DRIVE, "formula-student"] : [SCENARIO, "parafoil"];
  const scenario = readScenario(parseYaml(words, "s"), preset(vehicle));
  return run(createSimulation({ ...scenario, integrator: integrator as "rk4" }), scenario.duration).hash;
};
const INTEGRATORS = ["euler", "semi-implicit", "rk4", "dopri5", "radau", "radau-fixed"];
const here = Object.fromEntries(INTEGRATORS.map((i) => [i, hashHere(i)]));

/** The library, for workers and browsers. */
let bundle = "";
beforeAll(async () => {
  bundle = await bundled(new URL("../../src/index.ts", import.meta.url), "sideslip");
});

const task = `(integrator) => {
  const { createSimulation, parseYaml, preset, readScenario, run } = sideslip;
  const [words, vehicle] = integrator.startsWith("radau")
    ? [${JSON.stringify(DRIVE)}, "formula-student"]
    : [${JSON.stringify(SCENARIO)}, "parafoil"];
  const scenario = readScenario(parseYaml(words, "s"), preset(vehicle));
  return run(createSimulation({ ...scenario, integrator }), scenario.duration).hash;
}`;

describe("the same scenario gives the same bits", () => {
  it("twice, and different ones for different integrators and seeds", () => {
    for (const i of INTEGRATORS) expect(hashHere(i)).toBe(here[i]);
    expect(new Set(Object.values(here)).size).toBe(INTEGRATORS.length);
  });

  it("in a worker thread", async () => {
    const code = `${bundle};const task = ${task};require("node:worker_threads").parentPort.postMessage(${JSON.stringify(INTEGRATORS)}.map(task));`;
    const worker = new Worker(code, { eval: true });
    const hashes = await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    await worker.terminate();
    expect(hashes).toEqual(Object.values(here));
  });

  const browser = "/usr/bin/chromium";
  const withBrowser = existsSync(browser) || process.env.CI === "true" ? it : it.skip;
  if (!existsSync(browser)) console.warn("SKIPPED: chromium is absent, so its bits are not compared here");
  withBrowser("in headless Chromium, on the page and in its worker", async () => {
    const chrome = await chromium.launch({
      executablePath: browser,
      args: ["--no-sandbox", "--disable-background-networking"],
    });
    try {
      const page = await chrome.newPage();
      await page.addScriptTag({ content: bundle });
      const onPage = await page.evaluate(`${JSON.stringify(INTEGRATORS)}.map(${task})`);
      expect(onPage).toEqual(Object.values(here));
      const inWorker = await page.evaluate(`new Promise((resolve, reject) => {
        const code = ${JSON.stringify(`${bundle};postMessage(${JSON.stringify(INTEGRATORS)}.map(${task}));`)};
        const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
        worker.onmessage = (e) => resolve(e.data);
        worker.onerror = (e) => reject(new Error(e.message));
      })`);
      expect(inWorker).toEqual(Object.values(here));
    } finally {
      await chrome.close();
    }
  });

  it("on the command line, with --json or without, with files or without", () => {
    const root = folder("page");
    const file = join(root, "s.yaml");
    writeFileSync(file, SCENARIO);
    const cli = new URL("../../bin/sideslip.js", import.meta.url).pathname;
    const output = (...args: string[]) =>
      spawnSync(process.execPath, [cli, "run", file, ...args], { encoding: "utf8" }).stdout;
    expect(JSON.parse(output("--json")).hash).toBe(here.rk4);
    expect(output("--out", join(root, "f.csv"), "--out", join(root, "f.html"))).toContain(here.rk4);
    expect(readFileSync(join(root, "f.html"), "utf8")).toContain(here.rk4);
    expect(JSON.parse(output("--json", "--integrator", "dopri5")).hash).toBe(here.dopri5);
    expect(JSON.parse(output("--json", "--seed", "78")).hash).not.toBe(here.rk4);
  });

  it("and the wind is the same whatever the integrator, the step or control_dt", () => {
    const wind = (changes: Record<string, unknown>) => {
      const recorder = new Recorder(["wind_north", "wind_east", "wind_down"]);
      const scenario = { ...readScenario(parseYaml(SCENARIO, "s"), preset("parafoil")), ...changes };
      run(createSimulation(scenario), 20, [recorder]);
      const every = Math.round(0.2 / scenario.controlDt);
      return ["wind_north", "wind_east", "wind_down"].map((n) =>
        recorder.column(n).filter((_, i) => i % every === 0),
      );
    };
    const reference = wind({});
    expect(Math.max(...reference[0])).toBeGreaterThan(1);
    for (const changes of [
      { integrator: "euler" },
      { integrator: "dopri5" },
      { dt: 0.02 },
      { controlDt: 0.1 },
      { controlDt: 0.005 },
    ])
      wind(changes).forEach((axis, i) => {
        axis.forEach((v, k) => {
          expect(Math.abs(v - reference[i][k])).toBeLessThan(1e-9);
        });
      });
  });
});
