import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainSource } from "../../src/model/document.ts";
import { parseYaml } from "../../src/model/yaml.ts";
import { createSimulation } from "../../src/simulation/create.ts";
import { Recorder } from "../../src/simulation/recorder.ts";
import { run } from "../../src/simulation/run.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { airplane } from "../../src/vehicle-types/aircraft/fixed-wing/loops.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import type { AircraftParameters } from "../../src/vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";
import { aircraftOf } from "../support/aircraft.ts";

const FIELDS = [
  "north",
  "east",
  "altitude",
  "airspeed",
  "roll",
  "pitch",
  "yaw",
  "v_down",
  "v_north",
  "v_east",
];
type Sample = Record<string, number>;

/** Flies a scenario and gives its samples by name. */
function fly(words: Record<string, unknown>, vehicle: Vehicle, more: readonly string[] = []): Sample[] {
  const open = (path: string) => ({ text: readFileSync(join("examples", path), "utf8"), file: path });
  const scenario = readScenario(plainSource(words, "test"), vehicle, open);
  const fields = [...FIELDS, ...more];
  const recorder = new Recorder(fields);
  run(createSimulation(scenario), scenario.duration, [recorder]);
  const columns = fields.map((f) => recorder.column(f));
  return Array.from(recorder.column("t"), (t, i) => ({
    t,
    ...Object.fromEntries(fields.map((f, k) => [f, columns[k][i]])),
  }));
}
const example = (name: string, more: readonly string[] = []) => {
  const words = parseYaml(readFileSync(join("examples", `${name}.yaml`), "utf8"), name).value as {
    vehicle: string;
  };
  return fly(words as never, preset(words.vehicle), more);
};
const between = (samples: readonly Sample[], from: number, to: number) =>
  samples.filter((s) => s.t >= from && s.t <= to);

describe("advanced-plane settles in level flight", () => {
  for (const airspeed of [12, 15, 20])
    it(`at ${airspeed} m/s: height within 5 cm, airspeed within 0.05 m/s, no bank, no sideslip, no turn`, () => {
      const samples = fly(
        {
          vehicle: "advanced-plane",
          duration: 60,
          initial: { altitude: 100, v_north: airspeed + 2, pitch: 0.1, roll: 0.3 },
          pilot: [{ t: 0, hold: { altitude: 100, yaw: 0 }, airspeed }],
        },
        preset("advanced-plane"),
        ["beta_1", "force_z", "force_x"],
      );
      for (const s of between(samples, 50, 60)) {
        expect(Math.abs(s.altitude - 100)).toBeLessThan(0.05);
        expect(Math.abs(s.airspeed - airspeed)).toBeLessThan(0.05);
        expect(Math.abs(s.roll)).toBeLessThan(0.01);
        expect(Math.abs(s.beta_1)).toBeLessThan(0.01);
        // Newton: in steady level flight the air carries the weight.
        expect(Math.sqrt(s.force_z * s.force_z + s.force_x * s.force_x)).toBeCloseTo(9.81, 1);
      }
    });
});

describe("circuits", () => {
  const parked: Record<string, number> = { "advanced-plane-circuit": 0.1245, "rc-cessna-circuit": 0.1385 };
  for (const name of Object.keys(parked))
    it(`${name}: rolls, takes off, flies its corners, lands softly near the point and stands`, () => {
      const samples = example(name);
      for (const s of between(samples, 0, 0.9))
        expect(Math.abs(s.altitude - parked[name])).toBeLessThan(0.03);
      const rotated = samples.find((s) => s.altitude > 3) as Sample;
      expect(rotated.t).toBeLessThan(15);
      // Corners are cut by the turn, no further than its radius.
      for (const [n, e] of [
        [400, 0],
        [400, 200],
        [-200, 200],
      ]) {
        const near = Math.min(
          ...between(samples, 20, 100).map((s) => Math.sqrt((s.north - n) ** 2 + (s.east - e) ** 2)),
        );
        expect(near, `corner ${n} ${e}`).toBeLessThan(30);
      }
      const landing = samples.filter((s) => s.t > 110);
      const touch = landing.findIndex((s) => s.altitude < parked[name] + 0.03);
      expect(landing[touch - 3].v_down).toBeLessThan(0.8);
      const last = samples.at(-1) as Sample;
      expect(last.airspeed).toBeLessThan(0.05);
      expect(Math.abs(last.east)).toBeLessThan(3);
      expect(Math.abs(last.north)).toBeLessThan(80);
      expect(Math.abs(last.roll) + Math.abs(last.pitch)).toBeLessThan(0.1);
    });
});

