import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/model/yaml.ts";
import { readVehicle } from "../../src/vehicle-types/index.ts";
import { folder, sideslip, writeFile } from "../support/cli.ts";
import { describeWithShared, sharedPath } from "../support/shared.ts";

const prop = (...args: string[]) => sideslip(["prop", ...args]);
const json = (...args: string[]) => JSON.parse(prop(...args, "--json").stdout);

describe("sideslip prop", () => {
  it("the Intel Aero comes out right and says why the document does not", () => {
    const args = ["9x6", "--diameter", "230mm", "--ct", "0.11", "--cp", "0.051", "--rho", "1.22"];
    const { constants } = json(...args);
    expect(constants.motorConstant).toBeCloseTo(9.5127e-6, 9);
    expect(constants.momentConstant).toBeCloseTo(0.016972, 6);
    const { stdout } = prop(...args);
    expect(stdout).toContain("9.513e-6 kg m");
    expect(stdout).toContain("0.01697 m");
    expect(stdout).toMatch(/0\.67 m instead of 0\.017 m/);
  });
  it("without data it guesses, and says so", () => {
    expect(prop("10x5").stdout).toMatch(/no data: generic two-blade model propeller, C_T 0.1 and C_P 0.05/);
  });
  it("converts back, and scales lambda_1 with D^3 and mu_1 with D^4", () => {
    const there = json("10x5", "--ct", "0.12", "--cp", "0.05").constants;
    const back = json(
      "10x5",
      "--motor-constant",
      String(there.motorConstant),
      "--moment-constant",
      String(there.momentConstant),
    );
    expect(back.CT[0]).toBeCloseTo(0.12, 10);
    expect(back.CP[0]).toBeCloseTo(0.05, 10);
    const scaled = json(
      "20x10",
      "--from-diameter",
      "10 in",
      "--rotor-drag",
      "1e-4",
      "--rolling-moment",
      "1e-6",
    ).constants;
    expect(scaled.rotorDragCoefficient).toBeCloseTo(8e-4, 10);
    expect(scaled.rollingMomentCoefficient).toBeCloseTo(16e-6, 12);
  });
  it("the speed at full voltage balances motor and propeller", () => {
    const { constants } = json("10x5", "--kv", "900", "--voltage", "11.1", "--resistance", "0.1");
    const w = constants.maxRotVelocity;
    const K = 30 / (Math.PI * 900);
    const torque = constants.motorConstant * constants.momentConstant * w * w;
    expect((K * (11.1 - K * w)) / 0.1).toBeCloseTo(torque, 9);
    expect(json("10x5", "--kv", "900", "--voltage", "11.1").constants.maxRotVelocity).toBeCloseTo(
      (900 * 11.1 * Math.PI) / 30,
      9,
    );
  });
  it("an installation factor takes its part of the thrust", () => {
    expect(
      json("10x5", "--installation", "0.8").constants.motorConstant / json("10x5").constants.motorConstant,
    ).toBeCloseTo(0.8, 12);
  });
  it("draws the curves, and writes the lines of a vehicle file that can be read", () => {
    const path = join(folder(), "p.svg");
    expect(prop("10x5", "--estimate", "--out", path).status).toBe(0);
    const lines = prop("10x5", "--estimate", "--kv", "900", "--voltage", "11.1", "--yaml").stdout.replace(
      /^(?=.)/gm,
      "  ",
    );
    const vehicle = readVehicle(
      parseYaml(
        `model: aircraft\nparameters:\n  m: 1\n  I: { xx: 0.01, yy: 0.01, zz: 0.02 }\n${lines}  rotors: [{ position: [0, 0, 0], direction: cw }]\n`,
        "own",
      ),
      "own",
    );
    expect(vehicle.model.parameters.some((f) => f.name === "rotors.1.propeller.J.3")).toBe(true);
  });
  it("with a motor's winding it writes motor and battery, and the vehicle hovers on them", () => {
    const lines = prop(
      "10x5",
      "--estimate",
      "--kv",
      "920",
      "--voltage",
      "14.8",
      "--resistance",
      "0.12",
      "--yaml",
    ).stdout;
    expect(lines).toMatch(/motor: \{ R: 0\.12, K: 0\.0103797 \}/);
    const at = (x: number, y: number, direction: string) =>
      `  - { position: [${x}, ${y}, 0], direction: ${direction} }\n`;
    const rotors = at(0.2, 0.2, "ccw") + at(-0.2, -0.2, "ccw") + at(0.2, -0.2, "cw") + at(-0.2, 0.2, "cw");
    const text = `m: 1.3\nI: { xx: 0.01, yy: 0.01, zz: 0.02 }\n${lines}rotors:\n${rotors}`;
    const file = writeFile(
      `model: aircraft\nparameters:\n${text.replace(/^/gm, "  ").trimEnd()}\n`,
      "quad.yaml",
    );
    const { trimmed, outputs } = JSON.parse(sideslip(["trim", file, "--json"]).stdout);
    expect(trimmed).toBe(true);
    expect(outputs.thrust_1 * 4).toBeCloseTo(1.3 * 9.81, 6);
  });
  it("wrong words and numbers are refused with exit code 2 and no stack trace", () => {
    const cut = join(folder(), "apce_10x5_kt0001_5000.txt");
    writeFileSync(cut, "J CT CP eta\n0.100 0.0900 0.0400 0.2250\n0.200 0.0850 0.0400 0.4250\n0.300 0.08");
    for (const [args, message] of [
      [["ten"], /"ten" is neither a file nor diameter x pitch/],
      [["0x5"], /is not a diameter/],
      [["10x5", "--ct", "0.1"], /--ct needs --cp/],
      [["10x5", "--ct", "-1", "--cp", "0.1"], /--ct: .*allowed/],
      [["10x5", "--kv", "abc", "--voltage", "3"], /--kv/],
      [["10x5", "--database", join(folder(), "none")], /no such file/],
      [["10x5", "--database", folder()], /holds no propeller measurements/],
      [["10x5", "--yaml"], /no table to write/],
      [["10x5", "--out", "x.png"], /\.svg/],
      [["missing.txt"], /no such file/],
      [[cut], /apce_10x5_kt0001_5000.txt:4: the file is cut off here/],
    ] as const) {
      const { status, stderr } = prop(...args);
      expect(status, args.join(" ")).toBe(2);
      expect(stderr, args.join(" ")).toMatch(message);
      expect(stderr).not.toMatch(/ at .*\.js|internal error/);
    }
  });
});

describeWithShared("sideslip prop with the database at hand", () => {
  const database = sharedPath("data/uiuc");
  it("finds the nearest propeller and names what it could not read", () => {
    const { stdout } = prop("9.1x6", "--database", database);
    expect(stdout).toMatch(/^apce_9x6: UIUC measurements at/);
    expect(stdout).toContain("the nearest in size is 9 x 6 in");
    expect(stdout).toContain("nr640_thick.txt");
  });
  it("a file brings the others of its propeller", () => {
    const { J, CT } = json(join(database, "apce_10x5_kt0825_6707.txt"));
    expect(J[0]).toBe(0);
    expect(J.length).toBeGreaterThan(20);
    expect(CT[0]).toBeCloseTo(0.0994, 4);
  });
});
