/** The package as npm would publish it: no complaint of publint and attw, and it works in an empty project. */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { folder } from "../support/folder.mjs";

const root = new URL("../..", import.meta.url).pathname;
const at = folder("package");
const project = folder("project");
const run = (command: string, args: readonly string[], cwd = project) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1e8 });
  return { status, stdout, stderr, both: stdout + stderr };
};
let tarball = "";

const PROGRAM = `
import { createSimulation, findTrim, parseYaml, preset, readScenario, run, type Vehicle } from "sideslip";
import { linearize } from "sideslip";
import { asCar } from "sideslip/analysis";
import { timeline } from "sideslip/control";
import { makeCampaign } from "sideslip/campaign";
import { withJacobian } from "sideslip/compile";
import { csvHeader } from "sideslip/formats";
import { topicsOf } from "sideslip/bridges";
import { elementary } from "sideslip/math";
import { rk4, stateHash } from "sideslip/models";

const vehicle: Vehicle = preset("parafoil");
const scenario = readScenario(parseYaml("vehicle: parafoil\\nduration: 2", "s"), vehicle);
const { final, hash } = run(createSimulation(scenario), scenario.duration);
console.log(hash, final.altitude, findTrim(vehicle, {}, {}).isTrimmed);
console.log([linearize, asCar, timeline, makeCampaign, withJacobian, csvHeader, topicsOf, rk4, stateHash].every(Boolean), elementary.sin(0));
`;

beforeAll(() => {
  // What npm test has built is packed; nothing is built anew.
  const packed = run("npm", ["pack", "--ignore-scripts", "--pack-destination", at], root);
  expect(packed.status, packed.both).toBe(0);
  tarball = join(at, readdirSync(at).find((f) => f.endsWith(".tgz")) as string);
  writeFileSync(join(project, "package.json"), '{ "name": "own", "type": "module", "private": true }');
  const installed = run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", tarball]);
  expect(installed.status, installed.both).toBe(0);
}, 180_000);

describe("the package", () => {
  it("has nothing that publint finds", () => {
    const { status, both } = run(join(root, "node_modules/.bin/publint"), [tarball, "--strict"], root);
    expect(status, both).toBe(0);
  });

  it("has types that every resolution finds", () => {
    const { status, both } = run(
      join(root, "node_modules/.bin/attw"),
      [tarball, "--profile", "esm-only", "--no-color"],
      root,
    );
    expect(status, both).toBe(0);
  });

  it.each(["nodenext", "bundler"])("compiles under strict with %s resolution, and runs", (resolution) => {
    writeFileSync(join(project, "program.ts"), PROGRAM);
    const compilerOptions = {
      strict: true,
      target: "es2022",
      lib: ["es2023", "dom"],
      types: [],
      module: resolution === "nodenext" ? "nodenext" : "esnext",
      moduleResolution: resolution,
      outDir: `out-${resolution}`,
    };
    const files = ["program.ts"];
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const { status, both } = run(process.execPath, [join(root, "node_modules/typescript/bin/tsc")]);
    expect(status, both).toBe(0);
    const ran = run(process.execPath, [`out-${resolution}/program.js`]);
    expect(ran.stdout, ran.stderr).toMatch(/^[0-9a-f]{16} [\d.]+ true\ntrue 0\n$/);
  });

  it("brings the command line, vehicles, examples and the Studio", () => {
    const sideslip = (...args: string[]) => run("npx", ["--no-install", "sideslip", ...args]);
    expect(sideslip("list").stdout).toMatch(/formula-student/);
    expect(sideslip("show", "iris").stdout).toMatch(/model: aircraft/);
    const example = "node_modules/sideslip/examples/parafoil.yaml";
    expect(sideslip("run", example, "--json").status).toBe(0);
    expect(readdirSync(join(project, "node_modules/sideslip/dist/studio"))).toContain("index.html");
    const redis = sideslip(
      "campaign",
      "node_modules/sideslip/examples/campaigns/parafoil-landing.yaml",
      "--engine",
      "redis://127.0.0.1:1",
    );
    expect(redis.status).toBe(2);
    expect(redis.stderr).toMatch(/npm install bullmq ioredis/);
  });

  it("flies the Studio", async () => {
    const server = spawn("npx", ["--no-install", "sideslip", "fly", "--no-open", "--port", "0"], {
      cwd: project,
      detached: true,
    });
    try {
      let text = "";
      server.stdout.on("data", (data) => (text += data));
      await expect.poll(() => text, { timeout: 20_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) as RegExpExecArray;
      expect(await (await fetch(address)).text()).toMatch(/<script type="module"/);
    } finally {
      process.kill(-(server.pid as number), "SIGTERM");
    }
  });
});
