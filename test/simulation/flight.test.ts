/** Flights by hand: every vehicle can be flown, goes where the keys say, can be rewound, and the same deeds fly the same bits. */
import { describe, expect, it } from "vitest";
import { firstFlight } from "../../src/analysis/default-flight.ts";
import { stream } from "../../src/math/random.ts";
import { plainSource } from "../../src/model/document.ts";
import { InputError } from "../../src/model/input-error.ts";
import { indexOf } from "../../src/model/model.ts";
import { parseYaml } from "../../src/model/yaml.ts";
import { createSimulation } from "../../src/simulation/create.ts";
import type { Action, FlightLog } from "../../src/simulation/flight/action.ts";
import { Flight } from "../../src/simulation/flight/flight.ts";
import { readFlightLog } from "../../src/simulation/flight/flight-log.ts";
import { parseFlightLog, writeFlightLog } from "../../src/simulation/flight/flight-log-text.ts";
import { Recorder } from "../../src/simulation/recorder.ts";
import { run } from "../../src/simulation/run.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { preset, presetNames } from "../../src/vehicle-types/index.ts";

const begin = (name: string) => {
  const vehicle = preset(name);
  return new Flight({ vehicle, vehicleRef: name, scenario: firstFlight(vehicle), byHand: true });
};
const fly = (flight: Flight, seconds: number) => {
  for (let k = 0; k < seconds / flight.scenario.controlDt - 0.5; k++) if (!flight.step()) return;
};
const channel = ({ simulation }: Flight, name: string) =>
  simulation.sample()[indexOf(simulation.channels, name)];
/** A key held for a while, then let go. */
const press = (flight: Flight, key: string, seconds: number) => {
  const action = flight.manual.actions.find((a) => a.keys.includes(key));
  if (action === undefined) throw new Error(`no key ${key}`);
  const place = (name: string) => flight.manual.sticks.findIndex((s) => s.name === name);
  for (const [name, v] of Object.entries(action.puts ?? {})) flight.moveStick(place(name), "put", v);
  for (const [name, v] of Object.entries(action.pushes ?? {})) flight.moveStick(place(name), "push", v);
  fly(flight, seconds);
  for (const name of Object.keys(action.pushes ?? {})) flight.moveStick(place(name), "push", 0);
};
const copyOf = (log: FlightLog): FlightLog => JSON.parse(JSON.stringify(log));

describe.each(presetNames())("%s by hand", (name) => {
  const { model } = preset(name);
  const isFlying = indexOf(model.outputs, "altitude") >= 0;
  const glides = name === "parafoil";

  it("flies on by itself: hands off it keeps height and heading, or glides straight", () => {
    const flight = begin(name);
    const height = isFlying ? channel(flight, "altitude") : 0;
    fly(flight, 20);
    expect(flight.isOver).toBe(false);
    expect(flight.simulation.t).toBeCloseTo(20, 6);
    if (!isFlying) return;
    expect(Math.abs(channel(flight, "roll"))).toBeLessThan(0.05);
    expect(Math.abs(channel(flight, "yaw"))).toBeLessThan(0.15);
    if (!glides) expect(Math.abs(channel(flight, "altitude") - height)).toBeLessThan(2);
  });

  it("goes back to any moment, and on from there to the same bits", () => {
    const flight = begin(name);
    fly(flight, 1);
    press(flight, flight.manual.actions[0].keys[0], 0.7);
    fly(flight, 1.3);
    const end = flight.log();
    const middle = Math.floor(end.ticks / 2);
    flight.seek(middle);
    expect(flight.tick).toBe(middle);
    expect(flight.end).toBe(end.ticks);
    flight.seek(end.ticks);
    expect(flight.log()).toEqual(end);
    const other = begin(name);
    for (const _ of other.replay(copyOf(end)));
    expect(other.log().hash).toBe(end.hash);
  });
});

