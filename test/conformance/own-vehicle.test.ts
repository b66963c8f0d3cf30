/** What the commands say of a vehicle that is somebody's own, and of files and words that are not what they should be. */

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseExpression } from "../../src/campaign/expression.ts";
import { folder, sideslip } from "../support/cli.ts";

const at = folder();
const QUAD = `
model: aircraft
parameters:
  m: 1.7 kg
  I: { xx: 0.015, yy: 0.016, zz: 0.028 }
  each_rotor: { motorConstant: 1.1e-5, momentConstant: 0.018, maxRotVelocity: 1000, radius: 5.5 in }
  rotors:
    - { position: [0.2, 0.2, -0.03], direction: ccw }
    - { position: [-0.2, -0.2, -0.03], direction: ccw }
    - { position: [0.2, -0.2, -0.03], direction: cw }
    - { position: [-0.2, 0.2, -0.03], direction: cw }
  each_contact: { radius: 0.04 }
  contacts: [{ position: [0.2, 0.2, 0.1] }, { position: [0.2, -0.2, 0.1] }, { position: [-0.2, 0, 0.1] }]
`;
const run = (...args: string[]) => sideslip(args, at);
beforeAll(() => {
  writeFileSync(join(at, "survey.yaml"), QUAD);
});

describe("an own quadrotor", () => {
  it("flies without a scenario, and says what was assumed", () => {
    const { stdout, stderr, status } = run("run", "survey.yaml", "--json");
    expect(status).toBe(0);
    expect(stderr).toMatch(/note: without a scenario it hovers, flies 10 m north and back, and lands/);
    const { events, final } = JSON.parse(stdout);
    expect(events.map((e: { name: string }) => e.name)).toEqual(["touchdown"]);
    expect(Math.abs(final.north)).toBeLessThan(0.3);
  });
  it("one that cannot lift itself is told so, and stands", () => {
    writeFileSync(join(at, "weak.yaml"), QUAD.replace("maxRotVelocity: 1000", "maxRotVelocity: 500"));
    const { stderr } = run("run", "weak.yaml", "--duration", "1", "--json");
    expect(stderr).toMatch(/no pilot flies it: .*N/);
  });
  it("only what the file says has the file for its source", () => {
    const { parameters } = JSON.parse(run("describe", "survey.yaml", "--json").stdout);
    const source = (name: string) => parameters.find((p: { name: string }) => p.name === name).source;
    expect(source("m")).toBe("survey.yaml");
    expect(source("rotors.1.position.x")).toBe("survey.yaml");
    for (const name of ["g", "rho", "boundary.exponent", "rotors.1.installation"])
      expect(source(name)).toBe("Sideslip's default");
    expect(run("describe", "survey.yaml").stdout).toMatch(
      new RegExp(
        `maximum thrust at rest ${(4e6 * 1.1e-5).toFixed(1)} N upward, ${(44 / (1.7 * 9.81)).toFixed(2)} times`,
      ),
    );
  });
  it("check does not take the model's results for the vehicle's", () => {
    const { stdout } = run("check", "survey.yaml");
    expect(stdout).toMatch(
      /the equations of the model "aircraft" give \d+ independent results for reference vehicles/,
    );
    expect(stdout).not.toMatch(/states with independent results come out right/);
  });
  it("a changed parameter is named in the title, with its unit", () => {
    const { stdout } = run("run", "survey.yaml", "--set", "m=2", "--duration", "0.1");
    expect(stdout).toMatch(/^survey: .*\(changed: m = 2 kg\)/);
    expect(stdout).toMatch(/changed +m = 2 kg/);
  });
  it("show gives a file to begin with: presets as they are, others written", () => {
    for (const name of ["iris", "parafoil", "formula-student"]) {
      const { stdout } = run("show", name);
      writeFileSync(join(at, `my-${name}.yaml`), stdout);
      expect(stdout).toMatch(/^#/);
      const [mine, its] = [`my-${name}.yaml`, name].map((v) =>
        JSON.parse(run("describe", v, "--json").stdout),
      );
      expect(mine.parameters.map((p: { value: number }) => p.value)).toEqual(
        its.parameters.map((p: { value: number }) => p.value),
      );
    }
    writeFileSync(join(at, "again.yaml"), run("show", "survey.yaml").stdout);
    expect(run("trim", "again.yaml").stdout.replace("again", "survey")).toBe(
      run("trim", "survey.yaml").stdout,
    );
  });
});

describe("a file that extends another", () => {
  const describeFile = (name: string) => JSON.parse(run("describe", name, "--json").stdout);
  const of = (name: string, parameter: string) =>
    describeFile(name).parameters.find((p: { name: string }) => p.name === parameter);
  beforeAll(() => {
    writeFileSync(
      join(at, "heavy.yaml"),
      "extends: iris\ndescription: heavier\nparameters:\n  m: 1.8 kg\n  each_rotor: { maxRotVelocity: 1200 }\n",
    );
    writeFileSync(
      join(at, "heavier.yaml"),
      "extends: heavy.yaml\nparameters: { m: 2 kg, I: { xx: 0.04 } }\n",
    );
  });
  it("has what it says, and all else from what it extends, each with its source", () => {
    expect(of("heavy.yaml", "m")).toMatchObject({ value: 1.8, source: "heavy.yaml" });
    expect(of("heavy.yaml", "rotors.3.maxRotVelocity")).toMatchObject({ value: 1200, source: "heavy.yaml" });
    const { value, source } = of("iris", "rotors.3.motorConstant");
    expect(of("heavy.yaml", "rotors.3.motorConstant")).toMatchObject({ value, source });
    expect(of("heavier.yaml", "m")).toMatchObject({ value: 2 });
    expect(of("heavier.yaml", "I.xx").value).toBe(0.04);
    expect(of("heavier.yaml", "I.yy").value).toBe(of("iris", "I.yy").value);
    expect(of("heavier.yaml", "rotors.1.maxRotVelocity").value).toBe(1200);
  });
  it("hovers at sqrt(m g/4k), runs and is served like any other", () => {
    const { state } = JSON.parse(run("trim", "heavier.yaml", "--json").stdout);
    expect(state.rotor_1).toBeCloseTo(Math.sqrt((2 * 9.81) / 4 / 5.84e-6), 6);
    expect(run("run", "heavier.yaml", "--duration", "1").status).toBe(0);
  });
  it("null takes a part away", () => {
    writeFileSync(
      join(at, "legless.yaml"),
      "extends: iris\nparameters: { contacts: null, each_contact: null }\n",
    );
    expect(
      describeFile("legless.yaml").parameters.some((p: { name: string }) => p.name.startsWith("contacts")),
    ).toBe(false);
  });
  it("is refused with the file and line that is wrong", () => {
    const refusal = (text: string) => {
      writeFileSync(join(at, "wrong.yaml"), text);
      const { status, stderr } = run("trim", "wrong.yaml");
      expect(status).toBe(2);
      return stderr;
    };
    expect(refusal("extends: heavy.yaml\nparameters: { m: -3 }\n")).toMatch(
      /wrong\.yaml:2:15: parameters\.m: .*out of range/,
    );
    expect(refusal("extends: wrong.yaml\n")).toMatch(/do they name one another/);
    expect(refusal("extends: iriss\n")).toMatch(/there is no vehicle "iriss"; did you mean "iris"/);
    expect(refusal("extends: 3\n")).toMatch(/wrong\.yaml:1:1: extends: is not a name/);
  });
});

it("completions know every command, its options and the vehicles; the shell takes them", () => {
  const { stdout } = run("completion", "bash");
  writeFileSync(
    join(at, "try.sh"),
    `${stdout}
COMP_WORDS=(sideslip tri); COMP_CWORD=1; _sideslip; echo "1 \${COMPREPLY[*]}"
COMP_WORDS=(sideslip trim adv); COMP_CWORD=2; _sideslip; echo "2 \${COMPREPLY[*]}"
COMP_WORDS=(sideslip trim iris --air); COMP_CWORD=3; _sideslip; echo "3 \${COMPREPLY[*]}"
`,
  );
  const tried = spawnSync("bash", [join(at, "try.sh")], { encoding: "utf8", cwd: folder() });
  expect(tried.stderr).toBe("");
  expect(tried.stdout).toBe("1 trim\n2 advanced-plane\n3 --airspeed\n");
  expect(run("completion", "fish").stdout).toMatch(/from trim' -l airspeed/);
});

describe("words that are wrong", () => {
  it.each([
    [
      ["run", "parafoil", "--dt", "10"],
      /10 s is longer than a tick of 0.02 s; allowed: up to control_dt = 0.02 s/,
    ],
    [
      ["run", "parafoil", "--set", "m_payload=30"],
      /m_payload: 30 kg is more than the whole vehicle, m = 2.45 kg/,
    ],
    [["prop", "nothing.dat"], /"nothing.dat" is neither a file nor diameter x pitch/],
    [["campaign", "shwo", "x.parquet"], /unknown command or file "shwo"; did you mean "show"\?/],
    [
      ["trim", "survey.yaml", "--branch", "sideways"],
      /--branch: is not a branch.*nose-first, tail-first, stalled/,
    ],
  ])("%j", (args, words) => {
    const { status, stderr } = run(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
  it("keys that every object has are keys like others", () => {
    for (const key of ["__proto__", "constructor", "toString"]) {
      writeFileSync(join(at, "bad.yaml"), `vehicle: parafoil\n${key}: 3\n`);
      const { status, stderr } = run("run", "bad.yaml");
      expect(status).toBe(2);
      expect(stderr).toMatch(new RegExp(`bad\\.yaml:2:1: ${key}: `));
    }
  });
  it("a schema says whose it is", () => {
    const { stdout, stderr } = run("schema", "scenario");
    expect(JSON.parse(stdout).title).toBe("Sideslip scenario for parafoil");
    expect(stderr).toMatch(/note: this schema is for the parafoil/);
    expect(JSON.parse(run("schema", "scenario", "survey.yaml").stdout).title).toBe(
      "Sideslip scenario for survey.yaml",
    );
  });
  it("polar takes what is free where a condition is given", () => {
    const { status, stdout } = run("polar", "x500", "--airspeed", "5");
    expect(status).toBe(0);
    expect(stdout).toMatch(/steady motion over climb/);
  });
});

describe("files that are written", () => {
  const out = ["--duration", "0.1", "--fields", "altitude", "--out"];
  it("a link stays a link, and what it points to is replaced", () => {
    mkdirSync(join(at, "far"));
    writeFileSync(join(at, "far/real.csv"), "old");
    symlinkSync(join(at, "far/real.csv"), join(at, "link.csv"));
    expect(run("run", "parafoil", ...out, "link.csv").status).toBe(0);
    expect(lstatSync(join(at, "link.csv")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(at, "far/real.csv"), "utf8")).toMatch(/^t,altitude/);
    symlinkSync(join(at, "nowhere.csv"), join(at, "dangling.csv"));
    expect(run("run", "parafoil", ...out, "dangling.csv").stderr).toMatch(/it is a broken link/);
  });
  it("a read-only file is not replaced, and a mode is kept", () => {
    writeFileSync(join(at, "kept.csv"), "mine");
    chmodSync(join(at, "kept.csv"), 0o444);
    const { status, stderr } = run("run", "parafoil", ...out, "kept.csv");
    expect(status).toBe(2);
    expect(stderr).toMatch(/kept\.csv: cannot be written: it is read-only/);
    expect(readFileSync(join(at, "kept.csv"), "utf8")).toBe("mine");
    writeFileSync(join(at, "secret.csv"), "mine");
    chmodSync(join(at, "secret.csv"), 0o600);
    expect(run("run", "parafoil", ...out, "secret.csv").status).toBe(0);
    expect(statSync(join(at, "secret.csv")).mode & 0o777).toBe(0o600);
  });
  it("a device is refused", () => {
    symlinkSync("/dev/full", join(at, "full.csv"));
    expect(run("run", "parafoil", ...out, "full.csv").stderr).toMatch(/it is a device or a pipe/);
    expect(existsSync(join(at, "full.csv.part"))).toBe(false);
  });
});

describe("what a terminal would obey", () => {
  const ESCAPE = "\u001b]0;owned\u0007\u009b31m";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
  it.each<[string, string[]]>([
    ["a vehicle's name", ["trim", `x${ESCAPE}`]],
    ["an assignment", ["run", "parafoil", "--set", `m${ESCAPE}=3`]],
    ["columns", ["run", "parafoil", "--duration", "0.1", "--out", "e.csv", "--fields", `a${ESCAPE}`]],
    ["an option", ["run", `--un${ESCAPE}`]],
    ["a command", [`com${ESCAPE}`]],
    ["a file's description", ["run", "escape.yaml", "--duration", "0.1"]],
    ["a file's key", ["run", "key.yaml"]],
  ])("of %s is shown, not sent", (_, args) => {
    const shown = JSON.stringify(ESCAPE).replace(
      /[\u0080-\u009f]/g,
      (c) => `\\u00${c.charCodeAt(0).toString(16)}`,
    );
    writeFileSync(join(at, "escape.yaml"), `vehicle: parafoil\ndescription: ${shown}\n`);
    writeFileSync(join(at, "key.yaml"), `vehicle: parafoil\n${shown}: 3\n`);
    const { stdout, stderr } = run(...args);
    expect(stdout + stderr).not.toMatch(obeyed);
    expect(stdout + stderr).toMatch(/\\u001b/);
  });
});

it("an expression of 40,000 terms is a number, not the end of the stack", () => {
  for (const [operator, expected] of [
    ["+", 40_000],
    ["*", 1],
  ] as const) {
    const text = Array.from({ length: 40_000 }, () => "a").join(` ${operator} `);
    expect(parseExpression(text, ["a"]).evaluate(Float64Array.of(1))).toBe(expected);
  }
});
