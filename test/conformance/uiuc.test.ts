import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readUiuc, readUiucName, type UiucFile } from "../../src/formats/uiuc.ts";
import { nearest, propellersOf, tableOf } from "../../src/formats/uiuc-database.ts";
import { type Blade, bladeElement, bladeFrom, typicalBlade } from "../../src/parts/blade-element.ts";
import { describeWithShared, sharedPath } from "../support/shared.ts";

const ADVANCE = "J     CT    CP    eta\r\n0.1   0.10  0.05  0.2\r\n0.2   0.09  0.05  0.36\r\n";

describe("files of the UIUC propeller database", () => {
  it("names tell diameter, pitch, blades and speed", () => {
    expect(readUiucName("apce_10x5_kt0825_6707.txt")).toMatchObject({
      propeller: "apce_10x5",
      blades: 2,
      rpm: 6707,
    });
    expect(readUiucName("apce_10x5_kt0825_6707.txt").diameter).toBeCloseTo(0.254, 12);
    expect(readUiucName("da4022_9x6.75_3b_0752ga_3038.txt")).toMatchObject({
      propeller: "da4022_9x6.75_3b",
      blades: 3,
    });
    expect(readUiucName("vp_140x45_0591rd_4991.txt").diameter).toBeCloseTo(0.14, 12);
    const byAngle = readUiucName("nr640_9_15deg_0779rd_4035.txt");
    expect(byAngle.diameter).toBeCloseTo(0.2286, 10);
    expect(byAngle.pitch).toBeCloseTo(Math.PI * 0.75 * 0.2286 * Math.tan(Math.PI / 12), 10);
  });
  it("CRLF and LF, extra blank lines, a speed before the header", () => {
    expect(readUiuc(ADVANCE, "a_10x5_kt0001_5000.txt").rows).toHaveLength(2);
    expect(readUiuc(`RPM average = 4042\n${ADVANCE}\n\n`, "a_9x6_kt0001_4042.txt").notes[0]).toContain(
      "4042",
    );
  });
  it("a file cut in half is refused where it ends", () => {
    const whole = `${ADVANCE}0.3   0.0812  0.048  0.512\r\n0.4   0.0712  0.046  0.613\r\n`;
    for (const [cut, line] of [
      [whole.length - 4, 5],
      [whole.length - 14, 5],
      [whole.length - 40, 4],
    ] as const)
      expect(() => readUiuc(whole.slice(0, cut), "a_10x5_kt0001_5000.txt"), `cut at ${cut}`).toThrow(
        new RegExp(`a_10x5_kt0001_5000.txt:${line}: the file is cut off here`),
      );
    expect(() => readUiuc("J CT CP eta\n0.1 0.1 0.05 0.2\n", "x.txt")).toThrow(/1 rows/);
    expect(() => readUiuc("", "x.txt")).toThrow(/empty/);
    expect(() => readUiuc("time,value\n1,2\n", "x.txt")).toThrow(/x.txt:1: "time,value" is not a header/);
    expect(() => readUiuc(`${ADVANCE}0.3 nan 0.05 0.4\n0.4 0.06 0.05 0.4\n`, "x.txt")).toThrow(/x.txt:4/);
  });
  it("rows that do not rise are skipped and named", () => {
    const { rows, notes } = readUiuc(
      `${ADVANCE}0.2 0.09 0.05 0.36\n0.15 0.08 0.05 0.3\n0.3 0.07 0.05 0.4\n`,
      "x.txt",
    );
    expect(rows).toHaveLength(3);
    expect(notes).toEqual([
      "line 4 skipped: repeats line 3",
      "line 5 skipped: J 0.15 does not rise above 0.2",
    ]);
  });
});

describe("a propeller of many files", () => {
  const advance = (name: string, rows: string) => readUiuc(`J CT CP eta\n${rows}`, name);
  const still = readUiuc("RPM CT CP\n4000 0.100 0.050\n6000 0.120 0.060\n", "a_10x5_static_kt0001.txt");
  const low = advance("a_10x5_kt0002_5000.txt", "0.1 0.09 0.05 0.2\n0.2 0.08 0.05 0.3\n");
  const high = advance("a_10x5_kt0003_5050.txt", "0.3 0.06 0.05 0.4\n0.4 0.04 0.04 0.4\n");
  const fast = advance("a_10x5_kt0004_8000.txt", "0.1 0.10 0.05 0.2\n0.2 0.09 0.05 0.3\n");
  const steep = advance("b_10x8_kt0005_5000.txt", "0.1 0.09 0.05 0.2\n0.2 0.08 0.05 0.3\n");
  const all = propellersOf([still, low, high, fast, steep]);
  it("joins runs of one speed, with the static point of that speed between its neighbours", () => {
    const table = tableOf(all[0], 5000);
    expect(table?.J).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(table?.CT[0]).toBeCloseTo(0.11, 12);
    expect(table?.CP[0]).toBeCloseTo(0.055, 12);
    expect(tableOf(all[0])?.rpm).toBe(8000);
  });
  it("without static measurement the lowest advance ratio stands for rest", () => {
    expect(tableOf(all[1])).toMatchObject({ J: [0, 0.1, 0.2], CT: [0.09, 0.09, 0.08], hasStatic: false });
  });
  it("pitch decides between equal diameters, blades before both", () => {
    expect(nearest(all, 0.254, 0.2, 2)[0].name).toBe("b_10x8");
    expect(nearest(all, 0.254, 0.13, 2)[0].name).toBe("a_10x5");
  });
});