describe("keys mean what they say", () => {
  it.each([
    ["parafoil", "KeyD", "yaw", 1],
    ["parafoil", "KeyA", "yaw", -1],
    ["x500", "KeyW", "north", 1],
    ["x500", "KeyA", "east", -1],
    ["x500", "ArrowUp", "altitude", 1],
    ["x500", "ArrowRight", "yaw", 1],
    ["hakoniwa", "KeyD", "east", 1],
    ["typhoon-h480", "KeyS", "north", -1],
    ["advanced-plane", "KeyD", "yaw", 1],
    ["advanced-plane", "ArrowDown", "altitude", -1],
    ["rc-cessna", "KeyA", "roll", -1],
    ["zephyr", "ArrowUp", "altitude", 1],
    ["standard-vtol", "KeyW", "north", 1],
    ["formula-student", "KeyW", "v_x", 1],
  ] as const)("%s %s: %s goes %i", (name, key, what, sign) => {
    const flight = begin(name);
    const before = channel(flight, what);
    press(flight, key, 2);
    expect(sign * (channel(flight, what) - before)).toBeGreaterThan(0.3);
  });

  it("a car steers to the side of the key", () => {
    for (const [key, sign] of [
      ["KeyA", 1],
      ["KeyD", -1],
    ] as const) {
      const flight = begin("formula-student");
      press(flight, "KeyW", 1.5);
      press(flight, key, 0.7);
      // Yaw rate of the road: positive to the left.
      expect(sign * channel(flight, "omega")).toBeGreaterThan(0.3);
    }
  });

  it("brakes of the parafoil stay where the keys put them, as seed 001 has it", () => {
    const flight = begin("parafoil");
    press(flight, "KeyR", 0.1);
    expect([...flight.sticks]).toEqual([1, 1]);
    press(flight, "KeyQ", 10);
    expect([...flight.sticks]).toEqual([0, 1]);
    press(flight, "Space", 0.1);
    expect([...flight.sticks]).toEqual([0, 0]);
  });

  it("a multirotor lands, rests with its rotors off, and takes off again", () => {
    const flight = begin("iris");
    press(flight, "ArrowDown", 12);
    expect(channel(flight, "altitude")).toBeLessThan(0.3);
    expect(channel(flight, "rotor_1")).toBeLessThan(50);
    press(flight, "ArrowUp", 4);
    expect(channel(flight, "altitude")).toBeGreaterThan(2);
  });

  it("a VTOL goes over to its wings and back to hover", () => {
    const flight = begin("standard-vtol");
    press(flight, "KeyT", 25);
    expect(channel(flight, "airspeed")).toBeGreaterThan(10);
    expect(channel(flight, "rotor_1")).toBeLessThan(1);
    expect(channel(flight, "altitude")).toBeGreaterThan(8);
    press(flight, "KeyG", 25);
    expect(channel(flight, "airspeed")).toBeLessThan(2);
    expect(channel(flight, "altitude")).toBeGreaterThan(8);
  });
});

