import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acceleration, autocross, skidpad } from "../../src/environment/track/events.ts";
import { trackOf } from "../../src/environment/track/from-files.ts";
import { Progress } from "../../src/environment/track/progress.ts";
import { readCenterLine, readCones } from "../../src/formats/track-csv.ts";
import { splineCurvatures, splinePiece } from "../../src/math/cubic-spline.ts";
import { lapTimer } from "../../src/simulation/lap-timer.ts";
import { carType } from "../../src/vehicle-types/car.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import type { CarParameters } from "../../src/vehicles/car/parameters.ts";
import { sideslip } from "../support/cli.ts";
import { folder as newFolder } from "../support/folder.mjs";
import { describeWithShared, sharedPath } from "../support/shared.ts";

const CAR = { width: 1.55, turningRadius: 2.87 };

describe("tracks by the rule book", () => {
  it("skidpad: 9.125 m circles, 16 inner and 13 outer cones each, cones 3 m apart across the lane", () => {
    const { line, cones, laps } = skidpad();
    expect(line.length).toBeCloseTo(15 + 4 * 2 * Math.PI * 9.125 + 25, 3);
    expect(laps).toBe(4);
    const from = (Y: number, r: number) =>
      cones.filter((c) => Math.abs(Math.hypot(c.X, c.Y - Y) - r) < 1e-9).length;
    for (const Y of [9.125, -9.125]) {
      expect(from(Y, 15.25 / 2)).toBe(16);
      // And the other circle's inner cone at the crossing.
      expect(from(Y, 21.25 / 2)).toBe(13 + 1);
    }
    // None stands in the lane of the other circle.
    for (const { X, Y } of cones)
      for (const centre of [9.125, -9.125]) {
        const r = Math.hypot(X, Y - centre);
        expect(r < 7.626 || r > 10.624).toBe(true);
      }
  });
  it("acceleration: 75 m between the gates, 5 m wide", () => {
    const { start, finish } = acceleration();
    expect((finish?.left[0] ?? 0) - start.left[0]).toBe(75);
    expect(start.left[1] - start.right[1]).toBe(5);
  });
  it("autocross: closed, turning once round, no corner tighter than 8 m, straight shorter than 80 m", () => {
    const { line } = autocross();
    expect(line.isClosed).toBe(true);
    let turned = 0;
    const n = line.s.length;
    for (let i = 0; i < n; i++) turned += (line.kappa[i] * line.length) / n;
    expect(turned).toBeCloseTo(2 * Math.PI, 1);
    expect(1 / Math.max(...line.kappa.map(Math.abs))).toBeGreaterThan(8);
    let [straight, longest] = [0, 0];
    for (let i = 0; i < 2 * n; i++) {
      straight = Math.abs(line.kappa[i % n]) < 0.01 ? straight + line.length / n : 0;
      longest = Math.max(longest, straight);
    }
    expect(longest).toBeGreaterThan(30);
    expect(longest).toBeLessThan(80);
  });
});

describe("the spline", () => {
  it("through a sampled sine, periodic, is right to the fourth order of the spacing", () => {
    const error = (n: number) => {
      const t = Array.from({ length: n + 1 }, (_, i) => (2 * Math.PI * i) / n);
      const v = t.map(Math.sin);
      const m = splineCurvatures(t, v, true);
      let worst = 0;
      for (let i = 0; i < n; i++) {
        const h = t[i + 1] - t[i];
        const [value] = splinePiece(h / 3, h, v[i], v[i + 1], m[i], m[i + 1]);
        worst = Math.max(worst, Math.abs(value - Math.sin(t[i] + h / 3)));
      }
      return worst;
    };
    expect(Math.log2(error(20) / error(40))).toBeGreaterThan(3.8);
  });
});

