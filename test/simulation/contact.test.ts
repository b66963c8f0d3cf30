import { describe, expect, it } from "vitest";
import { preset } from "../../src/vehicle-types/index.ts";
import { aircraftOf, BALL, evaluate } from "../support/aircraft.ts";
import { simulate } from "../support/simulate.ts";

type Run = ReturnType<typeof simulate>;
const at = (s: Run, name: string) => s.sample()[s.channels.findIndex((c) => c.name === name)];
function flyTo(
  words: Record<string, unknown>,
  vehicle: ReturnType<typeof aircraftOf>,
  duration: number,
): Run {
  const s = simulate(words, vehicle);
  for (let n = 0; !s.finished && s.t < duration - 1e-9 && n < 1e6; n++) s.step(duration);
  return s;
}

/** One sphere around the centre of mass: an impact turns nothing. */
const ball = (restitution: number, more = {}) =>
  aircraftOf({
    ...BALL,
    contacts: [{ position: [0, 0, 0], radius: 0.1, restitution, friction: 0, rolling: 0, ...more }],
  });
/** Four wheels or skids under a box. */
const cart = (contact: Record<string, unknown>) =>
  aircraftOf({
    ...BALL,
    drag1: [1, 1, 1],
    each_contact: contact,
    contacts: [
      { position: [0.2, 0.2, 0.1] },
      { position: [0.2, -0.2, 0.1] },
      { position: [-0.2, 0.2, 0.1] },
      { position: [-0.2, -0.2, 0.1] },
    ],
  });

