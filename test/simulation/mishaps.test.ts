/** What happens to a flight is told: impacts with their speed, tip-overs, faults; and what a vehicle does when nobody says anything. */
import { describe, expect, it } from "vitest";
import { defaultFlight } from "../../src/analysis/default-flight.ts";
import { preset, presetNames } from "../../src/vehicle-types/index.ts";
import { aircraftOf } from "../support/aircraft.ts";
import { simulate } from "../support/simulate.ts";

const feet = [0.2, -0.2].flatMap((x) => [0.2, -0.2].map((y) => ({ position: [x, y, 0.1], radius: 0.02 })));
const rotor = (x: number, y: number, direction: string) => ({
  position: [x, y, -0.05],
  direction,
  motorConstant: 1e-5,
  momentConstant: 0.02,
  maxRotVelocity: 900,
});
/** A box on feet with four rotors, no preset. */
const box = aircraftOf({
  m: 1.2,
  I: { xx: 0.02, yy: 0.02, zz: 0.03 },
  rotors: [rotor(0.2, 0.2, "ccw"), rotor(-0.2, -0.2, "ccw"), rotor(0.2, -0.2, "cw"), rotor(-0.2, 0.2, "cw")],
  contacts: feet,
});
const fall = (words: Record<string, unknown>, seconds: number, vehicle = box) => {
  const s = simulate({ control_dt: 0.01, dt: 0.001, ...words }, vehicle);
  for (let k = 0; k < seconds / 0.01; k++) s.step();
  return s;
};

describe("events of an aircraft on contacts", () => {
  it("a fall from a height hits with sqrt(2 g h), at sqrt(2 h/g)", () => {
    const h = 5;
    const s = fall({ initial: { altitude: h + 0.12 } }, 3);
    const [impact] = s.events.filter((e) => e.name === "impact");
    expect(impact.value).toBeCloseTo(Math.sqrt(2 * 9.81 * h), 0);
    expect(Math.abs((impact.value as number) - Math.sqrt(2 * 9.81 * h))).toBeLessThan(0.1);
    expect(impact.t).toBeCloseTo(Math.sqrt((2 * h) / 9.81), 2);
  });
  it("set down softly it touches down; standing from the beginning nothing happens", () => {
    const soft = fall({ initial: { altitude: 0.13 } }, 1);
    expect(soft.events.map((e) => e.name)).toEqual([]);
    const slow = fall(
      {
        initial: { altitude: 0.4, v_down: 0 },
        inputs: [{ t: 0, rotor_1_cmd: 537, rotor_2_cmd: 537, rotor_3_cmd: 537, rotor_4_cmd: 537 }],
      },
      2,
    );
    expect(slow.events.map((e) => e.name)).toEqual(["touchdown"]);
    expect(slow.events[0].value).toBeLessThan(1);
    expect(fall({ initial: { altitude: 0.12 } }, 1).events).toEqual([]);
  });
  it("on its back it has tipped over, by 180 degrees, once", () => {
    const s = fall({ initial: { altitude: 1, roll: "180 deg" } }, 4);
    const tips = s.events.filter((e) => e.name === "tip_over");
    expect(tips).toHaveLength(1);
    expect(tips[0].value).toBeGreaterThan(2.5);
  });
  it("a wall that is flown into is hit with the speed along its normal", () => {
    const s = fall(
      {
        initial: { altitude: 50, v_north: 6 },
        boundaries: [
          { kind: "ground", down: 0 },
          { kind: "wall", point: [4, 0, -50], normal: [-1, 0, 0], size: [40, 100] },
        ],
      },
      1,
    );
    expect(s.events[0].name).toBe("impact");
    expect(s.events[0].value).toBeCloseTo(6, 6);
    // From the front feet, 0.2 + 0.02 m ahead of the centre of mass.
    expect(s.events[0].t).toBeCloseTo((4 - 0.22) / 6, 3);
  });
  it("a platform is hit from above and from below, and not when one flies under it", () => {
    const platform = { kind: "wall", point: [0, 0, -3], normal: [0, 0, -1], size: [4, 4] };
    const at = (
      initial: Record<string, unknown>,
      boundaries: unknown[] = [{ kind: "ground", down: 0 }, platform],
    ) => fall({ initial, boundaries }, 0.8).events;
    expect(at({ altitude: 1.5, north: -3, v_north: 6, v_down: -4 }).map((e) => e.name)).not.toContain(
      "touchdown",
    );
    const [above] = at({ altitude: 4 });
    expect(above).toMatchObject({
      name: "impact",
      value: expect.closeTo(Math.sqrt(2 * 9.81 * (1 - 0.12)), 0),
    });
    const [below] = at({ altitude: 2, v_down: -6 });
    expect(below.name).toBe("impact");
    // Over its edge: whatever is told has a time.
    for (const { t } of at({ altitude: 2.95, north: -3, v_north: 8 }, [platform]))
      expect(Number.isFinite(t)).toBe(true);
  });
  it("a wall is hit though the feet touch the ground", () => {
    const words = {
      initial: { altitude: 0.12, v_north: 5 },
      boundaries: [
        { kind: "ground", down: 0 },
        { kind: "wall", point: [1.2, 0, 0], normal: [-1, 0, 0] },
      ],
    };
    expect(fall(words, 1).events.filter((e) => e.name === "impact")).toHaveLength(1);
  });
  it("without contacts the flight ends, and says how fast", () => {
    const ball = aircraftOf({ m: 1, I: { xx: 1, yy: 1, zz: 1 } });
    const s = fall({ initial: { altitude: 5 } }, 2, ball);
    expect(s.events).toHaveLength(1);
    expect(s.events[0]).toMatchObject({ name: "impact", value: expect.closeTo(Math.sqrt(2 * 9.81 * 5), 6) });
  });
  it("survive a snapshot, values and all", () => {
    const a = fall({ initial: { altitude: 5.12 } }, 2);
    const b = simulate({ control_dt: 0.01, dt: 0.001, initial: { altitude: 5.12 } }, box);
    b.restore(a.snapshot());
    expect(b.events).toEqual(a.events);
  });
});

