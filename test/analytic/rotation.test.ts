import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factorise, solve } from "../../src/math/lu.ts";
import { fromEuler, normalise, pitchOf, rollOf, toBody, toWorld, yawOf } from "../../src/math/quaternion.ts";
import { cross, dot, norm } from "../../src/math/vec3.ts";

const angle = fc.double({ min: -3, max: 3, noNaN: true });
const component = fc.double({ min: -10, max: 10, noNaN: true });

describe("attitude", () => {
  it("quarter turns do what the conventions say", () => {
    const q = new Float64Array(4);
    const v = new Float64Array(3);
    const forward = new Float64Array([1, 0, 0]);
    fromEuler(0, 0, Math.PI / 2, q);
    toWorld(q, 0, forward, 0, v, 0);
    expect([...v].map((c) => Math.round(c) + 0)).toEqual([0, 1, 0]); // yaw 90 deg: the nose points east
    fromEuler(0, Math.PI / 2, 0, q);
    toWorld(q, 0, forward, 0, v, 0);
    expect([...v].map((c) => Math.round(c) + 0)).toEqual([0, 0, -1]); // pitch 90 deg: the nose points up
    fromEuler(Math.PI / 2, 0, 0, q);
    toWorld(q, 0, new Float64Array([0, 1, 0]), 0, v, 0);
    expect([...v].map((c) => Math.round(c) + 0)).toEqual([0, 0, 1]); // roll 90 deg: the right wing points down
  });

  it("equals the product of the three elementary rotation matrices", () => {
    fc.assert(
      fc.property(angle, angle, angle, component, component, component, (roll, pitch, yaw, x, y, z) => {
        const q = new Float64Array(4);
        const out = new Float64Array(3);
        fromEuler(roll, pitch, yaw, q);
        toWorld(q, 0, new Float64Array([x, y, z]), 0, out, 0);
        const [cr, sr] = [Math.cos(roll), Math.sin(roll)];
        const [cp, sp] = [Math.cos(pitch), Math.sin(pitch)];
        const [cy, sy] = [Math.cos(yaw), Math.sin(yaw)];
        const a = [x, cr * y - sr * z, sr * y + cr * z];
        const b = [cp * a[0] + sp * a[2], a[1], -sp * a[0] + cp * a[2]];
        const c = [cy * b[0] - sy * b[1], sy * b[0] + cy * b[1], b[2]];
        c.forEach((value, i) => {
          expect(out[i]).toBeCloseTo(value, 12);
        });
      }),
    );
  });

  it("to the world and back is the identity, and lengths stay", () => {
    fc.assert(
      fc.property(angle, angle, angle, component, component, component, (roll, pitch, yaw, x, y, z) => {
        const q = new Float64Array(4);
        const w = new Float64Array(3);
        const back = new Float64Array(3);
        fromEuler(roll, pitch, yaw, q);
        expect(q.reduce((s, c) => s + c * c, 0)).toBeCloseTo(1, 14);
        toWorld(q, 0, new Float64Array([x, y, z]), 0, w, 0);
        toBody(q, 0, w, 0, back, 0);
        expect(norm(w)).toBeCloseTo(Math.hypot(x, y, z), 12);
        [x, y, z].forEach((value, i) => {
          expect(back[i]).toBeCloseTo(value, 12);
        });
      }),
    );
  });

  it("Euler angles come back", () => {
    fc.assert(
      fc.property(angle, fc.double({ min: -1.5, max: 1.5, noNaN: true }), angle, (roll, pitch, yaw) => {
        const q = new Float64Array(4);
        fromEuler(roll, pitch, yaw, q);
        expect(rollOf(q[0], q[1], q[2], q[3])).toBeCloseTo(roll, 11);
        expect(pitchOf(q[0], q[1], q[2], q[3])).toBeCloseTo(pitch, 11);
        expect(yawOf(q[0], q[1], q[2], q[3])).toBeCloseTo(yaw, 11);
      }),
    );
  });

  it("normalising keeps the direction and does not hide a NaN", () => {
    const q = new Float64Array([0, 3, 0, 4]);
    normalise(q);
    expect([...q]).toEqual([0, 0.6, 0, 0.8]);
    q[0] = Number.NaN;
    normalise(q);
    expect(q.some(Number.isNaN)).toBe(true);
  });

  it("the cross product is perpendicular to both and right-handed", () => {
    const out = new Float64Array(3);
    cross(new Float64Array([1, 0, 0]), 0, new Float64Array([0, 1, 0]), 0, out, 0);
    expect([...out]).toEqual([0, 0, 1]);
    const a = new Float64Array([1, 2, 3]);
    const b = new Float64Array([-4, 5, 0.5]);
    cross(a, 0, b, 0, out, 0);
    expect(dot(a, 0, out, 0)).toBeCloseTo(0, 12);
    expect(dot(b, 0, out, 0)).toBeCloseTo(0, 12);
  });
});

describe("LU", () => {
  it("solves random systems to rounding", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer(), (n, seed) => {
        const random = (i: number) => Math.sin(seed * 0.001 + i * 12.9898) * 2;
        const a = Float64Array.from({ length: n * n }, (_, i) => random(i) + (i % (n + 1) === 0 ? 3 : 0));
        const x = Float64Array.from({ length: n }, (_, i) => random(1000 + i));
        const b = Float64Array.from({ length: n }, (_, i) => x.reduce((s, v, j) => s + a[i * n + j] * v, 0));
        const lu = a.slice();
        const pivot = new Int32Array(n);
        if (!factorise(lu, n, pivot)) return;
        solve(lu, n, pivot, b);
        const residual = (i: number) => x.reduce((s, _, j) => s + a[i * n + j] * (b[j] - x[j]), 0);
        for (let i = 0; i < n; i++) expect(Math.abs(residual(i))).toBeLessThan(1e-11);
      }),
    );
  });
  it("needs pivoting here, and says when a matrix is singular", () => {
    const pivot = new Int32Array(2);
    const swap = new Float64Array([0, 1, 1, 0]);
    expect(factorise(swap, 2, pivot)).toBe(true);
    const b = new Float64Array([2, 3]);
    solve(swap, 2, pivot, b);
    expect([...b]).toEqual([3, 2]);
    expect(factorise(new Float64Array([1, 2, 2, 4]), 2, pivot)).toBe(false);
  });
});
