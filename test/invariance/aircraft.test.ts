import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromEuler } from "../../src/math/quaternion.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { aircraftOf, evaluate } from "../support/aircraft.ts";

const n = (size: number) => fc.double({ min: -size, max: size, noNaN: true });
const speed = fc.double({ min: 0, max: 1000, noNaN: true });
const anyMotion = fc.record({
  angles: fc.tuple(n(3), n(1.4), n(3)),
  v: fc.tuple(n(15), n(15), n(15)),
  w: fc.tuple(n(4), n(4), n(4)),
  rotors: fc.tuple(speed, speed, speed, speed),
  commands: fc.tuple(speed, speed, speed, speed),
  wind: fc.tuple(n(8), n(8), n(3)),
  /** Close enough to the ground for its effect. */
  down: fc.double({ min: -3, max: -0.3, noNaN: true }),
});
type Motion = typeof anyMotion extends fc.Arbitrary<infer T> ? T : never;

const GROUND = [{ name: "ground", point: [0, 0, 0], normal: [0, 0, -1] }] as const;

function statesOf({ angles, v, w, rotors, down }: Motion): Record<string, number> {
  const q = new Float64Array(4);
  fromEuler(angles[0], angles[1], angles[2], q);
  return {
    down,
    v_north: v[0],
    v_east: v[1],
    v_down: v[2],
    q_w: q[0],
    q_x: q[1],
    q_y: q[2],
    q_z: q[3],
    p: w[0],
    q: w[1],
    r: w[2],
    ...Object.fromEntries(rotors.map((s, k) => [`rotor_${k + 1}`, s])),
  };
}
const commandsOf = (c: readonly number[]) => Object.fromEntries(c.map((s, k) => [`rotor_${k + 1}_cmd`, s]));
const close = (a: number, b: number, what: string) =>
  expect(Math.abs(a - b), `${what}: ${a} and ${b}`).toBeLessThan(1e-9 * (1 + Math.abs(a) + Math.abs(b)));

for (const name of ["iris", "x500"])
  describe(`invariances of ${name}`, () => {
    const vehicle = preset(name);
    const fly = (m: Motion) =>
      evaluate(vehicle, statesOf(m), commandsOf(m.commands), { wind: m.wind, boundaries: GROUND });

    it("a steady wind is only a moving frame", () => {
      fc.assert(
        fc.property(anyMotion, fc.tuple(n(10), n(10), n(10)), (m, shift) => {
          // In the air: on the ground, friction knows the frame.
          const high = { ...m, down: -50 };
          const moved = {
            ...high,
            v: high.v.map((c, i) => c + shift[i]) as [number, number, number],
            wind: high.wind.map((c, i) => c + shift[i]) as [number, number, number],
          };
          const a = fly(high).dx;
          const b = fly(moved).dx;
          for (const state of ["v_north", "v_east", "v_down", "p", "q", "r"])
            close(a[state], b[state], state);
        }),
      );
    });

    it("the mirrored vehicle flies the mirrored flight", () => {
      // Left and right rotors change places: 1 with 3, 2 with 4; their turning directions are each other's mirror images.
      const swap = ([a, b, c, d]: readonly number[]) => [c, d, a, b] as [number, number, number, number];
      fc.assert(
        fc.property(anyMotion, (m) => {
          const mirrored: Motion = {
            ...m,
            angles: [-m.angles[0], m.angles[1], -m.angles[2]],
            v: [m.v[0], -m.v[1], m.v[2]],
            w: [-m.w[0], m.w[1], -m.w[2]],
            wind: [m.wind[0], -m.wind[1], m.wind[2]],
            rotors: swap(m.rotors),
            commands: swap(m.commands),
          };
          const a = fly(m);
          const b = fly(mirrored);
          for (const [state, sign] of [
            ["v_north", 1],
            ["v_east", -1],
            ["v_down", 1],
            ["p", -1],
            ["q", 1],
            ["r", -1],
          ] as const)
            close(a.dx[state], sign * b.dx[state], state);
          close(a.dx.rotor_1, b.dx.rotor_3, "rotor");
        }),
      );
    });

    it("north is nothing special", () => {
      fc.assert(
        fc.property(anyMotion, n(3), (m, turn) => {
          const spin = ([a, b, c]: readonly number[]): [number, number, number] => [
            Math.cos(turn) * a - Math.sin(turn) * b,
            Math.sin(turn) * a + Math.cos(turn) * b,
            c,
          ];
          const turned = {
            ...m,
            angles: [m.angles[0], m.angles[1], m.angles[2] + turn] as [number, number, number],
          };
          const a = fly(m).dx;
          const b = fly({ ...turned, v: spin(m.v), wind: spin(m.wind) }).dx;
          const expected = spin([a.v_north, a.v_east, a.v_down]);
          ["v_north", "v_east", "v_down"].forEach((state, i) => {
            close(b[state], expected[i], state);
          });
          for (const state of ["p", "q", "r"]) close(a[state], b[state], state);
        }),
      );
    });
  });

it("the order of rotors does not matter", () => {
  const rotor = (x: number, y: number, direction: string, k: number) => ({
    position: [x, y, -0.05],
    axis: [0.05 * k, -0.03, -1],
    direction,
    motorConstant: 1e-5 * k,
    momentConstant: 0.02,
    rotorDragCoefficient: 1e-4,
    rollingMomentCoefficient: 1e-6,
    maxRotVelocity: 1000,
    inertia: 1e-4 * k,
    radius: 0.1,
  });
  const list = [
    rotor(0.2, 0.1, "ccw", 1),
    rotor(-0.2, 0.2, "cw", 2),
    rotor(0.1, -0.3, "ccw", 3),
    rotor(-0.1, -0.1, "cw", 4),
  ];
  const order = [2, 0, 3, 1];
  const body = { m: 1.5, I: { xx: 0.03, yy: 0.03, zz: 0.05 } };
  const straight = aircraftOf({ ...body, rotors: list });
  const shuffled = aircraftOf({ ...body, rotors: order.map((k) => list[k]) });
  fc.assert(
    fc.property(anyMotion, (m) => {
      const reordered = (values: readonly number[]) =>
        order.map((k) => values[k]) as [number, number, number, number];
      const around = { wind: m.wind, boundaries: GROUND };
      const a = evaluate(straight, statesOf(m), commandsOf(m.commands), around).dx;
      const other = { ...m, rotors: reordered(m.rotors), commands: reordered(m.commands) };
      const b = evaluate(shuffled, statesOf(other), commandsOf(other.commands), around).dx;
      for (const state of ["v_north", "v_east", "v_down", "p", "q", "r"]) close(a[state], b[state], state);
      order.forEach((k, place) => {
        close(a[`rotor_${k + 1}`], b[`rotor_${place + 1}`], "rotor");
      });
    }),
  );
});