describeWithShared("tracks of brains2", () => {
  const text = (name: string) => readFileSync(sharedPath(`data/tracks/${name}.csv`), "utf8");
  for (const name of ["alpha", "beta"]) {
    const line = readCenterLine(text(`${name}_center_line`), name, true);
    const rows = text(`${name}_center_line`)
      .trim()
      .split("\n")
      .slice(501, 1001)
      .map((row) => row.split(",").map(Number));
    it(`${name}: one of the three laps in the file, with its length, direction and curvature`, () => {
      expect(line.s.length).toBe(500);
      expect(line.length / -Number(text(`${name}_center_line`).split("\n")[1].split(",")[0])).toBeCloseTo(
        1,
        4,
      );
      rows.forEach(([s, X, Y, phi, kappa], i) => {
        expect(line.X[i]).toBe(X);
        expect(line.Y[i]).toBe(Y);
        expect(Math.abs(line.s[i] - s)).toBeLessThan(0.05);
        expect(Math.abs(Math.sin(line.phi[i] - phi))).toBeLessThan(0.01);
        expect(Math.abs(line.kappa[i] - kappa)).toBeLessThan(0.01);
      });
    });
    it(`${name}: blue left, yellow right, gate between the lower orange cones`, () => {
      const cones = readCones(text(name), name);
      const { start } = trackOf(name, line, cones, CAR);
      expect(start).toEqual({ left: [-2.2, 4.7], right: [2.2, 4.7] });
    });
    it(`${name}: two laps without a cone`, () => {
      const scenario = join(newFolder("track"), "lap.yaml");
      const files = `center_line: ${sharedPath(`data/tracks/${name}_center_line.csv`)}, cones: ${sharedPath(`data/tracks/${name}.csv`)}`;
      writeFileSync(
        scenario,
        `vehicle: formula-student\nduration: 90\ntrack: { ${files} }\nlaps: 2\ndriver: true\n`,
      );
      const { final, laps } = JSON.parse(sideslip(["run", scenario, "--json"]).stdout);
      expect(final.cones_hit).toBe(0);
      expect(laps).toHaveLength(2);
      for (const t of laps) expect(line.length / t).toBeGreaterThan(12);
    });
  }
});

