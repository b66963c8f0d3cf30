/** Trim does not depend on where the search starts. */
import { describe, expect, it } from "vitest";
import { type Condition, trim } from "../../src/analysis/trim.ts";
import { findTrim } from "../../src/analysis/trim-search.ts";
import { uniform } from "../../src/math/random.ts";
import { preset } from "../../src/vehicle-types/index.ts";

describe("a thousand starts come to the same trim", () => {
  const cases: [string, Condition, Record<string, number>][] = [
    ["advanced-plane", { speed: 12 }, {}],
    ["advanced-plane", { speed: 24 }, {}],
    ["advanced-plane", { climb: 2 }, {}],
    ["advanced-plane", { turn: 0.4 }, {}],
    ["x500", {}, {}],
    ["iris", {}, {}],
    ["typhoon-h480", {}, {}],
    ["standard-vtol", {}, {}],
    ["standard-vtol", { speed: 16 }, {}],
    ["rc-cessna", {}, {}],
    ["zephyr", {}, {}],
    ["formula-student", { lateral: 6 }, {}],
    ["parafoil", {}, { brake_left_cmd: 0.6, brake_right_cmd: 0.2 }],
  ];
  it.each(cases)("%s %o %o", (name, condition, held) => {
    const vehicle = preset(name);
    const right = findTrim(vehicle, condition, held);
    expect(right.isTrimmed).toBe(true);
    const names = Object.keys(right.motion);
    const free = right.controls.filter((c) => c.isFree);
    let draw = 0;
    const between = (low: number, high: number) => low + (high - low) * uniform(7, "starts", draw++);
    let same = 0;
    for (let round = 0; round < 1000; round++) {
      const start = Object.fromEntries(
        Object.entries(right.unknowns).map(([name, v]) => {
          const control = free.find((c) => c.control.name === name)?.control;
          if (control) {
            const u = control.min + between(0.25, 0.75) * (control.max - control.min);
            return [name, control.isSquare ? u * u : u];
          }
          const isAngle = name === "roll" || name === "pitch";
          return [name, isAngle ? v + between(-10, 10) * (Math.PI / 180) : v * between(0.8, 1.2)];
        }),
      );
      // From there alone, without any other start.
      const found = trim(vehicle, right.condition, right.held, start);
      const isSame =
        found.isTrimmed &&
        found.u.every((u, i) => Math.abs(u - right.u[i]) < 1e-6 * Math.max(1, Math.abs(right.u[i]))) &&
        names.every((n) => Math.abs(found.motion[n] - right.motion[n]) < 1e-6);
      if (isSame) same++;
    }
    expect(same).toBeGreaterThanOrEqual(990);
  });
});
