import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, sideslip, writeFile } from "../support/cli.ts";

describe("the command line", () => {
  it("lists, describes and explains itself", () => {
    expect(sideslip(["list"]).stdout).toContain("parafoil");
    expect(JSON.parse(sideslip(["list", "--json"]).stdout)).toContainEqual(
      expect.objectContaining({
        name: "parafoil",
        model: "parafoil",
      }),
    );
    const text = sideslip(["describe", "parafoil"]).stdout;
    for (const word of [
      "brake_left_cmd",
      "c_n_weath",
      "kg m^2",
      "params.yaml",
      "specific_force_z",
      "landing",
    ])
      expect(text).toContain(word);
    const d = JSON.parse(sideslip(["describe", "parafoil", "--json"]).stdout);
    for (const p of d.parameters)
      for (const key of ["name", "unit", "range", "meaning", "value", "source"])
        expect(p[key], p.name).toBeDefined();
  });
  it("every command has help with an example and exits with 0", () => {
    for (const command of ["list", "describe", "run", "polar", "turn", "schema"]) {
      const { status, stdout } = sideslip([command, "--help"]);
      expect(status).toBe(0);
      expect(stdout).toMatch(new RegExp(`Examples?:\\n  sideslip ${command}`));
      expect(stdout).toContain("--json");
    }
    expect(sideslip(["--help"]).status).toBe(0);
    expect(sideslip(["--version"]).stdout).toBe(
      `${JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version}\n`,
    );
  });
  it("a run prints JSON whose final state has the flat field names", () => {
    const r = JSON.parse(sideslip(["run", "parafoil", "--duration", "2", "--seed", "5", "--json"]).stdout);
    expect(Object.keys(r)).toEqual(["vehicle", "seed", "duration", "steps", "final", "events", "hash"]);
    expect(r).toMatchObject({ vehicle: "parafoil", seed: 5, duration: 2, steps: 400, events: [] });
    for (const name of ["north", "q_w", "brake_left", "brake_left_cmd", "wind_east", "alpha"])
      expect(typeof r.final[name]).toBe("number");
    expect(r.hash).toMatch(/^[0-9a-f]{16}$/);
  });
  it("a CSV has t and the flat names as header, one row a sample, and reads back to the same doubles", () => {
    const at = folder();
    const r = JSON.parse(
      sideslip(["run", "parafoil", "--duration", "3", "--out", "f.csv", "--json"], at).stdout,
    );
    const [header, ...rows] = readFileSync(join(at, "f.csv"), "utf8").trim().split("\n");
    const names = header.split(",");
    expect(names.slice(0, 4)).toEqual(["t", "north", "east", "down"]);
    expect(rows.length).toBe(151);
    const last = rows.at(-1)?.split(",").map(Number) ?? [];
    names.slice(1).forEach((name, i) => {
      expect(last[i + 1], name).toBe(r.final[name] + 0);
    });
    expect(new Set(names.map((n) => n.toLowerCase())).size).toBe(names.length); // some tools fold case
    expect(readdirSync(at)).toEqual(["f.csv"]);
  });
  it("--fields chooses columns", () => {
    const at = folder();
    sideslip(["run", "parafoil", "--duration", "1", "--out", "f.csv", "--fields", "altitude,alpha"], at);
    expect(readFileSync(join(at, "f.csv"), "utf8").split("\n")[0]).toBe("t,altitude,alpha");
  });
  it("flags win over the scenario file; --wind is where the air moves to", () => {
    const file = writeFile("vehicle: parafoil\nduration: 5\nwind: { steady: [9, 0, 0] }\n");
    const r = JSON.parse(
      sideslip([
        "run",
        file,
        "--wind",
        "0,2,0",
        "--duration",
        "1 s",
        "--dt",
        "10 ms",
        "--set",
        "m=4",
        "--json",
      ]).stdout,
    );
    expect(r.final.wind_east).toBe(2);
    expect(r.final.wind_north).toBe(0);
    expect(r.duration).toBe(1);
    expect(r.steps).toBe(100);
  });
  it("a vehicle file beside the scenario is found from anywhere", () => {
    const at = folder();
    const preset = readFileSync(
      new URL("../../src/vehicles/parafoil/presets/parafoil.yaml", import.meta.url),
      "utf8",
    );
    writeFile(preset.replace("m: 2.45 kg", "m: 4000 g"), "mine.yaml", at);
    const file = writeFile("vehicle: ./mine.yaml\nduration: 1\n", "scenario.yaml", at);
    expect(JSON.parse(sideslip(["run", file, "--json"]).stdout).vehicle).toBe("mine");
    expect(
      JSON.parse(sideslip(["describe", join(at, "mine.yaml"), "--json"]).stdout).parameters.find(
        (p: { name: string }) => p.name === "m",
      ).value,
    ).toBe(4);
  });
  it("a seed of -1 is drawn, printed, and repeats the run", () => {
    const file = writeFile(
      "vehicle: parafoil\nduration: 3\nseed: -1\nwind: { colored: { tau: 1, sigma: 1 } }\n",
    );
    const [a, b] = [1, 2].map(() => JSON.parse(sideslip(["run", file, "--json"]).stdout));
    expect(a.seed).not.toBe(b.seed);
    const again = JSON.parse(sideslip(["run", file, "--seed", String(a.seed), "--json"]).stdout);
    expect(again.hash).toBe(a.hash);
    expect(sideslip(["run", file]).stdout).toMatch(/seed \d+/);
  });
  it("--seed is the seed of all random numbers, also of those with one of their own", () => {
    const file = writeFile(
      "vehicle: parafoil\nduration: 2\nwind: { seed: -1, colored: { tau: 1, sigma: 1 } }\nsensors: { seed: -1, gyro: {} }\n",
    );
    const [a, b] = [1, 2].map(() => JSON.parse(sideslip(["run", file, "--seed", "5", "--json"]).stdout));
    expect([a.hash, a.final.gyro_x]).toEqual([b.hash, b.final.gyro_x]);
  });
  it("a stone has no polar", () => {
    const { status, stderr } = sideslip(["polar", "parafoil", "--set", "m=2450", "--set", "S=0.05"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/no steady glide at any brake/);
  });
  it("polar and trim find flights that nobody could fly, and say so", () => {
    const unstable = sideslip(["polar", "parafoil", "--set", "c_ma=5"]);
    expect(unstable.status).toBe(0);
    expect(unstable.stdout).toMatch(
      /UNSTABLE at 11 of 11 settings: pitch pendulum, aperiodic( \(\d\))? doubles in 0\.0\d+ s/,
    );
    expect(sideslip(["trim", "parafoil", "--set", "c_ma=5"]).stdout).toMatch(
      /pitch pendulum, aperiodic( \(\d\))? grows/,
    );
    expect(sideslip(["polar", "parafoil"]).stdout).not.toMatch(/UNSTABLE/);
  });
  it("polar and turn do not depend on how slow or fast the actuator is", () => {
    const rate = (tau: string) =>
      JSON.parse(sideslip(["turn", "parafoil", "--set", `tau_act=${tau}`, "--json"]).stdout)[0].yaw_rate;
    expect(rate("2 ms")).toBeCloseTo(-0.172894, 6);
    expect(rate("1000 s")).toBeCloseTo(-0.172894, 6);
  });
  it("a fast actuator is flown right by dopri5", () => {
    const file = writeFile(
      "vehicle: parafoil\nduration: 3\nintegrator: dopri5\nparameters: { tau_act: 1 ms }\ninputs: [{ t: 1, brake_left_cmd: 0.3 }]\n",
    );
    expect(JSON.parse(sideslip(["run", file, "--json"]).stdout).final.brake_left).toBeCloseTo(0.3, 6);
  });
  it("what a run cannot write as a number it does not write", () => {
    const at = folder();
    const { status, stderr } = sideslip(
      ["run", "parafoil", "--set", "rho=1e308", "--duration", "5", "--out", "f.csv"],
      at,
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/is (-?Infinity|NaN): no sample is written|diverged/);
    for (const name of readdirSync(at))
      expect(readFileSync(join(at, name), "utf8")).not.toMatch(/NaN|Infinity/);
  });
  it("schemas are JSON Schemas that know the fields", () => {
    const scenario = JSON.parse(sideslip(["schema", "scenario"]).stdout);
    expect(scenario.properties.wind.properties.gust.required).toEqual(["interval", "duration", "magnitude"]);
    expect(scenario.properties.parameters.properties.c_n_weath.description).toContain("nose downwind");
    expect(scenario.required).toEqual(["vehicle"]);
    const vehicle = JSON.parse(sideslip(["schema", "vehicle"]).stdout);
    // A file that extends another vehicle may leave out what that one has.
    expect(vehicle.properties.extends.type).toBe("string");
    const { required } = vehicle.else.properties.parameters;
    expect(required).toContain("m");
    expect(required).not.toContain("c_lb");
  });
  it("a diverging run exits with 1, says when and what, and keeps the samples before", () => {
    const at = folder();
    const file = writeFile(
      "vehicle: parafoil\nintegrator: euler\ndt: 0.5\ncontrol_dt: 0.5\nduration: 600\nparameters: { tau_act: 1 }\ninitial: { p: 90 }\n",
    );
    const { status, stderr, stdout } = sideslip(["run", file, "--out", "f.csv"], at);
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^sideslip: the simulation diverged at t = .*Try a smaller dt.*Samples up to there are in f\.csv\.\n$/,
    );
    const text = readFileSync(join(at, "f.csv"), "utf8");
    expect(text.trim().split("\n").length).toBeGreaterThan(2);
    expect(text).not.toMatch(/NaN|Infinity/);
  });
});

