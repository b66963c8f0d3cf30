import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const read = (path: string) => readFileSync(join(root, path), "utf8");
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .trim()
  .split("\n");
const sources = tracked.filter((f) => f.startsWith("src/") && f.endsWith(".ts") && !f.endsWith(".test.ts"));

/** Folders in the order of docs/architecture.md: a file may import from its own folder and from those before it. */
const ORDER = [
  "math",
  "model",
  "environment",
  "parts",
  "vehicles",
  "integrators",
  "sensors",
  "control",
  "formats",
  "simulation",
  "topics",
  "analysis",
  "compile",
  "vehicle-types",
  "campaign",
  "session",
  "bridges",
  "cli",
  "library",
];
const MAY_USE_NODE = ["cli", "campaign", "bridges"];
const DEPENDENCIES_FROM = {
  zod: ORDER.indexOf("model"),
  yaml: ORDER.indexOf("model"),
  saxes: ORDER.indexOf("formats"),
  "@mcap/core": ORDER.indexOf("formats"),
  fzstd: ORDER.indexOf("formats"),
  "@foxglove/crc": ORDER.indexOf("formats"),
  "hyparquet-writer": ORDER.indexOf("formats"),
  acorn: ORDER.indexOf("compile"),
  hyparquet: ORDER.indexOf("campaign"),
  piscina: ORDER.indexOf("campaign"),
  bullmq: ORDER.indexOf("campaign"),
  ioredis: ORDER.indexOf("campaign"),
  "@foxglove/message-definition": ORDER.indexOf("bridges"),
  "@foxglove/rosmsg-msgs-common": ORDER.indexOf("bridges"),
  "@foxglove/rosmsg2-serialization": ORDER.indexOf("bridges"),
  ws: ORDER.indexOf("bridges"),
  commander: ORDER.indexOf("cli"),
};

