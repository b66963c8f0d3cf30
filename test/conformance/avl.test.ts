import { readdirSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { avlCoefficients, type Coefficients } from "../../src/formats/avl/coefficients.ts";
import { readAvlMass } from "../../src/formats/avl/mass.ts";
import { type AvlOutput, readAvlOutput } from "../../src/formats/avl/output.ts";
import { readSdf } from "../../src/formats/sdf/model.ts";
import { vehicleFromSdf } from "../../src/formats/sdf/vehicle.ts";
import { writeSdf } from "../../src/formats/sdf/write.ts";
import { ADVANCED_PARAMETERS } from "../../src/parts/advanced-lift-drag.ts";
import { compare } from "../../src/vehicle-types/aircraft/avl/prediction.ts";
import { severalRuns } from "../../src/vehicle-types/aircraft/avl/several-runs.ts";
import { vehicleFromAvl } from "../../src/vehicle-types/aircraft/avl/vehicle.ts";
import { asAircraft } from "../../src/vehicle-types/aircraft.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import type { AircraftParameters } from "../../src/vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";
import { aircraftOf } from "../support/aircraft.ts";
import { folder, sideslip } from "../support/cli.ts";
import { describeWithShared, sharedPath } from "../support/shared.ts";

const read = (path: string) =>
  readAvlOutput(readFileSync(sharedPath(`data/avl/outputs/${path}`), "utf8"), path);

describeWithShared("every AVL output at hand is read or refused with a reason", () => {
  const root = sharedPath("data/avl/outputs");
  it("547 are read, the six eigenvalue files and logs are not outputs of these commands", () => {
    const count = { FT: 0, ST: 0, SB: 0, refused: 0 };
    for (const path of readdirSync(root, { recursive: true }) as string[]) {
      if (statSync(`${root}/${path}`).isDirectory()) continue;
      try {
        const output = read(path.replaceAll("\\", "/"));
        count[output.kind]++;
        expect(Object.values(output.values).every(Number.isFinite)).toBe(true);
        expect(/\.(st|sb|ft)$/.test(path) ? path.slice(-2).toUpperCase() : output.kind).toBe(output.kind);
      } catch (error) {
        count.refused++;
        expect(path).toMatch(/\.(eig|sys|stdout)$/);
        expect((error as Error).message).toMatch(/is not an output of AVL/);
      }
    }
    expect(count).toEqual({ FT: 183, ST: 184, SB: 180, refused: 6 });
  });

  it("the text and the machine-readable layout of one run tell the same", () => {
    for (const kind of ["st", "sb", "ft"]) {
      const text = read(`3.40/vanilla/a4.${kind}`);
      const machine = read(`3.40-mrf/vanilla_a4.mrf.${kind}`);
      for (const [name, value] of Object.entries(text.values))
        expect(Math.abs((machine.values[name] ?? Number.NaN) - value), name).toBeLessThan(
          6e-6 + 6e-6 * Math.abs(value),
        );
      expect(machine.controls.map((c) => c.name)).toEqual(text.controls.map((c) => c.name));
    }
  });

  it("Cnb is the derivative, not the number after the spiral criterion", () => {
    expect(read("3.40/vanilla/a2_p.st").values).toMatchObject({
      Cnb: 0.030681,
      spiral: 1.688845,
      Xnp: 0.669319,
    });
  });
});

/**
 * Where derivatives cannot do it, and why. `even`: the change is of second order (lift and pitch answer to sideslip, roll and
 * aileron of either sign alike, pitch bends over angle of attack), as the run of the other sign shows. `avl`: AVL's own
 * derivative of yaw by aileron is not the difference of its own runs.
 */
const PLANE: Readonly<Record<string, "even" | "avl">> = {
  "a2_b5 Cm": "even",
  "a2_p Cm": "even",
  "a2_r CL": "even",
  "a2_d1_aileron_5 CL": "even",
  "a2_d1_aileron_5 Cn": "avl",
};
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, "even" | "avl">>>> = {
  "3.27/plane": PLANE,
  "3.32/plane": PLANE,
  "3.40/plane": PLANE,
  "3.40/vanilla": {
    "a0 Cm": "even",
    "a4 Cm": "even",
    "a2_b5 CL": "even",
    "a2_b5 Cm": "even",
    "a2_p Cm": "even",
    "a2_r CL": "even",
    "a2_d2_aileron_5 Cm": "even",
    "a2_d2_aileron_5 Cn": "avl",
  },
  "3.40/wing": {
    "a0 Cm": "even",
    "a4 Cm": "even",
    "a2_p Cm": "even",
    "a2_r CL": "even",
    "a2_d2_aileron_5 Cm": "even",
    "a2_d2_aileron_5 Cn": "avl",
  },
  "3.40/supra": {
    "a2_b5 CL": "even",
    "a2_b5 Cm": "even",
    "a2_p Cm": "even",
    "a2_r CL": "even",
  },
};

/** The run of the opposite change, where there is one. */
const opposite = (run: string) =>
  run === "a0"
    ? "a4"
    : run === "a4"
      ? "a0"
      : run === "a2_b5"
        ? "a2_b-5"
        : /_5$/.test(run)
          ? run.replace(/_5$/, "_-10")
          : undefined;

describeWithShared("derivatives of one run predict the other runs of the same AVL", () => {
  for (const [folder, exceptions] of Object.entries(EXCEPTIONS))
    it(folder, () => {
      const base = read(`${folder}/a2.ft`);
      const st = read(`${folder}/a2.st`);
      const coefficients = avlCoefficients(st, read(`${folder}/a2.sb`));
      const predicted = (run: AvlOutput) => compare(coefficients, base, run);
      const start = predicted(base);
      const missed: string[] = [];
      const runs = ["a0", "a4", "a2_b5", "a2_p", "a2_q", "a2_r"];
      for (const [i, { name }] of st.controls.entries()) runs.push(`a2_d${i + 1}_${name}_5`);
      for (const run of runs) {
        const truth = read(`${folder}/${run}.ft`);
        for (const [i, { name: C, ours: guess, change, holds }] of predicted(truth).entries()) {
          if (holds) continue;
          const key = `${run} ${C}`;
          missed.push(key);
          const other = opposite(run);
          if (other === undefined) continue;
          // Half the difference of opposite runs is what a derivative can know.
          const back = predicted(read(`${folder}/${other}.ft`))[i];
          const ratio = other.endsWith("_-10") ? 0.5 : 1;
          const odd = 0.5 * (change - ratio * back.change);
          const ours = 0.5 * (guess - start[i].ours - ratio * (back.ours - start[i].ours));
          const known = Math.abs(ours - odd) <= Math.max(2e-4, 0.03 * Math.abs(odd));
          // Opposite aileron runs differ by a factor of two, so a square is not quite cancelled.
          if (exceptions[key] === "even" && ratio === 1) expect(known, key).toBe(true);
          if (exceptions[key] === "avl") expect(known, `${key}: AVL's derivative and its runs`).toBe(false);
        }
      }
      expect(missed.sort()).toEqual(Object.keys(exceptions).sort());
    });

  it("ST alone, turned to body axes, gives what SB prints", () => {
    for (const folder of ["3.27/plane", "3.40/plane", "3.40/vanilla", "3.40/supra"])
      for (const run of ["a2", "a8", "a12"]) {
        const st = read(`${folder}/${run}.st`);
        const both = avlCoefficients(st, read(`${folder}/${run}.sb`));
        const alone = avlCoefficients(st);
        for (const [name, value] of Object.entries(both.numbers))
          if (!name.startsWith("CD"))
            expect(Math.abs(alone.numbers[name] - value), `${folder}/${run} ${name}`).toBeLessThan(
              1e-5 + 1e-5 * Math.abs(value),
            );
      }
  });

  it("3.52 prints drag in ST itself, and turns its controls: the same coefficients as from its SB", () => {
    for (const run of ["plane_a4", "vanilla_a4"]) {
      const st = read(`3.52-layout/${run}.st`);
      const both = avlCoefficients(st, read(`3.52-layout/${run}.sb`));
      const alone = avlCoefficients(st);
      for (const name of ["CDq", "CLq", "Cellp", "Cenr"])
        expect(alone.numbers[name], name).toBeCloseTo(both.numbers[name], 4);
      both.controls.forEach((control, i) => {
        for (const [key, value] of Object.entries(control.numbers))
          expect(Math.abs(alone.controls[i].numbers[key] - value), `${control.name} ${key}`).toBeLessThan(
            3e-6,
          );
      });
    }
  });

  it("drag by pitch rate has the sign that PX4's tool gets wrong: at 4 deg -CXq is -0.801 and CDq +0.0227", () => {
    const sb = read("3.52-layout/plane_a4.sb");
    expect(-sb.values.CXq).toBeCloseTo(-0.801, 3);
    expect(avlCoefficients(read("3.52-layout/plane_a4.st"), sb).numbers.CDq).toBeCloseTo(0.0227, 4);
  });
});

describeWithShared("an import tells how far it can be believed", () => {
  const path = (name: string) => sharedPath(`data/avl/outputs/3.40/${name}`);
  const numbers = ["--mass", "2kg", "--length-unit", "m", "--cd0", "0.03", "--stall", "15 deg"];
  const run = (...args: string[]) => {
    const { stdout } = sideslip(["import", "avl", ...args, ...numbers, "--json"]);
    const { findings, parameters } = JSON.parse(stdout);
    const sentences = (findings as { sentence: string }[]).map(({ sentence }) => sentence);
    return { sentences, surface: parameters.surfaces[0] as Record<string, number> };
  };
  const plane = (name: string) => ["--st", path(`plane/${name}.st`), "--sb", path(`plane/${name}.sb`)];

  it("by the numbers of a combined manoeuvre two degrees away, where yaw is off by half", () => {
    const { sentences } = run(...plane("a2"), "--verify", path("plane/a4_b5_pqr.st"));
    const [, ours, theirs, part] =
      /In a4_b5_pqr\.st \(alpha 4 deg, beta 5 deg.*Cn (\S+) where AVL has (\S+), off by (\d+) %/.exec(
        sentences.join("\n"),
      ) ?? [];
    const truth = read("3.40/plane/a4_b5_pqr.ft").values.Cntot;
    const start = read("3.40/plane/a2.ft").values.Cntot;
    expect(Number(theirs)).toBeCloseTo(truth, 5);
    expect(Number(part)).toBeCloseTo(100 * Math.abs((Number(ours) - truth) / (truth - start)), -0.5);
    expect(Number(part)).toBeGreaterThan(3);
  });

  it("a run near its own is predicted, and that is said too", () => {
    const { sentences } = run(...plane("a2"), "--verify", path("plane/a2_b5.ft"));
    expect(sentences.join("\n")).toMatch(
      /In a2_b5\.ft \(.*beta 5 deg\) the coefficients predict .*CL, CY, Cl, Cn within 3 %/,
    );
  });

  it("several runs give what suits all of them better than the first alone", () => {
    const alphas = ["a-2", "a2", "a6"];
    const several = alphas.map((name) => ({
      st: read(`3.40/plane/${name}.st`),
      sb: read(`3.40/plane/${name}.sb`),
    }));
    const each = several.map(({ st, sb }) => ({ st, coefficients: avlCoefficients(st, sb) }));
    const together = severalRuns(each);
    const tried = ["a-4", "a-2", "a0", "a4", "a6", "a8", "a4_b5_pqr"].map((name) =>
      read(`3.40/plane/${name}.ft`),
    );
    const errors = (coefficients: Coefficients, base: AvlOutput, name: string) =>
      Math.max(
        ...tried.map((truth) => {
          const found = compare(coefficients, base, truth).find((c) => c.name === name);
          return found ? Math.abs(found.ours - found.theirs) : Number.NaN;
        }),
      );
    for (const name of ["CL", "Cl", "Cn"])
      expect(errors(together.coefficients, together.st, name), name).toBeLessThanOrEqual(
        errors(each[0].coefficients, each[0].st, name),
      );
    expect(together.st.values.Alpha).toBe(2);
  });

  it("on the command line: means, what changes, and each run tried", () => {
    const { sentences, surface } = run(...plane("a0"), ...plane("a4"), ...plane("a8"));
    const own = ["a0", "a4", "a8"].map((name) => run(...plane(name)).surface);
    for (const name of ["CLa", "Cenp", "Cellb", "Cemq"])
      expect(surface[name]).toBeCloseTo((own[0][name] + own[1][name] + own[2][name]) / 3, 9);
    expect(sentences.join("\n")).toMatch(/means over the runs; from 0 to 8 deg these change most: .*Cenp/);
    for (const name of ["a0", "a4", "a8"])
      expect(
        sentences.some((sentence) => sentence.startsWith(`In ${name}.st`)),
        name,
      ).toBe(true);
  });

  it.each([
    [
      "another aircraft's run",
      [...["--st", "plane/a2.st"], ...["--verify", "vanilla/a2.st"]],
      /Sref is .* another aircraft/,
    ],
    [
      "SB for one of two",
      ["--st", "plane/a2.st", "--st", "plane/a4.st", "--sb", "plane/a2.sb"],
      /--sb: 1 files for 2 of --st/,
    ],
    [
      "one angle twice",
      ["--st", "plane/a2.st", "--st", "plane/a2_b5.st"],
      /all runs have one angle of attack/,
    ],
  ])("refuses %s", (_, args, message) => {
    const full = args.map((word) => (word.startsWith("--") ? word : path(word)));
    const { status, stderr } = sideslip(["import", "avl", ...full, ...numbers]);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describeWithShared("mass files", () => {
  const mass = (name: string) =>
    readAvlMass(readFileSync(sharedPath(`data/avl/geometry/${name}.mass`), "utf8"), `${name}.mass`);
  it("add up to what AVL itself prints for the supra", () => {
    const { mass: m, inertia: I, g, rho } = mass("supra");
    const printed = readFileSync(sharedPath("data/avl/outputs/3.40/supra/mode_CL0.5.stdout"), "utf8");
    const row = /Ixx -Ixy -Ixz\s*\|\s*(\S+)\s+(\S+)\s+(\S+)/.exec(printed)?.slice(1).map(Number) ?? [];
    // AVL's axes have x back and z up: elements with one of them and y change sign.
    expect([I.xx, -I.xy, I.xz].map((x) => Number(x.toPrecision(4)))).toEqual(row);
    expect(m).toBeCloseTo(1.35785, 5);
    expect([g, rho]).toEqual([9.81, 1.225]);
  });
  it("in feet and slugs: 0.1773 slug are 2.587 kg, and the air has sea level's density", () => {
    const plane = mass("plane");
    expect(plane.mass).toBeCloseTo(0.1773 * 14.5939, 4);
    expect(plane.inertia.zz).toBeCloseTo(2.095 * 14.5939 * 0.3048 ** 2, 4);
    expect(plane.rho).toBeCloseTo(1.2256, 4);
    expect(plane.centre[0]).toBeCloseTo(0.02463 * 0.3048, 9);
  });
  it("a CG behind the reference point moves the surfaces' point forward of it", () => {
    const st = read("3.52-layout/plane_a4.st");
    const { parameters } = vehicleFromAvl({ runs: [{ st }], mass: mass("plane") });
    const [surface] = parameters.surfaces as { position: number[] }[];
    // Xref = Zref = 0; the CG is 0.02463 ft behind and 0.2239 ft above.
    expect(surface.position[0]).toBeCloseTo(0.02463 * 0.3048, 9);
    expect(surface.position[2]).toBeCloseTo(0.2239 * 0.3048, 9);
  });
});

describeWithShared("what is wrong with AVL's files is said with file and line", () => {
  const text = () => readFileSync(sharedPath("data/avl/outputs/3.40/plane/a2.st"), "utf8");
  const message = (changed: string) => {
    try {
      readAvlOutput(changed, "a.st");
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  it.each([
    [
      "cut off",
      (t: string) => t.split("\n").slice(0, 50).join("\n"),
      /a\.st: \w+: ends after line \d+ without/,
    ],
    [
      "stars",
      (t: string) => t.replace(/CLa =\s+\S+/, "CLa = **********"),
      /a\.st:\d+: CLa: \*+: the number did not fit/,
    ],
    ["NaN", (t: string) => t.replace(/CYb =\s+\S+/, "CYb = NaN"), /a\.st:\d+: CYb: NaN: AVL's solution/],
    [
      "decimal comma",
      (t: string) => t.replace(/CLa =\s+(\d+)\.(\d+)/, "CLa = $1,$2"),
      /CLa: \d+,\d+ has a decimal comma; allowed: a decimal point/,
    ],
    ["no Sref", (t: string) => t.replace(/Sref =\s+\S+/, ""), /Sref: ends after line \d+ without Sref/],
    [
      "Sref of zero",
      (t: string) => t.replace(/Sref =\s+\S+/, "Sref = 0.0"),
      /Sref: 0 is not a valid reference value; allowed: > 0/,
    ],
    ["another program's file", () => "hello\n", /a\.st:1: is not an output of AVL/],
    ["twice", (t: string) => t + t, /stands a second time/],
  ])("%s", (_, change, expected) => {
    expect(message(change(text()))).toMatch(expected);
  });
  it("two runs, or ST given as SB", () => {
    const st = read("3.40/plane/a2.st");
    expect(() => avlCoefficients(st, read("3.40/plane/a4.sb"))).toThrow(
      /Alpha is 4 here and 2 in .*two different run cases/,
    );
    expect(() => avlCoefficients(st, read("3.40/vanilla/a2.sb"))).toThrow(
      /two different run cases|Configuration/,
    );
    expect(() => avlCoefficients(st, st)).toThrow(
      /this is AVL's stability-axis \(ST\) output; allowed: .*--st/,
    );
    expect(() => avlCoefficients(read("3.40/plane/a2.sb"))).toThrow(/geometry-axis \(SB\) output/);
  });
});

describeWithShared("the sanity report finds", () => {
  const st = () => read("3.40/plane/a2.st");
  const changed = (values: Record<string, number>, more: Partial<AvlOutput> = {}) => {
    const base = st();
    return vehicleFromAvl({
      runs: [{ st: { ...base, ...more, values: { ...base.values, ...values } } }],
      kilograms: 2,
      CD0: 0.03,
      stall: 0.25,
    }).findings.map((f) => `${f.weight}: ${f.sentence}`);
  };
  it("nothing wrong with a sound aircraft", () => {
    expect(changed({}).filter((s) => s.startsWith("wrong"))).toEqual([]);
  });
  it.each([
    ["pitch", { Cma: 0.5 }, /wrong: It is statically unstable in pitch: Cema is 0.5/],
    ["yaw", { Cnb: -0.02 }, /wrong: It is statically unstable in yaw/],
    ["damping", { Cmq: 3 }, /wrong: It is undamped in pitch/],
    ["a reference area of another aircraft", { Sref: 1200 }, /wrong: CLa is .* Sref = 1200/],
    ["the wrong reference point", { Cma: -30, Xref: -5 }, /look: The centre of mass is .* chords ahead/],
    [
      "derivatives orders of magnitude off",
      { Cmq: -4000 },
      /wrong: Cemq is -4e\+3, far beyond|wrong: Cemq is -4000, far beyond/,
    ],
    ["an efficiency above one", { CDind: 0.005 }, /look: A span efficiency of 1\.\d+ is too good/],
    ["AVL's e disagreeing", { e: 0.7 }, /AVL prints e = 0.7/],
    [
      "a dead control",
      { CLd2: 0, Cmd2: 0, CYd2: 0, Cld2: 0, Cnd2: 0 },
      /wrong: The control elevator has no effect/,
    ],
    ["a gain per radian", { Cmd2: -3.5 }, /per degree: its gain/],
  ])("%s", (_, values, expected) => {
    expect(changed(values as unknown as Record<string, number>).join("\n")).toMatch(expected);
  });
  it("left and right surfaces that are not mirror images", () => {
    const controls = ["ail_left", "ail_right", "rudder"].map((name) => ({ name, deflection: 0 }));
    const pair = { CLd1: 0.005, CLd2: 0.005, CYd1: 0.001, CYd2: -0.001, Cmd1: -0.001, Cmd2: -0.001 };
    const mirrored = changed({ ...pair, Cld1: 0.003, Cld2: -0.003, Cnd1: -1e-4, Cnd2: 1e-4 }, { controls });
    expect(mirrored.join("\n")).not.toMatch(/mirror/);
    const crooked = changed({ ...pair, Cld1: 0.003, Cld2: 0.003, Cnd1: -1e-4, Cnd2: 1e-4 }, { controls });
    expect(crooked.join("\n")).toMatch(/ail_left and ail_right are not mirror images: Cell_ctrl/);
  });
});

describeWithShared("what else an import tells", () => {
  const plane = (more: Partial<Parameters<typeof vehicleFromAvl>[0]>) =>
    vehicleFromAvl({
      runs: [{ st: read("3.40/plane/a4.st"), sb: read("3.40/plane/a4.sb") }],
      CD0: 0.03,
      stall: 0.26,
      kilograms: 20,
      ...more,
    });
  const told = (imported: ReturnType<typeof vehicleFromAvl>) =>
    imported.findings.map((f) => `${f.weight}: ${f.sentence}`).join("\n");
  it("instability about a centre of mass behind the neutral point, though AVL's reference point is ahead of it", () => {
    const mass = readAvlMass("Lunit = 1 ft\nMunit = 1 slug\n 0.5 0.9 0 0 1 1 2\n", "tail-heavy.mass");
    expect(told(plane({ mass, kilograms: undefined }))).toMatch(/wrong: It is statically unstable in pitch/);
  });
  it("how much lift the stall's blending takes at the run, units of length that nobody gave, odd wing loadings", () => {
    expect(told(plane({}))).toMatch(/blending takes \d+ % of the lift already at the run's angle of attack/);
    expect(told(plane({}))).toMatch(/AVL's lengths are taken for metres \(Sref = 12 m\^2/);
    expect(told(plane({ length: 0.001 }))).toMatch(/wrong: Its wing carries .* N\/m\^2/);
  });
  it("a run with sideslip", () => {
    const st = read("3.40/plane/a2_b10.st");
    expect(told(vehicleFromAvl({ runs: [{ st }], kilograms: 20 }))).toMatch(
      /The run is not straight \(Beta = 10\)/,
    );
  });
  it("an aircraft without control surfaces becomes a vehicle all the same", () => {
    const bare = (o: AvlOutput): AvlOutput => ({ ...o, controls: [] });
    const imported = plane({
      runs: [{ st: bare(read("3.40/plane/a4.st")), sb: bare(read("3.40/plane/a4.sb")) }],
    });
    expect(told(imported)).toMatch(/It has no control surfaces/);
    expect(aircraftOf(imported.parameters).model.inputs).toEqual([]);
  });
  it("a comment before the machine-readable layout is refused in a sentence", () => {
    const text = readFileSync(sharedPath("data/avl/outputs/3.40-mrf/plane_a4.mrf.st"), "utf8");
    expect(() => readAvlOutput(`# mine\n${text}`, "a.st")).toThrow(
      /does not begin with TOT, DERMATS or DERMATB/,
    );
  });
});

describe("splitting a control of both sides", () => {
  describeWithShared("from the plane", () => {
    it("halves together do what the whole does, and each is the mirror image of the other", () => {
      const st = read("3.40/plane/a2.st");
      const sb = read("3.40/plane/a2.sb");
      const { parameters, servos, findings } = vehicleFromAvl({
        runs: [{ st, sb }],
        kilograms: 2,
        split: ["aileron", "elevator"],
      });
      expect(servos).toEqual(["aileron left", "aileron right", "elevator left", "elevator right", "rudder"]);
      expect(findings.map((f) => f.sentence).join("\n")).toMatch(/Separate controls for left and right/);
      const [{ controls }] = parameters.surfaces as { controls: Record<string, number>[] }[];
      const whole = avlCoefficients(st, sb).controls;
      // Aileron: right down, left up.
      for (const key of ["CY_ctrl", "Cell_ctrl", "Cen_ctrl"]) {
        expect(controls[1][key] - controls[0][key]).toBeCloseTo(whole[0].numbers[key], 12);
        expect(controls[1][key]).toBeCloseTo(-controls[0][key], 12);
      }
      for (const key of ["CL_ctrl", "CD_ctrl", "Cem_ctrl"])
        expect(controls[2][key] + controls[3][key]).toBeCloseTo(whole[1].numbers[key], 12);
      expect(() => vehicleFromAvl({ runs: [{ st, sb }], kilograms: 2, split: ["flap"] })).toThrow(
        /there is no control "flap"/,
      );
    });
  });
});

describeWithShared("from AVL to a Gazebo file and back", () => {
  for (const [folder, generation] of [
    ["3.40/plane", "gz"],
    ["3.40/vanilla", "classic"],
    ["3.27/plane", "classic"],
    ["3.40/supra", "gz"],
  ] as const)
    it(`${folder} through ${generation}: the same coefficients, controls and lengths`, () => {
      const st = read(`${folder}/a2.st`);
      const { parameters, servos } = vehicleFromAvl({
        runs: [{ st, sb: read(`${folder}/a2.sb`) }],
        kilograms: 2,
        CD0: 0.03,
        stall: 0.25,
      });
      const imported = aircraftOf(parameters);
      const labelled = {
        ...imported,
        labels: Object.fromEntries(servos.map((name, i) => [`servo_${i + 1}`, name])),
      };
      const { text } = writeSdf(asAircraft(labelled)!, generation);
      const again = aircraftOf(vehicleFromSdf(readSdf(text, "model.sdf"), "model.sdf").parameters);
      const numbers = (v: Vehicle) => {
        const s = (v.parameters as AircraftParameters).surfaces[1] as unknown as Record<string, number>;
        return ADVANCED_PARAMETERS.map((f) => f.name)
          .filter((name) => !name.includes("."))
          .map((name) => s[name]);
      };
      expect(numbers(again)).toEqual(numbers(imported));
      const table = (v: Vehicle) => Array.from((v.parameters as AircraftParameters).surfaces[1].table);
      expect(table(again)).toEqual(table(imported));
    });
});

describe("the example files", () => {
  const example = (name: string) => readFileSync(`examples/avl/${name}`, "utf8");
  const imported = vehicleFromAvl({
    runs: [
      {
        st: readAvlOutput(example("plane.st"), "plane.st"),
        sb: readAvlOutput(example("plane.sb"), "plane.sb"),
      },
    ],
    mass: readAvlMass(example("plane.mass"), "plane.mass"),
    CD0: 0.03,
    stall: 0.28,
  });
  it("are those of advanced-plane about a centre of mass 0.12 m ahead, and the import finds its numbers again", () => {
    const [surface] = imported.parameters.surfaces as Record<string, number>[];
    const plane = (preset("advanced-plane").parameters as AircraftParameters).surfaces[1];
    for (const name of ["CLa", "CLq", "CDq", "CYb", "CYp", "CYr", "Cellp", "Cellr", "Cenp", "Cenr"] as const)
      expect(surface[name], name).toBeCloseTo(plane[name], 5);
    expect(surface.CL0).toBeCloseTo(plane.CL0, 4);
    expect(surface.eff).toBeCloseTo(0.97, 3);
    // Steiner for moments: Cm about a point further ahead loses 0.12/c of the lift.
    expect(surface.Cema).toBeCloseTo(plane.Cema - (0.12 / 0.22) * plane.CLa, 5);
    expect(surface.Cem0).toBeCloseTo(plane.Cem0 - (0.12 / 0.22) * plane.CL0, 4);
  });
  it("by the command: a vehicle file that is read again, and where each number came from", () => {
    const at = folder();
    const args = [
      "import",
      "avl",
      "--st",
      resolve("examples/avl/plane.st"),
      "--sb",
      resolve("examples/avl/plane.sb"),
    ];
    const more = ["--mass-file", resolve("examples/avl/plane.mass"), "--cd0", "0.03", "--stall", "16 deg"];
    const made = sideslip([...args, ...more, "--out", "my.yaml"], at);
    expect(made).toMatchObject({ status: 0, stderr: "" });
    expect(made.stdout).toMatch(/sanity: no errors, 1 to look at/);
    expect(sideslip(["run", "my.yaml", "--duration", "5"], at).status).toBe(0);
    const explained = sideslip([...args, ...more, "--explain"], at).stdout;
    expect(explained).toMatch(/^CLq +7.97179 +CX sin a - CZ cos a of CXq plane\.sb:\d+/m);
    expect(explained).toMatch(/^elevator\.Cem_ctrl +-0.0316320 +Cmd2 plane\.sb:\d+/m);
    expect(sideslip([...args, "--cd0", "much"], at).stderr).toMatch(/--cd0: "much" is not a number/);
    expect(sideslip(args, at).stderr).toMatch(/the mass is missing; allowed: --mass-file/);
  });
});