describe("contacts", () => {
  for (const restitution of [0.14, 0.3, 0.6, 0.9])
    it(`a wall returns the part ${restitution} of the speed`, () => {
      const s = flyTo(
        {
          integrator: "dopri5",
          boundaries: [{ kind: "wall", point: [1, 0, 0], normal: [-3, 0, 0] }],
          parameters: { g: 0 },
          initial: { v_north: 2, altitude: 5 },
        },
        ball(restitution),
        1,
      );
      expect(at(s, "v_north") / -2).toBeCloseTo(restitution, 3);
    });

  it("a spinning stick that hits with its end loses speed by the same rule, energy by no other", () => {
    // Impulse P at the end r of a free body: e = 1 returns all energy.
    const stick = aircraftOf({
      m: 1,
      g: 0,
      I: { xx: 0.001, yy: 0.02, zz: 0.02 },
      contacts: [{ position: [0.3, 0, 0], restitution: 1, friction: 0, rolling: 0, softness: 2e-4 }],
    });
    const s = flyTo({ integrator: "dopri5", initial: { altitude: 0.5, v_down: 2 } }, stick, 0.26);
    const energy = 0.5 * (at(s, "v_down") ** 2 + at(s, "v_north") ** 2) + 0.5 * 0.02 * at(s, "q") ** 2;
    expect(energy).toBeCloseTo(2, 4);
    // Rigid impact theory: P = 2 v / (1/m + r^2/I), q = -r P / I.
    const impulse = 4 / (1 + 0.09 / 0.02);
    expect(Math.abs(at(s, "q"))).toBeCloseTo((0.3 * impulse) / 0.02, 1);
  });

  it("a ceiling, a wall and a thin wall stop what flies at 15 m/s", () => {
    const vehicle = preset("iris");
    const fast = (words: Record<string, unknown>) => flyTo({ parameters: { g: 0 }, ...words }, vehicle, 2);
    const ceiling = fast({
      boundaries: [{ kind: "ceiling", altitude: 10 }],
      initial: { altitude: 5, v_down: -15 },
    });
    expect(at(ceiling, "altitude")).toBeLessThan(10);
    for (const size of [undefined, [4, 4]]) {
      const wall = fast({
        boundaries: [{ kind: "wall", point: [5, 0, -5], normal: [-1, 0, 0], size }],
        initial: { altitude: 5, v_north: 15 },
      });
      expect(at(wall, "north")).toBeLessThan(5);
      expect(at(wall, "v_north")).toBeLessThan(0);
    }
  });

  it("a thin wall ends at its edges, and faces from either side", () => {
    const words = (east: number, from: number) => ({
      boundaries: [{ kind: "wall", point: [5, 0, -5], normal: [-1, 0, 0], size: [4, 4] }],
      parameters: { g: 0 },
      initial: { altitude: 5, east, north: from, v_north: from < 5 ? 5 : -5 },
    });
    expect(at(flyTo(words(3, 0), ball(0.5), 2), "north")).toBeCloseTo(10, 6);
    expect(at(flyTo(words(0, 0), ball(0.5), 2), "north")).toBeLessThan(5);
    expect(at(flyTo(words(0, 10), ball(0.5), 2), "north")).toBeGreaterThan(5);
  });

  it("a parked vehicle stands still in a steady wind, for an hour", () => {
    const s = simulate({ wind: { steady: [0, 6, 0] }, control_dt: 1, initial: { altitude: 0.1 } }, cart({}));
    for (let n = 0; s.t < 60 && n < 1e6; n++) s.step();
    const place = ["north", "east", "down", "yaw"].map((n) => at(s, n));
    for (let n = 0; s.t < 3600 && n < 1e6; n++) s.step();
    ["north", "east", "down", "yaw"].forEach((n, i) => {
      expect(Math.abs(at(s, n) - place[i]), n).toBeLessThan(1e-9);
    });
    // The friction holds the drag of the wind, 6 N.
    const sideways = [1, 2, 3, 4].reduce((sum, k) => sum + at(s, `force_contact_${k}_y`), 0);
    expect(sideways / -6).toBeCloseTo(1, 2);
  });

  it("slides when the wind is stronger than its friction, with Coulomb's deceleration without wind", () => {
    const windy = flyTo(
      { wind: { steady: [0, 20, 0] }, initial: { altitude: 0.1 } },
      cart({ friction: 0.8 }),
      5,
    );
    expect(at(windy, "v_east")).toBeGreaterThan(1);
    const still = flyTo(
      { initial: { altitude: 0.0995, v_east: 3 }, parameters: { drag1: [0, 0, 0] } },
      cart({ friction: 0.5 }),
      0.3,
    );
    expect(at(still, "v_east")).toBeCloseTo(3 - 0.5 * 9.81 * 0.3, 1);
    expect(
      at(
        flyTo(
          { initial: { altitude: 0.0995, v_east: 3 }, parameters: { drag1: [0, 0, 0] } },
          cart({ friction: 0.5 }),
          3,
        ),
        "v_east",
      ),
    ).toBeCloseTo(0, 9);
  });

  it("wheels roll forward and hold sideways", () => {
    const wheels = cart({ rolling: 0.01, friction: 0.9 });
    const s = flyTo(
      { initial: { altitude: 0.0995, v_north: 3 }, parameters: { drag1: [0, 0, 0] } },
      wheels,
      2,
    );
    expect(at(s, "v_north")).toBeCloseTo(3 - 0.01 * 9.81 * 2, 1);
    const parked = flyTo({ wind: { steady: [0, 6, 0] }, initial: { altitude: 0.0995 } }, wheels, 10);
    expect(Math.abs(at(parked, "v_east"))).toBeLessThan(1e-9);
  });

  it("a start inside the ground is refused; without contacts the ground ends the flight", () => {
    expect(() => simulate({ initial: { altitude: 0 } }, preset("iris"))).toThrow(
      /its contact \d would start 0.0\d+ m inside a ground/,
    );
    const s = flyTo({ initial: { altitude: 4.905 } }, aircraftOf(BALL), 1.5);
    expect(s.events).toHaveLength(1);
    expect(s.events[0].name).toBe("impact");
    expect(s.events[0].t).toBeCloseTo(1, 8);
  });

  it("an accelerometer on the ground reads minus g on z", () => {
    const { altitude } = preset("iris").initial;
    const s = flyTo({ initial: { altitude } }, preset("iris"), 2);
    expect(at(s, "specific_force_z")).toBeCloseTo(-9.81, 6);
    expect(at(s, "specific_force_x")).toBeCloseTo(0, 6);
  });
});

