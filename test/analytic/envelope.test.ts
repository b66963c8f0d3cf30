/** Maps and polars are what trim finds, point by point, and their extremes are extremes. */
import { describe, expect, it } from "vitest";
import { envelopeMap } from "../../src/analysis/envelope.ts";
import { stallMargin } from "../../src/analysis/flight-numbers.ts";
import { glidePolar } from "../../src/analysis/polar.ts";
import { axisOf, valuesOf } from "../../src/analysis/sweep.ts";
import { findTrim } from "../../src/analysis/trim-search.ts";
import { preset } from "../../src/vehicle-types/index.ts";

const base = { condition: {}, held: {} };

describe("an envelope", () => {
  it("holds the same flight as trim wherever that is attached, though it begins in a corner that only flies stalled", () => {
    const plane = preset("advanced-plane");
    const [x, y] = [axisOf(plane, "airspeed"), axisOf(plane, "climb")];
    const [xs, ys] = [valuesOf(x, 8, 24, 6), valuesOf(y, -3, 3, 5)];
    const { cells, named } = envelopeMap(plane, x, y, xs, ys, base);
    let compared = 0;
    cells.forEach((cell, k) => {
      const alone = findTrim(plane, { speed: xs[k % 6], climb: ys[Math.floor(k / 6)] });
      if (!alone.isTrimmed || stallMargin(plane, alone) < 0) return;
      compared++;
      expect(cell?.numbers.alpha).toBeCloseTo(alone.outputs.alpha_1, 6);
      expect(cell?.numbers.power).toBeCloseTo(alone.outputs.power, 5);
    });
    expect(compared).toBeGreaterThan(15);
    const attached = cells.filter((c) => c && c.numbers.stall_margin >= 0);
    const least = named.find((n) => n.name === "least power")?.value as number;
    for (const c of attached) expect(c?.numbers.power).toBeGreaterThanOrEqual(least);
    expect(named.every((n) => n.at.numbers.stall_margin >= 0)).toBe(true);
  });
  it("of a car: no more lateral acceleration than its tyres have, and less when slow is no limit", () => {
    const car = preset("formula-student");
    const [x, y] = [axisOf(car, "speed"), axisOf(car, "lateral")];
    const { cells, named } = envelopeMap(car, x, y, [8, 12, 16], [2, 8, 14, 30], base);
    expect(cells.slice(0, 6).every((c) => c !== undefined)).toBe(true);
    expect(cells.slice(9).every((c) => c === undefined)).toBe(true);
    // Between the cells, too: what is named trims, and a little more does not.
    const most = named.find((n) => n.name === "most lateral acceleration");
    const lateral = most?.value as number;
    const speed = most?.at.values[0];
    expect(lateral).toBeGreaterThan(14);
    expect(findTrim(car, { speed, lateral }).isTrimmed).toBe(true);
    expect(findTrim(car, { speed, lateral: lateral + 0.1 }).isTrimmed).toBe(false);
  });
});

it("best glide: a little faster and a little slower it glides worse, and lift over drag is the glide ratio", () => {
  const plane = preset("advanced-plane");
  const best = glidePolar(plane)?.best;
  const { glide, airspeed } = best?.numbers ?? {};
  const rotor_1_cmd = 0;
  for (const factor of [0.98, 1.02]) {
    const { outputs } = findTrim(plane, { speed: factor * airspeed }, { rotor_1_cmd });
    expect(outputs.horizontal_speed / outputs.sink).toBeLessThan(glide);
  }
  const { outputs } = findTrim(plane, { speed: airspeed }, { rotor_1_cmd });
  expect(outputs.CL_1 / outputs.CD_1).toBeCloseTo(glide, 6);
});