describe("loiter", () => {
  it.each([
    ["right", 1],
    ["left", -1],
  ])("turns %s around its centre at its radius, also in wind", (turn, sense) => {
    const samples = fly(
      {
        vehicle: "advanced-plane",
        duration: 120,
        wind: { steady: [0, 4, 0] },
        initial: { altitude: 100, v_north: 15 },
        pilot: [{ t: 0, loiter: { north: 200, east: 50, radius: 80, altitude: 110, turn }, airspeed: 15 }],
      },
      preset("advanced-plane"),
    );
    let swept = 0;
    const late = between(samples, 60, 120);
    late.forEach((s, i) => {
      const [n, e] = [s.north - 200, s.east - 50];
      expect(Math.abs(Math.sqrt(n * n + e * e) - 80), `at ${s.t} s`).toBeLessThan(12);
      expect(Math.abs(s.altitude - 110)).toBeLessThan(1.5);
      if (i > 0) {
        const [a, b] = [late[i - 1].north - 200, late[i - 1].east - 50];
        swept += Math.atan2(a * e - b * n, a * n + b * e);
      }
    });
    // Clockwise from above is north to east.
    expect(sense * swept).toBeGreaterThan(2 * Math.PI);
  });
});

describe("the VTOL", () => {
  it("hovers, changes over without losing 3 m, cruises with its lifters still, comes back and lands", () => {
    const samples = example("standard-vtol-transition", ["rotor_1", "rotor_5"]);
    for (const s of between(samples, 17, 20)) expect(Math.abs(s.altitude - 20)).toBeLessThan(0.2);
    for (const s of between(samples, 20, 40)) expect(Math.abs(s.altitude - 20)).toBeLessThan(3);
    for (const s of between(samples, 35, 40)) {
      expect(s.rotor_1).toBeLessThan(1);
      expect(Math.abs(s.airspeed - 16)).toBeLessThan(0.5);
    }
    for (const s of between(samples, 60, 75))
      expect(Math.abs(Math.sqrt((s.north - 300) ** 2 + (s.east - 100) ** 2) - 80)).toBeLessThan(5);
    for (const s of between(samples, 97, 100)) {
      expect(s.airspeed).toBeLessThan(0.1);
      expect(s.rotor_5).toBe(0);
    }
    const last = samples.at(-1) as Sample;
    expect(last.altitude).toBeCloseTo(0.0935, 2);
    expect(last.airspeed).toBeLessThan(0.01);
  });
});

describe("by hand", () => {
  it("the flying wing answers its sticks through joystick and mixer: right is right, up is up", () => {
    const samples = example("zephyr-by-hand", ["servo_1", "servo_2"]);
    for (const s of between(samples, 1, 15)) {
      expect(Math.abs(s.roll)).toBeLessThan(0.02);
      expect(s.servo_1).toBeCloseTo(s.servo_2, 6);
      expect(Math.abs(s.altitude - 100)).toBeLessThan(5);
    }
    const [before] = between(samples, 15, 15.1);
    const [after] = between(samples, 16.5, 16.6);
    expect(after.servo_2).toBeGreaterThan(after.servo_1);
    expect(after.roll - before.roll).toBeGreaterThan(0.2);
    const [later] = between(samples, 20, 20.1);
    expect(later.yaw - before.yaw).toBeGreaterThan(0.3);
  });
});

describe("a glider without any motor", () => {
  it("holds its airspeed by its nose", () => {
    const { rotors: _, ...motorless } = words(preset("advanced-plane"));
    const samples = fly(
      {
        vehicle: "glider",
        duration: 60,
        initial: { altitude: 300, v_north: 12 },
        pilot: [{ t: 0, hold: { yaw: 0 }, airspeed: 11 }],
      },
      aircraftOf(motorless),
    );
    for (const s of between(samples, 40, 60)) expect(Math.abs(s.airspeed - 11)).toBeLessThan(0.4);
    const [a] = between(samples, 40, 40.01);
    const [b] = between(samples, 59, 59.01);
    const glide = (b.north - a.north) / (a.altitude - b.altitude);
    // Its polar's L/D at that speed: CL 0.4, between 10 and 13.5.
    expect(glide).toBeGreaterThan(9);
    expect(glide).toBeLessThan(13.5);
  });
});