describe("what is wrong with a track is said", () => {
  const circle = (n: number, from = 0, to = 2 * Math.PI) =>
    ["s,X,Y,phi,kappa,w"]
      .concat(
        Array.from({ length: n }, (_, i) => {
          const a = from + ((to - from) * i) / n;
          return `${(i * 20 * (to - from)) / n},${20 * Math.cos(a)},${20 * Math.sin(a)},0,0,1.5`;
        }),
      )
      .join("\n");
  const line = () => readCenterLine(circle(120), "c.csv", true);
  it("a line that does not close", () => {
    expect(() => readCenterLine(circle(100, 0, 5), "c.csv", true)).toThrow(
      /c\.csv: the track does not close: its end is 2\d\.\d+ m from its beginning.*closed: false/,
    );
    expect(readCenterLine(circle(100, 0, 5), "c.csv", false).isClosed).toBe(false);
  });
  it("a column, a number, a distance or a width that cannot be", () => {
    expect(() => readCenterLine("s,X,Y\n0,0,0", "c.csv", true)).toThrow(/c\.csv:1: has no column "w"/);
    expect(() => readCenterLine(circle(9).replace("1.5", "wide"), "c.csv", true)).toThrow(
      /c\.csv:2: w: "wide"/,
    );
    expect(() => readCenterLine(circle(9).replace("1.5", "-1"), "c.csv", true)).toThrow(
      /c\.csv:2: w: a half width of -1/,
    );
    expect(() => readCenterLine(`${circle(9)}\n1,0,0,0,0,1`, "c.csv", true)).toThrow(
      /c\.csv:11: s: 1 m comes after/,
    );
    expect(() => readCones("color,X,Y\ngreen,1,2", "k.csv")).toThrow(
      /k\.csv:2: color: "green" is not a cone colour/,
    );
  });
  it("cones in the way, on the wrong side, and a lane too narrow for the car", () => {
    const at = (color: string, r: number) => readCones(`color,X,Y\n${color},${r},0`, "k.csv");
    expect(() => trackOf("t", line(), at("yellow", 20.5), CAR)).toThrow(
      /no gap for the car: the yellow cone at \(20\.50/,
    );
    // The circle is driven to the left: its inside is blue.
    expect(() => trackOf("t", line(), at("blue", 21.5), CAR)).toThrow(/blue cones stand on the right/);
    expect(() => trackOf("t", line(), [], { ...CAR, width: 3.2 })).toThrow(
      /is 3\.00 m wide at .* and the car 3\.20 m/,
    );
  });
  it("corners that the car cannot turn", () => {
    expect(() => trackOf("t", line(), [], { width: 1.55, turningRadius: 30 })).toThrow(
      /turns with a radius of 20\.\d+ m at .* turning circle has 30\.00 m/,
    );
  });
  it("a coarse line is refined, so that offsets are those of its curve", () => {
    const { line: fine } = trackOf("t", readCenterLine(circle(20), "c.csv", true), [], CAR);
    const progress = new Progress(fine);
    for (let a = 0; a < 6; a += 0.13) {
      progress.look(20 * Math.cos(a), 20 * Math.sin(a));
      expect(Math.abs(progress.offset)).toBeLessThan(0.02);
    }
  });
  it("orange cones that are no pair make no gate", () => {
    const cones = readCones("color,X,Y\norange,17.5,0.1\norange,-22.5,0.1", "k.csv");
    expect(trackOf("t", line(), cones, CAR).start).toEqual(trackOf("t", line(), [], CAR).start);
  });
  it("rocking over the gate is no lap", () => {
    const { start } = acceleration();
    expect(start.left[0]).toBe(0);
    const p = preset("formula-student").parameters as CarParameters;
    const watcher = lapTimer(
      { ...acceleration(), finish: undefined },
      carType.footprint!(p),
      preset("formula-student").model.states,
      undefined,
    );
    const out = new Float64Array(watcher.fields.length);
    const seen: string[] = [];
    const at = (t: number, X: number) =>
      watcher.observe(t, Float64Array.of(X, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1), out, (name) => seen.push(name));
    [-4, -1, -4, -1, -4, -1].forEach((X, t) => {
      at(t, X);
    });
    expect(seen).toEqual(["start"]);
  });
  it("an open line ends a lap at its end", () => {
    const track = trackOf("t", readCenterLine(circle(100, 0, 3), "c.csv", false), [], CAR);
    expect(track.laps).toBe(1);
    expect(track.finish?.left[0]).toBeCloseTo(18.5 * Math.cos(3 * 0.99), 2);
  });
  it("by the command line, with file, line and field", () => {
    const folder = newFolder("track");
    const write = (name: string, words: string) => {
      writeFileSync(join(folder, name), words);
      return join(folder, name);
    };
    const told = (words: string) =>
      sideslip(["run", write("x.yaml", `vehicle: formula-student\nduration: 1\n${words}\n`)]).stderr;
    expect(told("track: autocros\ndriver: true")).toMatch(
      /x\.yaml:3:1: track: there is no track "autocros"; did you mean "autocross"/,
    );
    expect(told("track: skidpad\nlaps: 0\ndriver: true")).toMatch(
      /laps: 0 is out of range; allowed: 1 to 1000000/,
    );
    expect(told("track: autocross\nlaps: 1.5\ndriver: true")).toMatch(/laps: is not a whole number/);
    expect(told("track: skidpad\nlaps: 9\ndriver: true")).toMatch(/x\.yaml:4:1: laps: skidpad has 4 of them/);
    expect(told("track: autocross\nlaps: 1\ndriver: true")).toMatch(/warning: 0 of 1 laps in 1 s/);
    expect(told("track: autocross\nparameters: { width: 4 }")).toMatch(
      /is 3\.50 m wide at .* and the car 4\.00 m/,
    );
    expect(sideslip(["run", "formula-student", "--wind", "0,1,0"]).stderr).toMatch(/--wind: wind/);
    expect(told("driver: true")).toMatch(/x\.yaml:3:1: driver: needs a track/);
    expect(told("track: skidpad\ndriver: { grip: 2 }")).toMatch(/driver\.grip.*above 0 to 1/);
    expect(told("track: { center_line: nothing.csv }\ndriver: true")).toMatch(/nothing\.csv/);
    expect(told("track: skidpad\ndriver: true\ninputs: [ { t: 0, u_delta: 0 } ]")).toMatch(
      /inputs and driver both set the inputs/,
    );
    expect(told("wind: { steady: [1, 0, 0] }")).toMatch(/wind/);
    expect(told("parameters: { Ba: -3 }")).toMatch(/Ba.*> 0/);
    expect(told("parameters: { l_F: 0, l_R: 0 }")).toMatch(/l_F.*> 0/);
    expect(told("parameters: { l_F: 1.3, l_R: 0.3 }")).toMatch(
      /19 % of the weight stands on the front wheels.*swapped/,
    );
  });
});
