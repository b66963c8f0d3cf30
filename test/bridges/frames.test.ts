/** Frames of ROS against rotation matrices, in all 24 attitudes along the axes and in any other. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromEuler } from "../../src/math/quaternion.ts";
import { aboutUp, enuOfFlu, enuOfFrd, enuOfNed, fluOfFrd, type Xyzw } from "../../src/topics/frames.ts";

type Matrix = number[][];
const matrix = ({ w, x, y, z }: Xyzw): Matrix => [
  [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
  [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
  [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
];
const times = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0].map((_, j) => row.reduce((s, v, k) => s + v * b[k][j], 0)));
/** Written down by hand: east is the second of north-east-down, north the first, up the opposite of down. */
const ENU_NED = [
  [0, 1, 0],
  [1, 0, 0],
  [0, 0, -1],
];
const FRD_FLU = [
  [1, 0, 0],
  [0, -1, 0],
  [0, 0, -1],
];
function close(a: Matrix, b: Matrix): void {
  a.forEach((row, i) => {
    row.forEach((v, j) => {
      expect(v).toBeCloseTo(b[i][j], 12);
    });
  });
}
function attitude(roll: number, pitch: number, yaw: number): [number, number, number, number] {
  const q = new Float64Array(4);
  fromEuler(roll, pitch, yaw, q);
  return [q[0], q[1], q[2], q[3]];
}
const named = ([w, x, y, z]: [number, number, number, number]): Xyzw => ({ w, x, y, z });

describe("frames", () => {
  it("in the 24 attitudes along the axes", () => {
    const seen = new Set<string>();
    const right = Math.PI / 2;
    for (const roll of [0, 1, 2, 3])
      for (const pitch of [-1, 0, 1])
        for (const yaw of [0, 1, 2, 3]) {
          const q = attitude(roll * right, pitch * right, yaw * right);
          const inNed = matrix(named(q));
          seen.add(JSON.stringify(inNed.map((r) => r.map((v) => Math.round(v) + 0))));
          close(matrix(enuOfFrd(...q)), times(ENU_NED, inNed));
          close(matrix(enuOfFlu(...q)), times(times(ENU_NED, inNed), FRD_FLU));
        }
    expect(seen.size).toBe(24);
  });

  it("in any attitude", () => {
    const angle = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(angle, angle, angle, (r, p, y) => {
        const q = attitude(r, p, y);
        close(matrix(enuOfFlu(...q)), times(times(ENU_NED, matrix(named(q))), FRD_FLU));
      }),
    );
  });

  it("heading east, level: forward is east, left is north, up is up", () => {
    const m = matrix(enuOfFlu(...attitude(0, 0, Math.PI / 2)));
    close(m, [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(enuOfNed(1, 2, 3)).toEqual({ x: 2, y: 1, z: -3 });
    expect(fluOfFrd(1, 2, 3)).toEqual({ x: 1, y: -2, z: -3 });
    const quarter = matrix(aboutUp(Math.PI / 2));
    expect(quarter[1][0]).toBeCloseTo(1, 12); // x turns to y: counter-clockwise
  });
});
