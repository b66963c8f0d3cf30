import { describe, expect, it } from "vitest";
import { dopri5 } from "../../src/integrators/dopri5.ts";
import { createIntegrator, type IntegratorName } from "../../src/integrators/index.ts";
import { type Integrator, type Rhs, StepSizeError } from "../../src/integrators/integrator.ts";
import { radau } from "../../src/integrators/radau.ts";
import { factorise, solve as solveLinear } from "../../src/math/lu.ts";
import type { Field } from "../../src/model/field.ts";

const fields = (...kinds: Field["kind"][]): Field[] =>
  kinds.map((kind, i) => ({ name: `x${i}`, unit: "1", meaning: "", kind }));

/** Fixed steps to T. */
function integrate(integrator: Integrator, f: Rhs, x: Float64Array, T: number, steps: number): Float64Array {
  for (let i = 0; i < steps; i++) fixedStep(integrator, f, (i * T) / steps, T / steps, x);
  return x;
}
/** One step of exactly h, also by an adaptive method: nothing remembered, nothing rejected. */
function fixedStep(integrator: Integrator, f: Rhs, t: number, h: number, x: Float64Array): void {
  integrator.memory?.fill(0).fill(Number.MAX_VALUE, 0, 1);
  expect(integrator.step(f, t, h, x)).toBe(h);
}
/** Loose enough never to reject a step, so that dopri5 can be driven with a fixed one. */
const FIXED = { relative: 1, absolute: 1e30 };
const make = (name: IntegratorName, states: readonly Field[]) =>
  name === "dopri5"
    ? dopri5(states.length, FIXED)
    : name === "radau"
      ? radau(states.length, "fixed")
      : createIntegrator(name, states);

const ORDER: Record<IntegratorName, number> = {
  euler: 1,
  "semi-implicit": 1,
  rk4: 4,
  dopri5: 5,
  radau: 5,
  "radau-fixed": 5,
};