describeWithShared("all files of the database at hand", () => {
  const folder = sharedPath("data/uiuc");
  const names = readdirSync(folder);
  const files: UiucFile[] = [];
  const refused: string[] = [];
  for (const name of names)
    try {
      files.push(readUiuc(readFileSync(join(folder, name), "utf8"), name));
    } catch (error) {
      refused.push((error as Error).message);
    }
  const propellers = propellersOf(files);

  it("each is read, or refused with a reason", () => {
    expect(names).toHaveLength(223);
    const count = (kind: string) => files.filter((f) => f.kind === kind).length;
    expect([count("advance"), count("static"), count("geometry")]).toEqual([168, 30, 24]);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(/nr640_thick.txt:1: .*is not a header/);
  });
  it("efficiency is J C_T / C_P in every row", () => {
    for (const f of files)
      if (f.kind === "advance")
        for (const { J, CT, CP, eta } of f.rows)
          expect(Math.abs(eta - (J * CT) / CP), `${f.file} at J = ${J}`).toBeLessThan(0.02);
  });
  it("what is skipped are the repetitions in two files, and nothing else", () => {
    const skipped = files.filter((f) => f.notes.some((note) => note.includes("skipped"))).map((f) => f.file);
    expect(skipped).toEqual(["gwssf_11x8_rd0656_5704.txt", "vp_140x45_0591rd_4991.txt"]);
  });
  it("the nearest to 9x6 is the APC thin electric of the Gazebo notes, and it has their static point", () => {
    const [best] = nearest(propellers, 9 * 0.0254, 6 * 0.0254, 2);
    expect(best.name).toBe("apce_9x6");
    const table = tableOf(best);
    expect(table?.J[0]).toBe(0);
    expect(table?.CT[0]).toBeCloseTo(0.11, 1);
    expect(table?.CP[0]).toBeCloseTo(0.051, 2);
  });

  it("blade elements meet the measurements as well as the command line says", () => {
    const errors = (bladeOf: (p: (typeof propellers)[number]) => Blade | undefined, name: "CT" | "CP") => {
      const out: number[] = [];
      for (const p of propellers) {
        const blade = bladeOf(p);
        const table = tableOf(p);
        if (blade === undefined || table === undefined || table.rpm === undefined || !table.hasStatic)
          continue;
        const reynolds = (1.225 * (table.rpm / 60) * p.diameter ** 2) / 1.81e-5;
        const lifting = table.J.map((_, i) => i).filter((i) => table.CT[i] >= 0);
        const off = lifting.map(
          (i) => Math.abs(bladeElement(blade, table.J[i], reynolds)[name] - table[name][i]) / table[name][0],
        );
        out.push(off.reduce((sum, e) => sum + e) / off.length);
      }
      return out.sort((a, b) => a - b);
    };
    const median = (list: readonly number[]) => list[list.length >> 1];
    const worst = (list: readonly number[]) => list[list.length - 1];
    const moulded = /^(apc|mas|gwssf)/;
    const measuredBlade = (p: (typeof propellers)[number]) => {
      const geometry = p.files.find((f) => f.kind === "geometry");
      return geometry && moulded.test(p.name) ? bladeFrom(geometry.rows, p.blades) : undefined;
    };
    const bySize = (p: (typeof propellers)[number]) => typicalBlade(p.pitch / p.diameter, p.blades);
    expect(errors(measuredBlade, "CT")).toHaveLength(6);
    expect(median(errors(measuredBlade, "CT"))).toBeLessThan(0.105);
    expect(median(errors(measuredBlade, "CP"))).toBeLessThan(0.15);
    expect(worst(errors(measuredBlade, "CT"))).toBeLessThan(0.4);
    expect(worst(errors(measuredBlade, "CP"))).toBeLessThan(0.4);
    expect(errors(bySize, "CT").length).toBeGreaterThan(10);
    expect(median(errors(bySize, "CT"))).toBeLessThan(0.12);
    expect(median(errors(bySize, "CP"))).toBeLessThan(0.14);
    expect(worst(errors(bySize, "CT"))).toBeLessThan(0.4);
    expect(worst(errors(bySize, "CP"))).toBeLessThan(0.405);
  });
});