describe("a flight", () => {
  it("of a scenario has the hash of `sideslip run`, until a hand takes over", () => {
    const text =
      "vehicle: x500\nduration: 4.05\nwind: { steady: [1, 2, 0], dryden: { turbulence: light, height: 10, airspeed: 5 } }\npilot: [{ t: 0, takeoff: { altitude: 3 } }]\n";
    const vehicle = preset("x500");
    const source = parseYaml(text, "take-off.yaml");
    const scenario = readScenario(source, vehicle);
    const wanted = run(createSimulation(scenario), scenario.duration).hash;
    const words = source.value as Record<string, unknown>;
    const flight = new Flight({ vehicle, vehicleRef: "x500", scenario: words, byHand: false });
    fly(flight, 10);
    expect(flight.simulation.t).toBeCloseTo(4.05, 9);
    expect(flight.log().hash).toBe(wanted);
    expect(flight.isOver).toBe(true);
    flight.seek(100);
    flight.takeControl();
    fly(flight, 5);
    expect(flight.simulation.t).toBeCloseTo(7, 6);
    expect(flight.isByHand).toBe(true);
  });

  it("is repeated with everything that was changed on the way", () => {
    const flight = begin("x500");
    fly(flight, 1);
    flight.setParameters({ m: 2.4 });
    fly(flight, 1);
    flight.changeEnvironment({
      wind: { steady: [0, 6, 0], gust: { interval: 1, duration: 0.5, magnitude: 2 } },
    });
    press(flight, "KeyW", 1);
    flight.changeEnvironment({ faults: [{ t: 3.2, rotor_1: 0.9 }] });
    fly(flight, 2);
    const log = copyOf(flight.log());
    expect(log.actions.map((d: Action) => d.kind)).toEqual([
      "parameters",
      "environment",
      "push",
      "push",
      "environment",
    ]);
    const other = begin("x500");
    for (const _ of other.replay(log));
    expect(other.log().hash).toBe(log.hash);
    // Across all changes backward and forward.
    for (const tick of [30, 210, 120, 75, 249, log.ticks]) flight.seek(tick);
    expect(flight.log().hash).toBe(log.hash);
    // Flown on from before the wind, nothing of it is left.
    flight.seek(60);
    fly(flight, 1);
    expect(channel(flight, "wind_east")).toBe(0);
    expect(flight.log().actions.map((d) => d.kind)).toEqual(["parameters"]);
  });

  it("flies on from the very tick at which something was changed, with the change", () => {
    const flight = begin("x500");
    fly(flight, 1);
    flight.changeEnvironment({ wind: { steady: [0, 4, 0] } });
    flight.setParameters({ m: 2.2 });
    flight.moveStick(0, "push", 1);
    fly(flight, 1);
    flight.seek(50);
    fly(flight, 1);
    expect(channel(flight, "wind_east")).toBe(4);
    // Hands that pushed then push no more.
    expect(flight.sticks[0]).toBe(0);
    const log = copyOf(flight.log());
    expect(log.actions.map((d) => d.kind)).toEqual(["environment", "parameters", "push"]);
    const other = begin("x500");
    for (const _ of other.replay(log));
    expect(other.log().hash).toBe(log.hash);
  });

  it("random deeds, seeks and new beginnings come out the same from their log", () => {
    const random = stream(1, "flight fuzz");
    let n = 0;
    const draw = (below: number) => Math.floor(random.uniform(n++) * below);
    for (const name of ["x500", "parafoil", "advanced-plane", "standard-vtol", "formula-student"]) {
      const flight = begin(name);
      const names = preset(name).model.parameters.map((f) => f.name);
      for (let k = 0; k < 60; k++) {
        const what = draw(6);
        const stick = draw(flight.manual.sticks.length);
        if (what === 0) flight.moveStick(stick, "push", draw(3) - 1);
        else if (what === 1) flight.moveStick(stick, draw(2) ? "hold" : "put", draw(100) / 100);
        else if (what === 2 && names.includes("m")) {
          const i = names.indexOf("m");
          flight.setParameters({ m: flight.parameters[i] * (0.95 + 0.1 * random.uniform(n++)) });
        } else if (what === 3 && name !== "formula-student")
          flight.changeEnvironment({
            wind: {
              steady: [draw(5) - 2, draw(5) - 2, 0],
              gust: draw(2) ? { interval: 1, duration: 1, magnitude: 1 } : null,
            },
          });
        else if (what === 4) flight.seek(draw(flight.end + 1));
        fly(flight, draw(40) / 50);
      }
      const log = copyOf(flight.log());
      const other = begin(name);
      for (const _ of other.replay(log));
      expect(other.log().hash).toBe(log.hash);
      flight.seek(0);
      flight.seek(log.ticks);
      expect(flight.log().hash).toBe(log.hash);
    }
  });

  it("ends within a tick where its scenario does, and is repeated to that very end", () => {
    const vehicle = preset("parafoil");
    const scenario = { vehicle: "parafoil", duration: 1.01 };
    const make = () => new Flight({ vehicle, vehicleRef: "parafoil", scenario, byHand: false });
    const flight = make();
    fly(flight, 3);
    expect(flight.simulation.t).toBeCloseTo(1.01, 12);
    const read = readScenario(plainSource(scenario, "s"), vehicle);
    expect(flight.log().hash).toBe(run(createSimulation(read), 1.01).hash);
    const other = make();
    for (const _ of other.replay(copyOf(flight.log())));
    expect(other.log().hash).toBe(flight.log().hash);
    // By hand from there on, samples stay where their ticks are.
    flight.takeControl();
    fly(flight, 1);
    expect(flight.record.value(flight.tick, 0)).toBe(flight.simulation.t);
    const third = make();
    for (const _ of third.replay(copyOf(flight.log())));
    expect(third.log().hash).toBe(flight.log().hash);
  });

  it("that has landed stays landed whatever the wind, and what was reset is not reset again", () => {
    const vehicle = preset("parafoil");
    const scenario = { vehicle: "parafoil", initial: { altitude: 2, v_north: 4.4, v_down: 0.9 } };
    const flight = new Flight({ vehicle, vehicleRef: "parafoil", scenario, byHand: true });
    fly(flight, 20);
    expect(flight.isOver).toBe(true);
    flight.changeEnvironment({ wind: { steady: [3, 0, 0] } });
    expect(flight.isOver).toBe(true);
    const again = new Flight({
      vehicle,
      vehicleRef: "parafoil",
      scenario: { vehicle: "parafoil", duration: 60, events: [{ t: 1, reset: true }] },
      byHand: false,
    });
    fly(again, 0.5);
    again.takeControl();
    fly(again, 2);
    expect(again.isByHand).toBe(true);
    again.changeEnvironment({ wind: { steady: [1, 0, 0] } });
    fly(again, 1);
    expect(again.simulation.events.filter((e) => e.name === "reset").length).toBe(1);
  });

  it("keeps the wind of each sample, whatever the integrator", () => {
    const vehicle = preset("parafoil");
    const scenario = {
      vehicle: "parafoil",
      duration: 2,
      integrator: "euler",
      wind: { colored: { tau: 1, sigma: 1 } },
    };
    const flight = new Flight({ vehicle, vehicleRef: "parafoil", scenario, byHand: false });
    fly(flight, 3);
    const recorder = new Recorder(["wind_north"]);
    run(createSimulation(readScenario(plainSource(scenario, "s"), vehicle)), 2, [recorder]);
    const column = flight.record.columns.indexOf(indexOf(flight.simulation.channels, "wind_north"));
    const kept = Array.from({ length: flight.record.length }, (_, k) => flight.record.value(k, column));
    expect(kept).toEqual([...recorder.column("wind_north")]);
  });

  it("is written with infinite numbers", () => {
    const flight = begin("rc-cessna");
    flight.setParameters({ "servos.1.rate": 2 });
    fly(flight, 0.5);
    flight.setParameters({ "servos.1.rate": Number.POSITIVE_INFINITY });
    fly(flight, 0.5);
    const log = readFlightLog(parseFlightLog(writeFlightLog(flight.log())));
    const other = begin("rc-cessna");
    for (const _ of other.replay(log));
    expect(other.log().hash).toBe(flight.log().hash);
  });

  it("refuses in flight what a scenario would refuse", () => {
    const flight = begin("x500");
    expect(() => flight.setParameters({ "rotors.1.timeConstantUp": 1e-5 })).toThrow(/too long/);
    expect(() => flight.moveStick(99, "push", 1)).toThrow(InputError);
    expect(flight.log().actions).toEqual([]);
  });

  it("feels a changed parameter at once", () => {
    const flight = begin("x500");
    fly(flight, 2);
    const before = channel(flight, "altitude");
    flight.setParameters({ m: 3 });
    fly(flight, 1);
    expect(channel(flight, "altitude")).toBeLessThan(before - 0.05);
    expect(() => flight.setParameters({ nonsense: 1 })).toThrow(InputError);
    expect(() => flight.changeEnvironment({ wind: { steady: "strong" } })).toThrow(/wind/);
    // What was refused is not in the log.
    expect(flight.log().actions.length).toBe(1);
  });

  it("keeps the newest past when memory is short", async () => {
    const { FlightRecord } = await import("../../src/simulation/flight/flight-record.ts");
    const fields = [{ name: "t", unit: "s", meaning: "time" }];
    const record = new FlightRecord(fields, () => true, 3 * 8 * 2048);
    for (let k = 0; k < 10000; k++) record.write(Float64Array.of(0.01 * k));
    expect(record.first).toBe(4096);
    expect(record.tickAt(80)).toBe(8000);
    expect(record.value(9999, 0)).toBeCloseTo(99.99, 9);
    record.cut(7000);
    expect(record.first + record.length).toBe(7001);
    expect(record.tickAt(1e9)).toBe(7000);
  });
});
