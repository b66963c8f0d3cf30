/** The chain rule of trim and linear models beside differences, where nothing is level, straight or steady. */
import { describe, expect, it } from "vitest";
import { constraintsOf } from "../../src/analysis/constraints.ts";
import { linearize } from "../../src/analysis/linearize.ts";
import type { Condition } from "../../src/analysis/trim.ts";
import { findTrim } from "../../src/analysis/trim-search.ts";
import { withJacobian } from "../../src/compile/with-jacobian.ts";
import { fromEuler } from "../../src/math/quaternion.ts";
import { stream } from "../../src/math/random.ts";
import { preset } from "../../src/vehicle-types/index.ts";

/** A dive in a steep bank, turning about all axes, with controls anywhere. */
function tumbling(name: string) {
  const vehicle = preset(name);
  const { model } = vehicle;
  const noise = stream(5, name);
  const x = Float64Array.from(model.states, (f, i) =>
    f.follows || f.kind === "actuator" ? 0.1 * noise.uniform(i) : 0,
  );
  x.set([0, 0, -500, 14, 3, 2.5]);
  fromEuler(0.7, -0.35, 2.1, x, 6);
  x.set([0.4, -0.3, 0.5], 10);
  const u = Float64Array.from(model.inputs, (_, i) => 0.1 * noise.uniform(100 + i));
  return { vehicle, x, u };
}

describe.each(["parafoil", "advanced-plane", "rc-cessna", "x500"])("%s in a tumbling dive", (name) => {
  const { vehicle, x, u } = tumbling(name);

  it("has the matrices that differences find, to their own error", () => {
    const plain = linearize(vehicle, x, u, []);
    const exactly = linearize(withJacobian(vehicle), x, u, []);
    expect(exactly.states).toEqual(plain.states);
    expect(exactly.error).toBeLessThan(1e-13);
    for (const key of ["A", "B"] as const) {
      const [found, wanted] = [exactly[key], plain[key]];
      const size = wanted.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
      expect(found.length).toBe(wanted.length);
      found.forEach((v, i) => {
        expect(Math.abs(v - wanted[i]), `${key} ${i}`).toBeLessThan((1e-9 + 2 * plain.error) * size);
      });
    }
  });
});

describe.each(["advanced-plane", "hakoniwa", "standard-vtol", "formula-student"])(
  "%s at the ends of its controls",
  (name) => {
    const vehicle = preset(name);
    const { model, parameters } = vehicle;
    const exactly = withJacobian(vehicle);
    const controls = model.controls?.(parameters) ?? [];

    it.each(controls.flatMap((c) => [c.min, c.max].map((v) => [c.name, v] as const)))(
      "%s at %d: the slope is that of the inner side, as differences see it",
      (control, value) => {
        const held = controls.find((c) => c.name === control)?.inputs ?? [];
        const { x, u } = findTrim(vehicle, {}, Object.fromEntries(held.map((input) => [input, value])));
        const [A, B] = [linearize(vehicle, x, u, []), linearize(exactly, x, u, [])];
        for (const key of ["A", "B"] as const)
          B[key].forEach((v, i) => {
            const size = A[key].reduce((most, w) => Math.max(most, Math.abs(w)), 1);
            expect(Math.abs(v - A[key][i]), `${key} ${i}`).toBeLessThan((1e-9 + 2 * A.error) * size);
          });
      },
    );
  },
);

describe("demands", () => {
  it.each<[string, Condition]>([
    ["airspeed", { speed: 12 }],
    ["sideslip", { sideslip: 0.2 }],
    ["coordination", { isCoordinated: true }],
  ])("%s has the slope of its differences", (_, condition) => {
    const { vehicle, x } = tumbling("advanced-plane");
    const z = Float64Array.from([14, 3, 2.5, 0.7, -0.35, 0.3]);
    const dx = Float64Array.from(x, (_, i) => 0.3 * i - 1);
    const noise = stream(9, "along");
    const [demand] = constraintsOf(condition, { vehicle, z, x, dx });
    // Velocities move with the unknown that they are; attitude and rates along anything.
    for (let unknown = 0; unknown < 6; unknown++) {
      const along = Float64Array.from(x, (_, i) => (i < 6 ? 0 : 2 * noise.uniform(50 * unknown + i) - 1));
      if (unknown < 3) along.fill(0).set([1], 3 + unknown);
      const rates = Float64Array.from(x, (_, i) => noise.uniform(1000 + 50 * unknown + i));
      const [x0, z0, dx0] = [x.slice(), z.slice(), dx.slice()];
      const at = (h: number) => {
        x0.forEach((v, i) => {
          x[i] = v + h * along[i];
          dx[i] = dx0[i] + h * rates[i];
        });
        z[unknown] = z0[unknown] + h;
        return demand.of();
      };
      const difference = (at(1e-5) - at(-1e-5)) / 2e-5;
      at(0);
      expect(demand.slope(unknown, along, rates)).toBeCloseTo(difference, 7);
    }
  });

  it.each<[string, Condition]>([
    ["advanced-plane", { speed: 16, turn: 0.3, climb: 0.5 }],
    ["advanced-plane", { speed: 15, sideslip: 0.05, climb: 0 }],
    ["rc-cessna", { speed: 20, turn: -0.2 }],
    ["parafoil", { turn: 0.15 }],
    ["formula-student", { speed: 12, lateral: 6 }],
  ])("%s trims to the same motion with derivatives: %o", (name, condition) => {
    const vehicle = preset(name);
    const [plain, exactly] = [findTrim(vehicle, condition), findTrim(withJacobian(vehicle), condition)];
    expect([plain.isTrimmed, exactly.isTrimmed]).toEqual([true, true]);
    // Surfaces that can stand in for each other are settled by gentle weights: to so many digits.
    exactly.x.forEach((v, i) => {
      const { name: state } = vehicle.model.states[i];
      expect(Math.abs(v - plain.x[i]), state).toBeLessThan(1e-6 * (1 + Math.abs(v)));
    });
  });
});
