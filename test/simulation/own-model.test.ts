import { describe, expect, it } from "vitest";
import {
  createSimulation,
  describeVehicle,
  FlightPlot,
  parseYaml,
  Recorder,
  readScenario,
  readVehicle,
  run,
  type Sink,
  type Wind,
} from "../../src/index.ts";
import { csvHeader, csvRow } from "../../src/library/formats.ts";
import { INTEGRATORS } from "../../src/library/models.ts";
import { carType } from "../../src/vehicle-types/car.ts";
import { presetOf } from "../../src/vehicles/vehicle-file.ts";
import type { VehicleType } from "../../src/vehicles/vehicle-type.ts";
import { boatType } from "../boat/boat-type.ts";
import { pendulumCart } from "../support/models.ts";

const vehicle = readVehicle(
  parseYaml(
    "model: pendulum-cart\nparameters: { cart_mass: 2 kg, bob_mass: 500 g, length: 70 cm, drag: 0.4 }\n",
    "cart.yaml",
  ),
  "cart",
  { types: [{ name: "pendulum-cart", model: pendulumCart }] },
);
const scenario = (text: string) =>
  readScenario(parseYaml(`vehicle: cart\n${text}`, "cart scenario"), vehicle);
const fly = (text: string, sinks: Sink[] = [], wind?: Wind) => {
  const s = scenario(text);
  return run(createSimulation(s, wind ? { wind } : {}), s.duration, sinks);
};

describe("a model of one's own, defined outside src/", () => {
  it("swings with every integrator, to the same place", () => {
    const finals = INTEGRATORS.map((integrator) =>
      fly(
        `integrator: ${integrator}\ndt: 0.0005\nduration: 3\ninitial: { angle: 20 deg }\nparameters: { drag: 0 }`,
      ),
    );
    for (const { final } of finals) expect(final.angle).toBeCloseTo(finals[2].final.angle, 2);
    expect(finals[2].final.angle).toBeCloseTo(finals[3].final.angle, 9);
  });
  it("keeps its energy when nothing pushes, and small swings have the textbook period", () => {
    const recorder = new Recorder();
    fly("duration: 20\ninitial: { angle: 0.01 }\nparameters: { drag: 0 }", [recorder]);
    const energy = recorder.column("energy");
    expect(Math.max(...energy) - Math.min(...energy)).toBeLessThan(1e-9);
    // Free cart: omega^2 = (M + m) g / (M L).
    const period = 2 * Math.PI * Math.sqrt((2 * 0.7) / (2.5 * 9.81));
    const angle = recorder.column("angle");
    const t = recorder.column("t");
    const crossings = [...angle].flatMap((a, i) =>
      i > 0 && angle[i - 1] < 0 && a >= 0 ? [t[i] - (0.02 * a) / (a - angle[i - 1])] : [],
    );
    expect((crossings.at(-1)! - crossings[0]) / (crossings.length - 1)).toBeCloseTo(period, 3);
  });
  it("is blown along by the wind, seeded or its own", () => {
    expect(fly("wind: { steady: [3, 0, 0] }\nduration: 2").final.position).toBeGreaterThan(0.5);
    const gusty = "wind: { colored: { tau: 1, sigma: 2 } }\nduration: 5";
    expect(fly(gusty).hash).toBe(fly(gusty).hash);
    expect(fly(`${gusty}\nseed: 2`).hash).not.toBe(fly(gusty).hash);
    const own: Wind = { at: (t, _x, out) => void (out[0] = t) };
    expect(fly("duration: 2", [], own).final.wind_north).toBeCloseTo(2, 12);
  });
  it("meets its wall at a located instant and ends there", () => {
    const { events, final } = fly("inputs: [{ t: 0, force_cmd: 20 N }]\nduration: 30");
    expect(events.map((e) => e.name)).toEqual(["wall"]);
    expect(Math.abs(final.position - 5)).toBeLessThan(1e-8);
  });
  it("writes CSV, a picture and a description like any shipped vehicle", () => {
    let text = "";
    const csv: Sink = {
      open: (c) => void (text += csvHeader(c)),
      write: (row) => (text += csvRow(row)),
      close() {},
    };
    const plot = new FlightPlot();
    fly("duration: 1\ninputs: [{ t: 0.5, force_cmd: 3 }]", [csv, plot]);
    expect(text.split("\n")[0]).toBe("t,position,angle,speed,angle_rate,force_cmd,energy,wind_north");
    expect(text.trim().split("\n").length).toBe(52);
    expect(plot.svg()).toContain("<svg");
    const d = describeVehicle(vehicle);
    expect(d.parameters.find((p) => p.name === "length")).toMatchObject({
      value: 0.7,
      unit: "m",
      range: "> 0 m",
      source: "cart.yaml",
    });
  });
  it("gets the same checks on its files", () => {
    expect(() => scenario("inputs: [{ t: 0, force_cmd: 200 N }]")).toThrow(
      /inputs\.\[0\]\.force_cmd: "200 N" is out of range; allowed: -100 to 100 N/,
    );
    expect(() => scenario("parameters: { lenght: 2 }")).toThrow(/did you mean "length"/);
  });
});

describe("a type of one's own", () => {
  it("keeps its own scenario blocks where another type has the same model", () => {
    const read = (type: VehicleType) => {
      const car = presetOf(carType, "formula-student");
      return readScenario(parseYaml("vehicle: own\ntrack: autocross\nlaps: 1", "s"), { ...car, type });
    };
    const bare = { name: "car", model: carType.model } as VehicleType;
    expect(read(carType as VehicleType).laps).toBe(1);
    expect(() => read(bare)).toThrow(/track: unknown key|track: is not/);
    expect(read(carType as VehicleType).laps).toBe(1);
  });
  it("has sensors that say what they lack", () => {
    const launch = presetOf(boatType, "launch");
    const scenario = (sensors: string) =>
      createSimulation(readScenario(parseYaml(`vehicle: launch\nsensors: ${sensors}`, "s"), launch));
    expect(() => scenario("{ accelerometer: {} }")).toThrow(
      /"accelerometer" needs "g", which the model boat does not have/,
    );
    const turning = scenario("{ gyro: {} }");
    for (let k = 0; k < 50; k++) turning.step();
    expect([...turning.z].every(Number.isFinite)).toBe(true);
  });
});
