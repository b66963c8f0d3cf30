/** Eigenvalues of AVL's own mode analysis, from coefficients and mass alone. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { linearize } from "../../src/analysis/linearize.ts";
import { modesOf } from "../../src/analysis/modes.ts";
import { findTrim } from "../../src/analysis/trim-search.ts";
import { readAvlMass } from "../../src/formats/avl/mass.ts";
import { readAvlOutput } from "../../src/formats/avl/output.ts";
import { plainSource } from "../../src/model/document.ts";
import { vehicleFromAvl } from "../../src/vehicle-types/aircraft/avl/vehicle.ts";
import { readVehicle } from "../../src/vehicle-types/index.ts";
import type { AircraftParameters } from "../../src/vehicles/aircraft/parameters.ts";
import { describeWithShared, sharedPath } from "../support/shared.ts";

const text = (path: string) => readFileSync(sharedPath(`data/avl/${path}`), "utf8");
const numbers = (line: string) => (line.match(/-?\d*\.\d+(E[-+]\d+)?/g) ?? []).map(Number);

/** AVL's trim: angle of attack [deg], speed, and the drag without lift that its run case was given; its units in SI. */
const CASES = {
  plane: {
    alpha: 0.94,
    speed: 28.28 * 0.3048,
    CD0: 0,
    mass: 14.593903,
    inertia: 14.593903 * 0.3048 * 0.3048,
  },
  supra: { alpha: 1.71, speed: 8.0747, CD0: 0.015, mass: 1, inertia: 1 },
};

function imported(name: keyof typeof CASES, run: string) {
  const file = `outputs/3.40/${name}/${run}`;
  const { parameters } = vehicleFromAvl({
    runs: [{ st: readAvlOutput(text(`${file}.st`), file), sb: readAvlOutput(text(`${file}.sb`), file) }],
    mass: readAvlMass(text(`geometry/${name}.mass`), name),
    CD0: CASES[name].CD0,
    stall: 1,
  });
  return readVehicle(plainSource({ model: "aircraft", parameters }, name), name);
}

/** Glide at AVL's speed, between the derivatives of its runs at 0 and 2 degrees. */
function glide(name: keyof typeof CASES) {
  const [low, high] = ["a0", "a2"].map((run) => {
    const vehicle = imported(name, run);
    const found = findTrim(vehicle, { speed: CASES[name].speed });
    expect(found.residual).toBeLessThan(1e-10);
    return { linear: linearize(vehicle, found.x, found.u), p: vehicle.parameters as AircraftParameters };
  });
  const part = CASES[name].alpha / 2;
  const A = low.linear.A.map((v, i) => (1 - part) * v + part * high.linear.A[i]);
  expect(low.linear.states.map((f) => f.name).join(" ")).toBe("u v w p q r roll pitch");
  return { linear: { ...low.linear, A }, p: low.p };
}

/**
 * What AVL has beside our equations: the air that moves with the wings (it prints its apparent mass and inertia), which slows every
 * acceleration but that by gravity; and the attitude of its mode analysis, level whatever the flight path.
 */
function asAvl({ linear, p }: ReturnType<typeof glide>, name: keyof typeof CASES): Float64Array {
  const lines = text(`outputs/3.40/${name}/mode_CL0.5.stdout`).split("\n");
  const at = lines.findIndex((line) => /Apparent mass/.test(line));
  const { mass, inertia } = CASES[name];
  const [my, mz] = [numbers(lines[at + 3])[0] * mass, numbers(lines[at + 4])[0] * mass];
  const rows = [6, 7, 8].map((k) => numbers(lines[at + k]));
  const [Ixx, Iyy, Izz, Ixz] = [rows[0][0], rows[1][0], rows[2][0], rows[0][2]].map((v) => v * inertia);
  const { A } = linear;
  const B = A.slice();
  for (let j = 0; j < 8; j++) {
    if (j < 6) B[8 + j] *= p.m / (p.m + my);
    if (j < 6) B[16 + j] *= p.m / (p.m + mz);
    B[32 + j] *= p.I.yy / (p.I.yy + Iyy);
    const L = p.I.xx * A[24 + j] + p.I.xz * A[40 + j];
    const N = p.I.xz * A[24 + j] + p.I.zz * A[40 + j];
    const [a, b, c] = [p.I.xx + Ixx, p.I.xz + Ixz, p.I.zz + Izz];
    B[24 + j] = (c * L - b * N) / (a * c - b * b);
    B[40 + j] = (a * N - b * L) / (a * c - b * b);
  }
  B[6 * 8 + 5] = 0;
  B[2 * 8 + 7] = 0;
  return B;
}

/** AVL's eigenvalues, one of each pair. */
function avlModes(name: keyof typeof CASES) {
  const rows = text(`outputs/3.40/${name}/mode_CL0.5.eig`)
    .split("\n")
    .filter((line) => /^\s+1\s/.test(line));
  return rows
    .map(numbers)
    .map(([re, im]) => ({ re, im }))
    .filter(({ im }) => im >= 0);
}

describeWithShared("modes of AVL's aircraft against AVL's own mode analysis", () => {
  const near = (name: keyof typeof CASES, A: Float64Array, linear: ReturnType<typeof glide>["linear"]) =>
    modesOf({ ...linear, A }, true).map((mode) => {
      const { re, im } = mode.eigenvalue;
      const theirs = avlModes(name).sort(
        (a, b) => Math.hypot(a.re - re, a.im - im) - Math.hypot(b.re - re, b.im - im),
      )[0];
      return { name: mode.name, re, im, theirs };
    });
  it.each(["plane", "supra"] as const)(
    "%s: all five within 2 %% once the air that AVL lets swing along is there",
    (name) => {
      const found = glide(name);
      const modes = near(name, asAvl(found, name), found.linear);
      expect(modes.map((m) => m.name)).toEqual(["roll", "short period", "Dutch roll", "phugoid", "spiral"]);
      expect(new Set(modes.map((m) => m.theirs)).size).toBe(5);
      for (const { re, im, theirs } of modes) {
        expect(Math.abs(re / theirs.re - 1)).toBeLessThan(0.02);
        if (theirs.im > 0) expect(Math.abs(im / theirs.im - 1)).toBeLessThan(0.02);
      }
    },
  );
  it.each(["plane", "supra"] as const)(
    "%s: without it, the slow oscillations keep their frequency within 1 %%",
    (name) => {
      const found = glide(name);
      const modes = near(name, found.linear.A, found.linear).filter((m) => /Dutch|phugoid/.test(m.name));
      expect(modes.length).toBe(2);
      for (const { im, theirs } of modes) expect(Math.abs(im / theirs.im - 1)).toBeLessThan(0.01);
    },
  );
  it("the system matrix itself, entry by entry where it is not rounding", () => {
    const found = glide("supra");
    const B = asAvl(found, "supra");
    const lines = text("outputs/3.40/supra/mode_CL0.5.sys")
      .split("\n")
      .filter((l) => /\|?\s*-?\d+\.\d{4}/.test(l));
    // Their order: u w q theta v p r phi.
    const order = [0, 2, 4, 7, 1, 3, 5, 6];
    for (let i = 0; i < 8; i++) {
      const row = numbers(lines[i]).slice(0, 8);
      const largest = Math.max(...row.map(Math.abs));
      for (let j = 0; j < 8; j++)
        expect(Math.abs(B[order[i] * 8 + order[j]] - row[j])).toBeLessThan(0.02 * largest);
    }
  });
});