describe("wrong usage exits with 2, one paragraph, no stack trace, no file left behind", () => {
  const wrong = (args: string[], pattern: RegExp) => {
    const at = folder();
    const { status, stderr, stdout } = sideslip(
      [...args, ...(args[0] === "run" ? ["--out", "result.csv"] : [])],
      at,
    );
    expect(status, stderr).toBe(2);
    expect(stderr).toMatch(pattern);
    expect(stderr).not.toMatch(/\n\s+at |node:internal/);
    expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(3);
    expect(stdout).toBe("");
    expect(readdirSync(at)).toEqual([]);
  };
  const scenario = (text: string, pattern: RegExp) => () => wrong(["run", writeFile(text)], pattern);
  const HEAD = "vehicle: parafoil\n";

  it("unknown command, option, vehicle", () => {
    wrong(["fly-away"], /unknown command/);
    wrong(["run", "parafoil", "--durration", "3"], /unknown option.*\n?.*duration/);
    wrong(["run", "parafoyl"], /no vehicle "parafoyl"; did you mean "parafoil"/);
    wrong(["run"], /missing required argument/);
    wrong(["schema", "nonsense"], /neither scenario, vehicle nor campaign/);
  });
  it("wrong flags", () => {
    wrong(
      ["run", "parafoil", "--dt", "fast"],
      /--dt: dt: "fast" is not a number with a unit; allowed: 0\.000001 to 10 s/,
    );
    wrong(["run", "parafoil", "--dt", "0"], /--dt: dt: "0" is out of range/);
    wrong(["run", "parafoil", "--wind", "3,4"], /--wind: "3,4" is not three numbers/);
    wrong(
      ["run", "parafoil", "--integrator", "rk5"],
      /--integrator: integrator: "rk5" is not valid here; allowed: euler, semi-implicit, rk4, dopri5/,
    );
    wrong(["run", "parafoil", "--seed", "1.5"], /--seed: seed: .*not a whole number/);
    wrong(["run", "parafoil", "--set", "mass=3"], /--set: parameters\.mass: unknown key/);
    wrong(
      ["run", "parafoil", "--set", "m=-3 kg"],
      /--set: parameters\.m: "-3 kg" is out of range; allowed: > 0 kg/,
    );
    wrong(["run", "parafoil", "--fields", "altitud"], /no field "altitud"; did you mean "altitude"/);
    wrong(["run", "parafoil", "--out", "x.docx"], /x\.docx: --out: has an unknown file type/);
    wrong(
      ["run", "parafoil", "--out", "no/such/folder/x.csv"],
      /cannot be written: its folder does not exist/,
    );
  });
  it(
    "unknown key, with the one that was meant",
    scenario(
      `${HEAD}durration: 3\n`,
      /scenario\.yaml:2:1: durration: unknown key; did you mean "duration"\?/,
    ),
  );
  it(
    "wrong type",
    scenario(`${HEAD}duration: [3]\n`, /scenario\.yaml:2:\d+: duration: \[3\] is not a number/),
  );
  it(
    "wrong unit",
    scenario(
      `${HEAD}duration: 3 kg\n`,
      /scenario\.yaml:2:\d+: duration: "3 kg" has the wrong kind of unit; allowed: above 0 to 1000000000 s/,
    ),
  );
  it(
    "out of range",
    scenario(
      `${HEAD}wind:\n  gust: { interval: 10, duration: -2, magnitude: 3 }\n`,
      /scenario\.yaml:3:\d+: wind\.gust\.duration: -2 is out of range; allowed: 0\.01 to 1000000 s/,
    ),
  );
  it(
    "missing field that bears a unit",
    scenario(
      `${HEAD}wind:\n  colored: { tau: 2 }\n`,
      /scenario\.yaml:3:\d+: wind\.colored\.sigma: is missing; allowed: .*m\/s/,
    ),
  );
  it("NaN and infinity", () => {
    scenario(`${HEAD}duration: .nan\n`, /duration: is not a number \(NaN\)/)();
    scenario(`${HEAD}duration: .inf\n`, /duration: "?Infinity"? is out of range/)();
  });
  it("negative mass, zero chord", () => {
    scenario(
      `${HEAD}parameters: { m: -1 }\n`,
      /scenario\.yaml:2:\d+: parameters\.m: -1 is out of range; allowed: > 0 kg; total mass/,
    )();
    scenario(
      `${HEAD}parameters: { c: 0 m }\n`,
      /parameters\.c: "0 m" is out of range; allowed: > 0 m; canopy chord/,
    )();
  });
  it("a quaternion that is none", () => {
    scenario(
      `${HEAD}initial: { q_w: 1, q_x: 1, q_y: 0, q_z: 0 }\n`,
      /scenario\.yaml:2:\d+: initial\.q_w: the quaternion has length 1\.41421; allowed: length 1/,
    )();
    scenario(`${HEAD}initial: { q_w: 1, q_x: 0 }\n`, /the quaternion is incomplete/)();
    scenario(`${HEAD}initial: { q_w: 1, q_x: 0, q_y: 0, q_z: 0, yaw: 1 }\n`, /attitude is given twice/)();
  });
  it("a time that appears twice, or goes back", () => {
    scenario(
      `${HEAD}inputs:\n  - { t: 1, brake_left_cmd: 0 }\n  - { t: 1, brake_left_cmd: 1 }\n`,
      /scenario\.yaml:4:\d+: inputs\.\[1\]\.t: the time 1 s appears twice in the timeline/,
    )();
    scenario(`${HEAD}inputs:\n  - { t: 2 }\n  - { t: 1 }\n`, /1 s comes after 2 s/)();
  });
  it(
    "an input out of its range",
    scenario(
      `${HEAD}inputs: [{ t: 0, brake_left_cmd: 1.5 }]\n`,
      /brake_left_cmd: 1\.5 is out of range; allowed: 0 to 1/,
    ),
  );
  it("a vehicle file with a missing parameter", () => {
    const preset = readFileSync(
      new URL("../../src/vehicles/parafoil/presets/parafoil.yaml", import.meta.url),
      "utf8",
    );
    const at = folder();
    wrong(
      ["describe", writeFile(preset.replace(/^ {2}m: .*\n/m, ""), "v.yaml", at)],
      /v\.yaml:\d+:\d+: parameters\.m: is missing; allowed: > 0 kg; total mass/,
    );
    wrong(
      ["describe", writeFile("parameters: {}\n", "w.yaml", at)],
      /model: is missing; allowed: aircraft, car, parafoil/,
    );
    wrong(
      ["describe", writeFile("model: glider\n", "x.yaml", at)],
      /x\.yaml:1:1: model: "glider" is not a model/,
    );
  });
  it("a file that is not there, is a folder, is binary, is broken, is too long", () => {
    wrong(["run", "nowhere.yaml"], /nowhere\.yaml: cannot be read: no such file/);
    wrong(["run", "/usr/"], /cannot be read: it is a directory/);
    wrong(["run", writeFile(new Uint8Array([0xff, 0xfe, 0x80, 0, 1, 2]))], /is not a text file/);
    wrong(["run", writeFile("vehicle: parafoil\n\u0000\n")], /NUL bytes/);
    wrong(["run", writeFile("vehicle: [\n")], /not valid YAML/);
    wrong(["run", writeFile("")], /vehicle: is missing/);
    wrong(
      ["run", writeFile(`vehicle: parafoil # ${"x".repeat(100_000_000)}\n`)],
      /is 100\.0 MB long; allowed: text files up to 1 MB/,
    );
  });
  it("YAML aliases that explode, and nesting without end", () => {
    const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 10; i++)
      bomb.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(", ")}]`,
      );
    scenario(bomb.join("\n"), /aliases expand without bound/)();
    scenario("[".repeat(300_000), /not valid YAML|nested too deeply/)();
  });
  it("an empty block, a list for a block, several documents", () => {
    scenario(
      `${HEAD}wind:\n`,
      /scenario\.yaml:2:1: wind: is empty; allowed: a block with seed, steady, gust, colored, dryden/,
    )();
    scenario(
      `${HEAD}wind: [0, 2, 0]\n`,
      /wind: \[0,2,0\] is not valid here; allowed: a block with seed, steady/,
    )();
    scenario(`${HEAD}---\n${HEAD}`, /more than one YAML document/)();
  });
  it("degrees forgotten: 90 is more than two turns", () => {
    scenario(`${HEAD}initial: { yaw: 90 }\n`, /initial\.yaw: 90 is out of range; .*degrees: "30 deg"/)();
    scenario(`${HEAD}wind: { steady: { from: 90, speed: 2 } }\n`, /wind\.steady\.from: 90 is out of range/)();
  });
  it("absurd initial states and noise, and height given twice", () => {
    scenario(
      `${HEAD}initial: { v_north: 1.0e+200 }\n`,
      /initial\.v_north: .* is out of range; allowed: -8000 to 8000 m\/s/,
    )();
    scenario(
      `${HEAD}sensors: { gyro: { noise: [1.0e+308, 0, 0] } }\n`,
      /sensors\.gyro\.noise\.\[0\]: .* out of range/,
    )();
    scenario(`${HEAD}initial: { down: -5, altitude: 6 }\n`, /height is given twice/)();
  });
  it("steps too short to hear Ctrl-C, or too long for the actuator", () => {
    scenario(
      `${HEAD}dt: 1e-5\ncontrol_dt: 3600\n`,
      /scenario\.yaml:2:1: dt: 0\.00001 s is too short for ticks of 3600 s/,
    )();
    scenario(
      `${HEAD}parameters: { tau_act: 1 ms }\n`,
      /dt: steps of 0\.005 s are too long for tau_act = 0\.001 s with rk4; allowed: up to 0\.0025 s, or the integrator dopri5/,
    )();
  });
  it("names that every object has, and files without end", () => {
    wrong(["run", "parafoil", "--set", "__proto__.duration=3"], /is not name=value/);
    wrong(["run", "parafoil", "--set", "constructor.name=3"], /parameters\.constructor: unknown key/);
    wrong(["run", "parafoil", "--set", "toString.x=3"], /parameters\.toString: unknown key/);
    wrong(["describe", writeFile("model: constructor\n", "v.yaml")], /"constructor" is not a model/);
    wrong(["run", "/dev/zero"], /cannot be read: it is not a file/);
    scenario(
      `${HEAD}parameters: { lever_arms: constructor }\n`,
      /"constructor" is not a choice; allowed: off or on/,
    )();
    scenario(Array.from({ length: 60_000 }, (_, i) => `key${i}: 1`).join("\n"), /vehicle: is missing/)();
    scenario(`${HEAD}duration: 3\nduration: 4\n`, /scenario\.yaml:3:1: duration: appears twice/)();
    scenario(`vehicle: ${"x".repeat(900_000)}\n`, /x\.\.\./)();
  });
  it("a unit that is none, an IMU faster than the ticks", () => {
    scenario(`${HEAD}inputs: [{ t: 0, brake_left_cmd: 0.5 15 }]\n`, /"15" in "0\.5 15" is not a unit/)();
    scenario(
      `${HEAD}sensors: { imu: { rate: 100 } }\n`,
      /sensors\.imu\.rate: 100 Hz is faster than the ticks; allowed: up to 50 Hz/,
    )();
  });
  it("an output that is a folder, or named twice", () => {
    const at = folder();
    mkdirSync(join(at, "d.csv"));
    const before = sideslip(["run", "parafoil", "--out", "d.csv"], at);
    expect([before.status, before.stderr]).toEqual([
      2,
      "sideslip: d.csv: cannot be written: it is a directory\n",
    ]);
    expect(sideslip(["run", "parafoil", "--out", "x.csv", "--out", "./x.csv"], at).stderr).toMatch(
      /x\.csv: --out: is given twice/,
    );
    expect(readdirSync(at)).toEqual(["d.csv"]);
  });
  it(
    "a key that would poison an object",
    scenario(`${HEAD}__proto__: { duration: 3 }\n`, /:\d+:\d+: __proto__: is not a valid name/),
  );
  it(
    "a start on the ground",
    scenario(
      `${HEAD}initial: { down: 0 }\n`,
      /initial: the run would be over before it begins: the event "landing" holds at the start/,
    ),
  );
  it("a scenario where a vehicle belongs", () =>
    wrong(["describe", writeFile(HEAD)], /is a scenario, but a vehicle is needed/));
});

describe("results on disk", () => {
  it("a disk that refuses more is reported with exit code 1, and what was written stays in the part file", () => {
    const at = folder();
    const bin = new URL("../../bin/sideslip.js", import.meta.url).pathname;
    // A limit of 100 blocks on file size stands for a full disk.
    const command = `trap '' XFSZ; ulimit -f 100; exec "${process.execPath}" "${bin}" run parafoil --duration 100 --out f.csv`;
    const { status, stderr } = spawnSync("sh", ["-c", command], { cwd: at, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /\nsideslip: f\.csv: could not be written: .*; what was written so far is in f\.csv\.part\n$/,
    );
    expect(readdirSync(at)).toEqual(["f.csv.part"]);
  });
  it("Ctrl-C keeps what was flown and says so", async () => {
    const at = folder();
    const bin = new URL("../../bin/sideslip.js", import.meta.url).pathname;
    const file = writeFile("vehicle: parafoil\nduration: 1000000\ninitial: { down: -2000000 }\n");
    const child = spawn(
      process.execPath,
      [bin, "run", file, "--out", "f.csv", "--fields", "altitude", "--json"],
      { cwd: at },
    );
    let out = "";
    child.stdout.on("data", (d) => (out += d));
    await new Promise((go) => setTimeout(go, 1500));
    child.kill("SIGINT");
    const status = await new Promise((done) => child.once("exit", done));
    expect(status).toBe(130);
    const result = JSON.parse(out);
    expect(result.interrupted).toBe(true);
    const rows = readFileSync(join(at, "f.csv"), "utf8").trim().split("\n");
    expect(Number(rows.at(-1)?.split(",")[0])).toBe(result.duration);
  });
});
