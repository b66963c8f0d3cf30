/** A fourth type of vehicle, added without touching src/ or studio/: the two lists are replaced when Sideslip is built. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build, type Plugin } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleCli } from "../../scripts/bundle-cli.mjs";
import { serveFolder } from "../../src/cli/static-server.ts";
import { readChannels } from "../../src/formats/mcap-channels.ts";
import { folder } from "../support/folder.mjs";
import { hasChromium } from "../support/studio.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const own = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const at = folder("boat");
const dist = join(at, "dist");

/** The lists of the house are found as usual by the lists that replace them, and by nothing else. */
const withBoat: Plugin = {
  name: "with-boat",
  enforce: "pre",
  async resolveId(source, importer, options) {
    const lists: Readonly<Record<string, string>> = {
      [`${root}src/vehicle-types/list.ts`]: own("list.ts"),
      [`${root}studio/vehicle-types.tsx`]: own("studio-types.tsx"),
    };
    if (importer === undefined || Object.values(lists).includes(importer)) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found ? (lists[found.id] ?? null) : null;
  },
};

const sideslip = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, "sideslip.js"), ...args], {
    cwd: at,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  expect(stderr).not.toMatch(/^\s+at .*\.js/m);
  return { status, stdout, stderr };
};
const json = (...args: string[]) => {
  const { status, stdout, stderr } = sideslip(...args, "--json");
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
};

beforeAll(async () => {
  writeFileSync(join(at, "package.json"), '{ "type": "module" }');
  symlinkSync(join(root, "node_modules"), join(at, "node_modules"));
  await bundleCli({ outDir: dist, plugins: [withBoat] });
}, 120_000);

describe("a boat in the command line", () => {
  it("is listed and described", () => {
    expect(json("list")).toContainEqual(expect.objectContaining({ name: "launch", model: "boat" }));
    const described = json("describe", "launch");
    expect(described.states.map((f: { name: string }) => f.name)).toContain("thrust_left");
    expect(sideslip("describe", "formula-student").status).toBe(0);
  });

  it("sails: the speed is where thrust and drag balance, and the turn goes to port", () => {
    const { final } = json("run", "launch", "--duration", "15");
    // 50 v + 60 v^2 = 400 N; the time constant at that speed is 440 / (50 + 120 v) s.
    const v = (-50 + Math.sqrt(50 * 50 + 4 * 60 * 400)) / (2 * 60);
    expect(final.v_x).toBeCloseTo(v, 3);
    expect(sideslip("run", "launch").stdout).toMatch(/30 s sailed in/);
    expect(json("run", "launch").final.omega).toBeGreaterThan(0.02);
  });

  it("trims: both thrusters share the drag", () => {
    const { controls } = json("trim", "launch", "--speed", "2");
    // (50 * 2 + 60 * 4) / 2 N each.
    for (const { value } of controls) expect(value).toBeCloseTo(170, 6);
    expect(controls).toHaveLength(2);
  });

  it("has the modes of its linear equations: surge decays by drag over mass and added mass", () => {
    const { modes } = json("modes", "launch", "--speed", "2");
    const surge = -(50 + 2 * 60 * 2) / 440;
    const distances = modes.map(({ real }: { real: number }) => Math.abs(real - surge));
    expect(Math.min(...distances)).toBeLessThan(1e-6);
  });

  it("is checked by the physics lint, which finds the parameter that moves nothing", () => {
    const { status, stdout } = sideslip("check", "launch");
    // Thrust along the hull has no arm ahead of the centre of mass or behind it.
    expect([...stdout.matchAll(/^WRONG.*$/gm)].map(([line]) => line)).toEqual([
      expect.stringMatching(/\bstern\b.*no effect/),
    ]);
    expect(status).toBe(1);
  });

  it("goes through a campaign with threads", () => {
    const spec = join(at, "campaign.yaml");
    writeFileSync(
      spec,
      "scenario: { vehicle: launch, duration: 5, inputs: [{ t: 0, thrust_left_cmd: 100, thrust_right_cmd: 100 }] }\n" +
        "runs: 20\nvary: { parameters.m: { uniform: { from: 300, to: 500 } } }\nmeasure: { speed: { final: speed } }\n",
    );
    const { status, stderr, stdout } = sideslip("campaign", spec, "--out", "boats.parquet", "--threads", "2");
    expect(status, stderr + stdout).toBe(0);
    expect(existsSync(join(at, "boats.parquet"))).toBe(true);
  });

  it("is served, logged and replayed", async () => {
    const server = spawn(
      process.execPath,
      [join(dist, "sideslip.js"), "serve", "launch", "--foxglove", "0", "--out", "boat.mcap"],
      { cwd: at },
    );
    let said = "";
    server.stdout.on("data", (d) => (said += d));
    server.stderr.on("data", (d) => (said += d));
    await expect.poll(() => said, { timeout: 20_000 }).toMatch(/ws:\/\/127\.0\.0\.1:\d+/);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGINT");
    await ended;
    // The log opens as that of a boat, and is written again as a table.
    const again = sideslip("replay", "boat.mcap", "--out", "again.mcap", "--speed", "100");
    expect(again.status, again.stderr).toBe(0);
    const { names, rows } = readChannels(readFileSync(join(at, "again.mcap")), "again.mcap");
    expect(names).toContain("thrust_left");
    expect(rows[rows.length - 1][0]).toBeGreaterThan(1);
    const { status, stderr } = sideslip("run", "launch", "--out", "boat.csv", "--duration", "2");
    expect(status, stderr).toBe(0);
    expect(readFileSync(join(at, "boat.csv"), "utf8").split("\n")[0]).toMatch(/^t,X,Y,phi,v_x/);
  });
});

describe.skipIf(!hasChromium)("a boat in the Studio", () => {
  const studio = join(dist, "studio");
  let close = () => {};
  beforeAll(async () => {
    await build({
      configFile: join(root, "studio/vite.config.ts"),
      plugins: [withBoat],
      worker: { plugins: () => [withBoat] },
      build: { outDir: studio, emptyOutDir: true, minify: false },
    });
  }, 120_000);
  afterAll(() => close());

  it("is chosen, shown and steered", async () => {
    const served = await serveFolder(studio, "127.0.0.1", 0);
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
    close = () => {
      served.close();
      void browser.close();
    };
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${served.address}#vehicle=launch`);
    await page.getByTestId("compass").waitFor({ timeout: 30_000 });
    await page.locator('optgroup[label="boats"] option').waitFor({ state: "attached" });
    await page.keyboard.down("d");
    await page.keyboard.down("w");
    const speed = async () => Number(await page.locator('[data-reading="speed"]').textContent());
    await expect.poll(speed, { timeout: 20_000 }).toBeGreaterThan(0.5);
    expect(complaints).toEqual([]);
  });
});