describe("the architecture", () => {
  it("imports point only to earlier folders", () => {
    const wrong: string[] = [];
    for (const file of sources) {
      const layer = ORDER.indexOf(file.split("/")[1]);
      if (layer < 0) continue; // src/index.ts and src/version.ts stand above all
      for (const [, target] of read(file).matchAll(/^(?:import|export)(?:[^;"]*? from)? "([^"]+)";/gm)) {
        if (target.startsWith(".")) {
          const to = relative(join(root, "src"), resolve(join(root, dirname(file)), target)).split("/")[0];
          const toLayer = ORDER.indexOf(to);
          if (toLayer > layer || (toLayer < 0 && to !== "version.ts"))
            wrong.push(`${file} imports ${target}`);
        } else if (target.startsWith("node:")) {
          if (!MAY_USE_NODE.includes(ORDER[layer])) wrong.push(`${file} imports ${target}`);
        } else {
          const from = DEPENDENCIES_FROM[target as keyof typeof DEPENDENCIES_FROM];
          if (from === undefined || layer < from) wrong.push(`${file} imports ${target}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(sources.length).toBeGreaterThan(40);
  });

  it("vehicles are known only in their own folders and records, and to what is about one type", () => {
    const knows = /from "[^"]*\/(?:vehicles|vehicle-types)\/(?:parafoil|aircraft|car)(?:\.ts|\/)/;
    const receivers = "simulation topics analysis control campaign session bridges compile cli".split(" ");
    const aboutOne = [
      "cli/export.ts", // Gazebo models of aircraft
      "cli/handling.ts", // of cars
      "cli/import-avl.ts",
      "cli/joystick-device.ts", // layouts of sticks
      "cli/polar.ts", // lift and drag of aircraft
      "session/open-avl.ts",
      "session/open-propeller.ts", // goes on an aircraft's rotors
    ].map((file) => `src/${file}`);
    const files = sources.filter((f) => receivers.includes(f.split("/")[1]) && knows.test(read(f)));
    expect(files.filter((f) => !aboutOne.includes(f))).toEqual([]);
  });

  it("nothing compares the name of a model or a type outside the two lists", () => {
    const compares =
      /\b(model|type|vehicle)\??\.name\s*(===|!==)|\binfo\.model\s*(===|!==)|\.model\.name\s*(===|!==)/;
    const lists = ["src/vehicle-types/list.ts", "studio/vehicle-types.tsx"];
    const files = tracked.filter((f) => /^(src|studio)\/.*\.tsx?$/.test(f) && !lists.includes(f));
    expect(files.filter((f) => !f.includes("generated") && compares.test(read(f)))).toEqual([]);
  });

  it("nothing casts to a vehicle's parameters outside its own folder and record", () => {
    const casts =
      /\bas (Aircraft|Car|Parafoil)Parameters\b|arameters as \{ (surfaces|rotors|contacts|servos|l_F|b)\b/;
    const own = /^src\/(vehicles|vehicle-types)\//;
    const files = tracked.filter((f) => /^(src|studio)\/.*\.tsx?$/.test(f) && !own.test(f));
    expect(files.filter((f) => casts.test(read(f)))).toEqual([]);
  });

  it("nothing but src/math computes elementary functions, and that without the engine's", () => {
    const engine =
      /Math\.(sin|cos|tan|asin|acos|atan|atan2|exp|expm1|log|log1p|log2|log10|tanh|sinh|cosh|pow|hypot|cbrt)\(|[\w)\]] \*\* /;
    // Pictures may be drawn by the engine's own: no state depends on them.
    const drawing = ["src/formats/svg-chart.ts"];
    expect(
      sources.filter((f) => !drawing.includes(f) && engine.test(read(f).replace(/\/\*[\s\S]*?\*\//g, ""))),
    ).toEqual([]);
  });

  it.each([
    ["presets", "src/vehicles/presets.generated.ts"],
    ["equations", "src/compile/sources.generated.ts"],
    ["references", "src/analysis/check/references.generated.ts"],
    ["jacobian", "src/vehicles/car/jacobian.generated.ts"],
  ])("the embedded %s are those of the files", (what, file) => {
    const before = read(file);
    execFileSync(process.execPath, ["--import", "tsx", `scripts/embed-${what}.mjs`], { cwd: root });
    expect(read(file)).toBe(before);
  });

  it("the places of outputs in the equations are those of the lists of fields", () => {
    const args = ["--import", "tsx", "scripts/embed-places.mjs", "--check"];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    expect(status, stderr).toBe(0);
  });

  it("generated files that are tracked are those of the commit's sources", () => {
    // npm test has generated them anew: where nothing else was changed, they must come out as they were committed.
    const changed = execFileSync("git", ["diff", "--name-only", "HEAD"], { cwd: root, encoding: "utf8" })
      .trim()
      .split("\n");
    const isGenerated = (f: string) => f.includes(".generated.");
    if (changed.every((f) => f === "" || isGenerated(f)))
      expect(changed.filter((f) => isGenerated(f))).toEqual([]);
  });

  it("no test steps a simulation without a bound: one that ends early would never end", () => {
    const tests = tracked.filter((f) => /^test\/.*\.test\.ts$/.test(f) && existsSync(join(root, f)));
    const endless = tests.filter((f) =>
      /while \([^\n]*\)[^\n]*\.step\(|while \([^\n]*\) \{\n\s*\w+\.step\(/.test(read(f)),
    );
    expect(endless).toEqual([]);
  });

  it("files stay small", () => {
    const long = sources.filter((f) => !f.includes("generated") && read(f).split("\n").length > 400);
    expect(long).toEqual([]);
  });

  it("no machine path, registry address or resolved link is in the repository", () => {
    const text = tracked.filter(
      (f) => /\.(ts|mjs|js|json|md|yaml|c|sh)$|^\.ci/.test(f) && !f.startsWith("test/architecture"),
    );
    const found = text.filter((f) => /(^|[^\w.])\/(work|farm|root)\/|"resolved":\s*"http/.test(read(f)));
    expect(found).toEqual([]);
  });

  it("the version is the same everywhere", () => {
    const { version } = JSON.parse(read("package.json"));
    expect(read("src/version.ts")).toContain(`"${version}"`);
    expect(read("CHANGELOG.md")).toContain(`## ${version}`);
    expect(JSON.parse(read("package-lock.json")).version).toBe(version);
  });
});