describe("boundaries act on rotors", () => {
  const R = 0.1;
  const rotor = {
    position: [0, 0, 0],
    direction: "ccw",
    motorConstant: 1e-5,
    momentConstant: 0.02,
    maxRotVelocity: 1e4,
    radius: R,
  };
  const vehicle = (boundary: Record<string, unknown> = {}) =>
    aircraftOf({ ...BALL, drag1: [0.5, 0.5, 0.5], boundary, rotors: [rotor] });
  const T = 1e-5 * 1000 * 1000;
  const GROUND = { name: "ground", point: [0, 0, 0], normal: [0, 0, -1] } as const;
  const CEILING = { name: "ceiling", point: [0, 0, -2], normal: [0, 0, 1] } as const;
  const WALL = { name: "wall", point: [1, 0, 0], normal: [-1, 0, 0] } as const;
  const lift = (
    height: number,
    boundary = {},
    boundaries: Parameters<typeof evaluate>[3] = { boundaries: [GROUND] },
  ) =>
    -evaluate(vehicle(boundary), { q_w: 1, down: -height, rotor_1: 1000 }, {}, boundaries).y
      .force_boundary_1_z / T;

  it("over ground by the published ratio, tapered to nothing at five radii", () => {
    expect(lift(0)).toBeCloseTo(1, 12);
    expect(lift(0.2)).toBeCloseTo(3 ** -1.5, 12);
    expect(lift(0.4)).toBeCloseTo(5 ** -1.5, 12);
    expect(lift(0.45)).toBeCloseTo(0.5 * 5.5 ** -1.5, 12);
    expect(lift(0.5)).toBeCloseTo(0, 15);
    expect(lift(0.2, { exponent: 4 })).toBeCloseTo(3 ** -4, 12);
  });
  it("a ceiling pulls upward; the nearer of two boundaries acts", () => {
    expect(lift(1.9, {}, { boundaries: [CEILING] })).toBeCloseTo(2 ** -1.5, 12);
    expect(lift(0.2, {}, { boundaries: [CEILING, GROUND] })).toBeCloseTo(3 ** -1.5, 12);
  });
  it("Cheeseman and Bennett: 1/(1 - (R/4z)^2), for ground only", () => {
    const law = { law: "cheeseman-bennett" };
    expect(1 + lift(0.1, law)).toBeCloseTo(16 / 15, 12);
    expect(1 + lift(0.05, law)).toBeCloseTo(4 / 3, 12);
    expect(lift(1.9, law, { boundaries: [CEILING] })).toBeCloseTo(0, 15);
  });
  it("beside a wall the default does nothing in level flight, the full formula pulls down", () => {
    const beside = (law: string) =>
      evaluate(vehicle({ law }), { q_w: 1, north: 0.9, down: -5, rotor_1: 1000 }, {}, { boundaries: [WALL] })
        .y;
    expect(beside("normal").force_boundary_1_z).toBeCloseTo(0, 12);
    expect(beside("full").force_boundary_1_z / T).toBeCloseTo(2 ** -1.5, 12);
    expect(beside("off").force_boundary_1_z).toBe(0);
  });
  it("as a wind it pushes through the drag with the same force", () => {
    const { y } = evaluate(
      vehicle({ law: "wind" }),
      { q_w: 1, down: -0.2, rotor_1: 1000 },
      {},
      { boundaries: [GROUND] },
    );
    expect(-y.force_drag_z / T).toBeCloseTo(3 ** -1.5, 12);
    expect(() => aircraftOf({ ...BALL, boundary: { law: "wind" }, rotors: [rotor] })).toThrow(/drag1.z/);
  });
  it("a boundary with zero normal is none", () => {
    expect(lift(0, {}, { boundaries: [{ ...GROUND, normal: [0, 0, 0] }] })).toBeCloseTo(0, 15);
  });
});