describe("energy", () => {
  it("descends no faster than a third above the wanted airspeed, and does not go through its height", () => {
    for (const vehicle of ["zephyr", "advanced-plane", "rc-cessna"]) {
      const samples = fly(
        {
          vehicle,
          duration: 90,
          control_dt: 0.01,
          initial: { altitude: 60, v_north: 14 },
          pilot: [{ t: 0, hold: { altitude: 20, yaw: 0 }, airspeed: 14 }],
        },
        preset(vehicle),
      );
      for (const s of samples) {
        expect(s.airspeed, `${vehicle} at ${s.t} s`).toBeLessThan(14 * (4 / 3));
        expect(s.altitude).toBeGreaterThan(18.5);
      }
    }
  });
  it("without its motor it becomes a glider: it keeps its airspeed and lands straight ahead", () => {
    const samples = fly(
      {
        vehicle: "advanced-plane",
        duration: 150,
        initial: { altitude: 60, v_north: 14 },
        faults: [{ t: 20, rotor_1: 0 }],
        pilot: [
          { t: 0, hold: { altitude: 60, yaw: 0 }, airspeed: 14 },
          { t: 40, land: true },
        ],
      },
      preset("advanced-plane"),
    );
    for (const s of between(samples, 22, 40)) expect(Math.abs(s.airspeed - 14)).toBeLessThan(0.6);
    const last = samples.at(-1) as Sample;
    expect(last.altitude).toBeCloseTo(0.1245, 2);
    expect(Math.abs(last.roll)).toBeLessThan(0.05);
    expect(Math.max(...between(samples, 40, 150).map((s) => s.v_down))).toBeLessThan(2);
  });
  it("lands on a point from any side, by way of a gate, also in wind", () => {
    for (const yaw of [0.5, 2.5, -1.5]) {
      const samples = fly(
        {
          vehicle: "advanced-plane",
          duration: 240,
          wind: { steady: [0, 2, 0] },
          initial: { altitude: 40, v_north: 12 },
          pilot: [{ t: 0, land: { north: 300, east: 50, yaw } }],
        },
        preset("advanced-plane"),
      );
      const last = samples.at(-1) as Sample;
      expect(last.altitude, `yaw ${yaw}`).toBeCloseTo(0.1245, 2);
      expect(Math.sqrt((last.north - 300) ** 2 + (last.east - 50) ** 2), `yaw ${yaw}`).toBeLessThan(90);
      expect(Math.abs(last.roll) + Math.abs(last.pitch)).toBeLessThan(0.1);
    }
  });
});

describe("by sensors alone", () => {
  it("cruises and circles in light turbulence: height within 3 m, airspeed within 3 m/s", () => {
    const samples = example("advanced-plane-sensors");
    for (const s of between(samples, 10, 40)) {
      expect(Math.abs(s.altitude - 100), `at ${s.t} s`).toBeLessThan(3);
      expect(Math.abs(s.airspeed - 14), `at ${s.t} s`).toBeLessThan(3);
    }
    const late = between(samples, 60, 90);
    const north = late.reduce((sum, s) => sum + s.north, 0) / late.length;
    for (const s of late) expect(Math.abs(s.altitude - 110)).toBeLessThan(3);
    expect(Math.abs(north - 555)).toBeLessThan(60);
  });
  it("needs an airspeed sensor", () => {
    const sensors = { position: {}, velocity: {}, accelerometer: {}, gyro: {}, magnetometer: {} };
    const words = {
      vehicle: "advanced-plane",
      duration: 1,
      navigation: "sensors",
      sensors,
      pilot: [{ t: 0, hold: true }],
    };
    expect(() =>
      createSimulation(readScenario(plainSource(words, "test"), preset("advanced-plane"))),
    ).toThrow(/needs an airspeed sensor; allowed: airspeed: \{\} among the sensors/);
  });
});

describe("what cannot be flown is refused in a sentence", () => {
  const refusal = (pilot: unknown[], vehicle = preset("advanced-plane")) => {
    const text = { vehicle: vehicle.name, duration: 1, initial: { altitude: 100, v_north: 15 }, pilot };
    try {
      createSimulation(readScenario(plainSource(text, "test"), vehicle));
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  it.each([
    ["too slow", [{ t: 0, hold: true, airspeed: 5 }], /5 m\/s is too slow: it stalls at \d/],
    [
      "too fast",
      [{ t: 0, hold: true, airspeed: 60 }],
      /cannot fly level at 60 m\/s: its pushers make at most/,
    ],
    [
      "hover commands",
      [{ t: 0, velocity: { north: 1 } }],
      /velocity is not a command for an aeroplane; allowed: hold/,
    ],
    ["two things", [{ t: 0, hold: true, land: true }], /has two commands: /],
  ])("%s", (_, pilot, expected) => {
    expect(refusal(pilot)).toMatch(expected);
  });
  it("a multirotor has no airspeed to hold and cannot loiter", () => {
    expect(refusal([{ t: 0, hold: true, airspeed: 10 }], preset("iris"))).toMatch(
      /airspeed applies to flight on wings/,
    );
    expect(refusal([{ t: 0, loiter: { radius: 10 } }], preset("iris"))).toMatch(
      /loiter is not a command for a multirotor/,
    );
  });
  it("surfaces that cannot roll it", () => {
    const wing = { position: [0, 0, 0], area: 1, AR: 6, CLa: 5, alpha_stall: 0.3, Cema: -1 };
    const stub = aircraftOf({
      m: 2,
      I: { xx: 0.1, yy: 0.1, zz: 0.15 },
      surfaces: [{ ...wing, controls: [{ servo: 1, Cem_ctrl: -0.02 }] }],
      servos: [{}],
    });
    expect(() => airplane(stub.model, stub.parameters as AircraftParameters, 0.02)).toThrow(
      /no servo controls roll/,
    );
  });
});

/** A preset's file as words. */
function words({ name }: Vehicle): Record<string, unknown> {
  const text = readFileSync(`src/vehicles/aircraft/presets/${name}.yaml`, "utf8");
  return (parseYaml(text, name).value as { parameters: Record<string, unknown> }).parameters;
}