describe("faults", () => {
  const hover = [1, 2, 3, 4].map((k) => [`rotor_${k}_cmd`, Math.sqrt((1.2 * 9.81) / 4e-5)] as const);
  const flying = (fault: unknown) =>
    fall(
      {
        initial: { altitude: 100, ...Object.fromEntries(hover.map(([k, v]) => [k.replace("_cmd", ""), v])) },
        inputs: [{ t: 0, ...Object.fromEntries(hover) }],
        faults: [
          { t: 0.5, rotor_2: fault },
          { t: 1, rotor_2: 1 },
        ],
      },
      1.2,
    );
  it("begin and end with a word each; lost blades leave the motor turning, a stopped motor stands", () => {
    const lost = flying(0);
    expect(lost.events.map((e) => [e.name, Number(e.t.toFixed(3))])).toEqual([
      ["fault: rotor_2 produces no loads, its motor keeps turning", 0.5],
      ["recovered: rotor_2", 1],
    ]);
    const at = (fault: unknown) => {
      const s = simulate(
        {
          control_dt: 0.01,
          dt: 0.001,
          initial: { altitude: 100, rotor_2: 500 },
          inputs: [{ t: 0, rotor_2_cmd: 500 }],
          faults: [{ t: 0, rotor_2: fault }],
        },
        box,
      );
      for (let k = 0; k < 30; k++) s.step();
      return s.x[14];
    };
    expect(at(0)).toBeCloseTo(500, 6);
    // Down with the lag of slowing down, 25 ms: e^-12 after 0.3 s.
    expect(at("stopped")).toBeLessThan(500 * Math.exp(-11));
  });
});

describe("without a scenario", () => {
  it.each(presetNames())("%s does what it is for, and says what was assumed", (name) => {
    const vehicle = preset(name);
    const { scenario: words, note } = defaultFlight(vehicle);
    expect(note.length).toBeGreaterThan(10);
    const s = simulate(words as Record<string, unknown>, vehicle);
    const start = s.x.slice();
    let farthest = 0;
    const duration = Number(words.duration ?? 60);
    for (let n = 0; s.t < duration && !s.finished && n < 1e6; n++) {
      s.step();
      farthest = Math.max(farthest, Math.hypot(s.x[0] - start[0], s.x[1] - start[1]));
    }
    expect(farthest).toBeGreaterThan(9);
    expect(s.events.filter((e) => e.name === "impact" || e.name === "tip_over")).toEqual([]);
  });
});