/** Radau IIA of three stages by its Butcher tableau: full Newton on all stages at once, derivatives by central differences. */
function plainRadau(f: Rhs, start: readonly number[], T: number, steps: number): number[] {
  const r = Math.sqrt(6);
  const c = [(4 - r) / 10, (4 + r) / 10, 1];
  const A = [
    [(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225],
    [(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225],
    [(16 - r) / 36, (16 + r) / 36, 1 / 9],
  ];
  const n = start.length;
  const h = T / steps;
  const x = [...start];
  const at = (t: number, y: readonly number[]) => {
    const dy = new Float64Array(n);
    f(t, Float64Array.from(y), dy);
    return [...dy];
  };
  let z = new Array(3 * n).fill(0);
  for (let step = 0; step < steps; step++) {
    const residual = (v: readonly number[]) => {
      const k = c.map((ci, s) =>
        at(
          (step + ci) * h,
          x.map((xi, i) => xi + v[s * n + i]),
        ),
      );
      return v.map(
        (vi, j) => vi - h * k.reduce((sum, ks, s) => sum + A[Math.floor(j / n)][s] * ks[j % n], 0),
      );
    };
    for (let iteration = 0; iteration < 8; iteration++) {
      const columns = z.map((_, j) => {
        const e = 1e-6;
        const moved = (d: number) => residual(z.map((v, i) => (i === j ? v + d : v)));
        const [up, down] = [moved(e), moved(-e)];
        return up.map((v, i) => (v - down[i]) / (2 * e));
      });
      const M = Float64Array.from(
        { length: 9 * n * n },
        (_, k) => columns[k % (3 * n)][Math.floor(k / (3 * n))],
      );
      const pivot = new Int32Array(3 * n);
      const b = Float64Array.from(residual(z));
      factorise(M, 3 * n, pivot);
      solveLinear(M, 3 * n, pivot, b);
      z = z.map((v, i) => v - b[i]);
    }
    x.forEach((v, i) => {
      x[i] = v + z[2 * n + i];
    });
  }
  return x;
}

describe("order of convergence", () => {
  // A pendulum with a time-dependent push: nonlinear, non-autonomous.
  const states = fields("position", "velocity");
  const f: Rhs = (t, x, dx) => {
    dx[0] = x[1];
    dx[1] = -Math.sin(x[0]) + 0.3 * Math.cos(1.7 * t);
  };
  const T = 2;
  const truth = integrate(createIntegrator("rk4", states), f, new Float64Array([1, 0.5]), T, 40_000);
  for (const [name, order] of Object.entries(ORDER) as [IntegratorName, number][])
    it(`${name} has order ${order}`, () => {
      const error = (steps: number) => {
        const x = integrate(make(name, states), f, new Float64Array([1, 0.5]), T, steps);
        return Math.hypot(x[0] - truth[0], x[1] - truth[1]);
      };
      const steps = order < 3 ? 400 : 25;
      expect(Math.log2(error(steps) / error(2 * steps))).toBeCloseTo(order, order < 3 ? 1 : 0);
      expect(Math.log2(error(steps) / error(2 * steps))).toBeGreaterThan(order - 0.2);
    });
});

describe("exactness on polynomials of the method's order", () => {
  for (const [name, order] of Object.entries(ORDER) as [IntegratorName, number][])
    it(`${name} integrates t^${order - 1} exactly and t^${order} not`, () => {
      const end = (degree: number) => {
        const x = new Float64Array([0]);
        fixedStep(
          make(name, fields(undefined)),
          (t, _x, dx) => void (dx[0] = (degree + 1) * t ** degree),
          0,
          1,
          x,
        );
        return x[0];
      };
      expect(end(order - 1)).toBeCloseTo(1, 14);
      expect(Math.abs(end(order) - 1)).toBeGreaterThan(1e-6);
    });
  it("dopri5's dense output is exact for quartics and of order 4 or more elsewhere", () => {
    const integrator = dopri5(1, FIXED);
    const x = new Float64Array([0]);
    fixedStep(integrator, (t, _x, dx) => void (dx[0] = 4 * t ** 3 - 3 * t ** 2 + 1), 0, 1, x);
    const out = new Float64Array(1);
    for (const theta of [0, 0.1, 0.37, 0.5, 0.9, 1]) {
      integrator.interpolate?.(theta, out);
      expect(out[0]).toBeCloseTo(theta ** 4 - theta ** 3 + theta, 14);
    }
    const error = (h: number) => {
      const y = new Float64Array([1]);
      const method = dopri5(1, FIXED);
      fixedStep(method, (_t, v, dv) => void (dv[0] = -v[0]), 0, h, y);
      let worst = 0;
      for (let theta = 0.1; theta < 1; theta += 0.1) {
        method.interpolate?.(theta, out);
        worst = Math.max(worst, Math.abs(out[0] - Math.exp(-theta * h)));
      }
      return worst;
    };
    expect(Math.log2(error(0.4) / error(0.2))).toBeGreaterThan(4.7);
  });
});

describe("adaptive dopri5", () => {
  it("keeps the error near the tolerance over four decades, with fewer steps for looser ones", () => {
    // Two-body orbit of eccentricity 0.6: after one period everything is where it was.
    const f: Rhs = (_t, x, dx) => {
      const r3 = Math.hypot(x[0], x[1]) ** 3;
      dx[0] = x[2];
      dx[1] = x[3];
      dx[2] = -x[0] / r3;
      dx[3] = -x[1] / r3;
    };
    const start = [0.4, 0, 0, Math.sqrt(1.6 / 0.4)];
    let fewer = Number.POSITIVE_INFINITY;
    for (const tolerance of [1e-11, 1e-9, 1e-7, 1e-5]) {
      const integrator = dopri5(4, { relative: tolerance, absolute: tolerance });
      const x = new Float64Array(start);
      let t = 0;
      let steps = 0;
      for (let n = 0; t < 2 * Math.PI && n < 1e6; n++) {
        t += integrator.step(f, t, 2 * Math.PI - t, x);
        steps++;
      }
      const error = Math.max(...start.map((v, i) => Math.abs(x[i] - v)));
      expect(error).toBeLessThan(2000 * tolerance); // the orbit itself multiplies errors by hundreds
      expect(error).toBeGreaterThan(tolerance / 10);
      expect(steps).toBeLessThan(fewer);
      fewer = steps;
    }
  });
  it("gives up with the time and the state when the solution blows up", () => {
    const integrator = dopri5(1);
    const x = new Float64Array([1]);
    let t = 0;
    expect(() => {
      for (let n = 0; t < 2 && n < 1e6; n++)
        t += integrator.step((_t, v, dv) => void (dv[0] = v[0] * v[0]), t, 1, x);
    }).toThrow(/step size fell/);
    expect(t).toBeCloseTo(1, 6);
  });
});

describe("radau on stiff problems, to their published solutions", () => {
  const solve = (
    f: Rhs,
    start: readonly number[],
    T: number,
    tolerance: { relative: number; absolute: number },
  ) => {
    const integrator = radau(start.length, tolerance);
    const x = Float64Array.from(start);
    let steps = 0;
    for (let t = 0; t < T * (1 - 1e-13); steps++) t += integrator.step(f, t, T - t, x);
    return { x, steps };
  };
  it("Robertson's kinetics to 1e11 s (Mazzia and Magherini's test set)", () => {
    const f: Rhs = (_t, y, dy) => {
      dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
      dy[2] = 3e7 * y[1] * y[1];
      dy[1] = -dy[0] - dy[2];
    };
    const truth = [0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505];
    for (const relative of [1e-6, 1e-8, 1e-10]) {
      const { x, steps } = solve(f, [1, 0, 0], 1e11, { relative, absolute: 1e-6 * relative });
      // Eleven decades of decay multiply what is lost in each step; tight tolerances hold all the same.
      truth.forEach((v, i) => {
        expect(Math.abs(x[i] / v - 1)).toBeLessThan(relative * (relative < 1e-7 ? 1 : 20));
      });
      expect(steps).toBeLessThan(25 / relative ** 0.25);
    }
  });
  it("van der Pol's oscillator with mu = 1e6", () => {
    const f: Rhs = (_t, y, dy) => {
      dy[0] = y[1];
      dy[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) * 1e6;
    };
    for (const relative of [1e-6, 1e-8, 1e-10]) {
      const { x } = solve(f, [2, 0], 2, { relative, absolute: relative });
      expect(Math.abs(x[0] - 1.706167732170483)).toBeLessThan(relative);
      expect(Math.abs(x[1] + 0.8928097010247975)).toBeLessThan(relative);
    }
  });
  it("a decay a million times faster than the step is gone after it", () => {
    const x = new Float64Array([1]);
    expect(radau(1, "fixed").step((_t, v, dv) => void (dv[0] = -1e6 * v[0]), 0, 1, x)).toBe(1);
    const z = -1e6;
    expect(x[0]).toBeCloseTo((60 + 24 * z + 3 * z * z) / (60 - 36 * z + 9 * z * z - z * z * z), 15);
  });
  it("crosses a jump of the rates, and says so where it would slide along one without end", () => {
    const cross: Rhs = (_t, x, dx) => void (dx[0] = x[0] < 1 ? 1 : 3);
    const across = Float64Array.of(0.55);
    const fixed = radau(1, "fixed");
    for (let t = 0; t < 1 - 1e-9; ) t += fixed.step(cross, t, Math.min(0.1, 1 - t), across);
    // To half a step of the difference: within a fixed step nobody looks for the jump.
    expect(Math.abs(across[0] - (1 + 3 * 0.55))).toBeLessThan(0.05 * 2);
    const slide: Rhs = (_t, x, dx) => void (dx[0] = x[0] > 1 ? -1 : 1);
    slide.jacobian = (_t, _x, J) => J.fill(0).length > 0;
    const along = Float64Array.of(0.55);
    const stuck = radau(1, "fixed");
    expect(() => {
      let t = 0;
      for (let k = 0; k < 10_000; k++) t += stuck.step(slide, t, 0.1, along);
    }).toThrow(StepSizeError);
    expect(along[0]).toBeCloseTo(1, 3);
  });

  it("gives up with the time and the state when the solution blows up", () => {
    const integrator = radau(1);
    const x = new Float64Array([1]);
    let t = 0;
    expect(() => {
      for (let n = 0; t < 2 && n < 1e6; n++)
        t += integrator.step((_t, v, dv) => void (dv[0] = v[0] * v[0]), t, 1, x);
    }).toThrow(/step size fell/);
    expect(t).toBeCloseTo(1, 5);
  });
  it("solves the stages as a plain Newton on all of them does: the transformation costs no accuracy and no order", () => {
    const f: Rhs = (t, y, dy) => {
      dy[0] = y[1];
      dy[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) * 20 + Math.sin(3 * t);
    };
    const start = [2, -0.4];
    const truth = plainRadau(f, start, 0.5, 4096);
    const error = (y: ArrayLike<number>) => Math.hypot(y[0] - truth[0], y[1] - truth[1]);
    const errors = [16, 32].map((steps) => {
      const ours = integrate(radau(2, "fixed"), f, Float64Array.from(start), 0.5, steps);
      const plain = plainRadau(f, start, 0.5, steps);
      expect(Math.hypot(ours[0] - plain[0], ours[1] - plain[1])).toBeLessThan(2e-12);
      return [error(ours), error(plain)];
    });
    const [ours, plain] = [0, 1].map((k) => Math.log2(errors[0][k] / errors[1][k]));
    expect(plain).toBeGreaterThan(4.4);
    expect(ours).toBeCloseTo(plain, 2);
  });
  it("takes the Jacobian that it is offered, and needs fewer evaluations with it", () => {
    let evaluations = 0;
    const f: Rhs = (_t, y, dy) => {
      evaluations++;
      dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
      dy[2] = 3e7 * y[1] * y[1];
      dy[1] = -dy[0] - dy[2];
    };
    const tolerance = { relative: 1e-8, absolute: 1e-14 };
    const differences = solve(f, [1, 0, 0], 1e4, tolerance);
    const withDifferences = evaluations;
    evaluations = 0;
    f.jacobian = (_t, y, J) => {
      J.set([-0.04, 1e4 * y[2], 1e4 * y[1], 0.04, -1e4 * y[2] - 6e7 * y[1], -1e4 * y[1], 0, 6e7 * y[1], 0]);
      return true;
    };
    const exact = solve(f, [1, 0, 0], 1e4, tolerance);
    expect(evaluations).toBeLessThan(withDifferences);
    exact.x.forEach((v, i) => {
      expect(Math.abs(v / differences.x[i] - 1)).toBeLessThan(1e-7);
    });
  });
  it("cuts a fixed step where Newton does not converge, and names the stiffest state where that does not help", () => {
    // The equations end at 0.5 s.
    const kink: Rhs = (t, y, dy) => {
      dy[0] = 1;
      dy[1] = t < 0.5 ? -1e3 * y[1] : Number.NaN;
    };
    const integrator = radau(2, "fixed");
    const x = Float64Array.of(0, 1);
    let t = 0;
    let failure: unknown;
    try {
      for (let n = 0; t < 1 && n < 1e6; n++) t += integrator.step(kink, t, 0.3, x);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(StepSizeError);
    expect(failure).toMatchObject({ state: 1, why: "stiffest" });
    expect((failure as StepSizeError).t).toBeCloseTo(0.5, 9);
    expect((failure as StepSizeError).h).toBeLessThan(1e-13);
    // What was reached before stands.
    expect(x[0]).toBeCloseTo(0.5, 9);
  });
  it("is not deceived by equations that jump between two steps", () => {
    for (const relative of [1e-4, 1e-6, 1e-8]) {
      const integrator = radau(1, { relative, absolute: relative });
      const x = Float64Array.of(1);
      let t = 0;
      for (let n = 0; t < 1e-3 && n < 1e6; n++)
        t += integrator.step((_t, y, dy) => void (dy[0] = -y[0]), t, 1e-3 - t, x);
      const start = x[0];
      integrator.jump?.();
      for (let n = 0; t < 2e-3 && n < 1e6; n++)
        t += integrator.step((_t, y, dy) => void (dy[0] = 1 - 1000 * y[0]), t, 2e-3 - t, x);
      const exact = 1e-3 + (start - 1e-3) * Math.exp(-1);
      expect(Math.abs(x[0] - exact)).toBeLessThan(2 * relative);
    }
  });
  it("takes a remainder of a few ulps, and starts from next to nothing", () => {
    const f: Rhs = (_t, y, dy) => void (dy[0] = 1 - y[0]);
    const x = Float64Array.of(0.5);
    expect(radau(1).step(f, 100.01, 5e-13, x)).toBe(5e-13);
    for (const [start, begin] of [
      [7e-13, 0],
      [1e-10, 1000],
    ]) {
      const integrator = radau(1, { relative: 1e-8, absolute: 1e-8 });
      const y = Float64Array.of(start);
      let t = 0;
      for (let n = 0; t < 1 && n < 1e6; n++) t += integrator.step(f, begin + t, 1 - t, y);
      expect(y[0]).toBeCloseTo(1 - Math.exp(-1), 7);
    }
  });
  it("goes on bit for bit from its memory", () => {
    const f: Rhs = (t, y, dy) => {
      dy[0] = y[1];
      dy[1] = -50 * (y[0] - Math.cos(t)) - 300 * y[1];
    };
    const one = radau(2);
    const x = Float64Array.of(1, 0);
    let t = 0;
    for (let i = 0; i < 20; i++) t += one.step(f, t, 0.1, x);
    // Into one that has worked on something else for as many steps.
    const two = radau(2);
    const y = Float64Array.of(3, 1);
    let s = 0;
    for (let i = 0; i < 20; i++) s += two.step((_t, v, dv) => void (dv[0] = -v[0] - 9 * v[1]), s, 0.1, y);
    two.memory?.set(one.memory ?? []);
    y.set(x);
    s = t;
    for (let i = 0; i < 20; i++) {
      t += one.step(f, t, 0.1, x);
      s += two.step(f, s, 0.1, y);
    }
    expect([s, ...y]).toEqual([t, ...x]);
  });
});

describe("torque-free rigid body", () => {
  const I = [1, 2, 3.5];
  const states = fields("quaternion", "quaternion", "quaternion", "quaternion", "rate", "rate", "rate");
  const f: Rhs = (_t, x, dx) => {
    const n = Math.hypot(x[0], x[1], x[2], x[3]);
    const [w, i, j, k] = [x[0] / n, x[1] / n, x[2] / n, x[3] / n];
    const [p, q, r] = [x[4], x[5], x[6]];
    dx[0] = -0.5 * (i * p + j * q + k * r);
    dx[1] = 0.5 * (w * p + j * r - k * q);
    dx[2] = 0.5 * (w * q + k * p - i * r);
    dx[3] = 0.5 * (w * r + i * q - j * p);
    dx[4] = ((I[1] - I[2]) * q * r) / I[0];
    dx[5] = ((I[2] - I[0]) * r * p) / I[1];
    dx[6] = ((I[0] - I[1]) * p * q) / I[2];
  };
  const energy = (x: Float64Array) => 0.5 * (I[0] * x[4] ** 2 + I[1] * x[5] ** 2 + I[2] * x[6] ** 2);
  /** Angular momentum in the world frame. */
  const momentum = (x: Float64Array) => {
    const n = Math.hypot(x[0], x[1], x[2], x[3]);
    const [w, i, j, k] = [x[0] / n, x[1] / n, x[2] / n, x[3] / n];
    const [a, b, c] = [I[0] * x[4], I[1] * x[5], I[2] * x[6]];
    const [tx, ty, tz] = [2 * (j * c - k * b), 2 * (k * a - i * c), 2 * (i * b - j * a)];
    return [a + w * tx + j * tz - k * ty, b + w * ty + k * tx - i * tz, c + w * tz + i * ty - j * tx];
  };
  // Spin near the intermediate axis: the body tumbles, which is hard on an integrator.
  const start = () => new Float64Array([1, 0, 0, 0, 0.01, 2, 0.02]);
  for (const [name, steps, tolerance] of [
    ["rk4", 4000, 1e-8],
    ["dopri5", 1000, 1e-8],
  ] as const)
    it(`${name} keeps energy and angular momentum over 20 s of tumbling`, () => {
      const before = start();
      const after = integrate(make(name, states), f, start(), 20, steps);
      expect(after[5]).toBeLessThan(1.9); // it did tumble
      expect(Math.abs(energy(after) / energy(before) - 1)).toBeLessThan(tolerance);
      momentum(before).forEach((m, i) => {
        expect(Math.abs(momentum(after)[i] - m)).toBeLessThan(10 * tolerance);
      });
    });
});

describe("oscillator without damping", () => {
  const f: Rhs = (_t, x, dx) => {
    dx[0] = x[1];
    dx[1] = -x[0];
  };
  const energyAfter = (name: IntegratorName) => {
    const x = integrate(make(name, fields("position", "velocity")), f, new Float64Array([1, 0]), 200, 4000);
    return x[0] ** 2 + x[1] ** 2;
  };
  it("semi-implicit Euler keeps its energy bounded, explicit Euler does not", () => {
    expect(Math.abs(energyAfter("semi-implicit") - 1)).toBeLessThan(0.06);
    expect(energyAfter("euler")).toBeGreaterThan(1000);
  });
});
