/** Thrust and static margin against what a data sheet and AVL say, and what an imported aircraft's servos do. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseYaml } from "../../src/model/yaml.ts";
import * as airframe from "../../src/vehicle-types/aircraft/airframe.ts";
import { asAircraft } from "../../src/vehicle-types/aircraft.ts";
import { preset, readVehicle } from "../../src/vehicle-types/index.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";
import { aircraftOf, BALL, evaluate, ROTOR } from "../support/aircraft.ts";
import { sideslip } from "../support/cli.ts";

const staticThrust = (vehicle: Vehicle) => airframe.staticThrust(asAircraft(vehicle)!);
const staticMargin = (vehicle: Vehicle, alpha: number) => airframe.staticMargin(asAircraft(vehicle)!, alpha);

const example = (name: string) => new URL(`../../examples/avl/${name}`, import.meta.url).pathname;

it("maximum thrust of Gazebo's rotors: k omega^2 each; iris 4 x 5.84e-6 x 1100^2 N", () => {
  const thrust = staticThrust(preset("iris"));
  expect(thrust?.up).toBeCloseTo(4 * 5.84e-6 * 1100 * 1100, 6);
  expect(thrust?.toWeight).toBeCloseTo((4 * 5.84e-6 * 1100 * 1100) / (1.535 * 9.81), 6);
});

it("an electric rotor at full duty: battery, winding, back-EMF and drag torque balance", () => {
  const [V, R, Rb, K, k, c] = [12, 0.1, 0.02, 0.01, 1e-5, 0.02];
  const vehicle = aircraftOf({
    ...BALL,
    battery: { capacity: "5 Ah", resistance: Rb, used: [0, 1], voltage: [V, 10] },
    rotors: [
      {
        position: [0, 0, 0],
        direction: "ccw",
        motorConstant: k,
        momentConstant: c,
        inertia: 1e-4,
        motor: { R, K },
      },
    ],
  });
  // K i = k c w^2 and V - Rb i = R i + K w.
  const a = ((R + Rb) * k * c) / K;
  const w = (-K + Math.sqrt(K * K + 4 * a * V)) / (2 * a);
  expect(staticThrust(vehicle)?.up).toBeCloseTo(k * w * w, 6);
});

const imported = () => {
  const args = [
    "--st",
    example("plane.st"),
    "--sb",
    example("plane.sb"),
    "--mass-file",
    example("plane.mass"),
  ];
  const { stdout } = sideslip(["import", "avl", ...args, "--cd0", "0.03", "--stall", "16 deg"]);
  return readVehicle(parseYaml(stdout, "imported"), "imported");
};

it("the neutral point of an import is AVL's Xnp", () => {
  const st = readFileSync(example("plane.st"), "utf8");
  const value = (name: string) => Number(new RegExp(`${name}\\s*=\\s*([-\\d.]+)`).exec(st)?.[1]);
  const { margin, distance } = staticMargin(imported(), 0.03) ?? { margin: 0, distance: 0 };
  const expected = value("Xnp") - value("Xref");
  expect(distance / expected).toBeCloseTo(1, 1);
  expect(margin).toBeCloseTo(distance / value("Cref"), 6);
});

it("positive servos of an import do what they do everywhere else: nose up, roll right, nose right", () => {
  const vehicle = imported();
  const turned = (servo: string) => {
    const at = (angle: number) =>
      evaluate(vehicle, { q_w: 1, down: -500, v_north: 15, [servo]: angle }, { [`${servo}_cmd`]: angle }).dx;
    const [with_, without] = [at(0.1), at(0)];
    return { p: with_.p - without.p, q: with_.q - without.q, r: with_.r - without.r };
  };
  expect(vehicle.labels).toMatchObject({ servo_1: "aileron", servo_2: "elevator", servo_3: "rudder" });
  expect(turned("servo_1").p).toBeGreaterThan(1);
  expect(turned("servo_2").q).toBeGreaterThan(1);
  expect(turned("servo_3").r).toBeGreaterThan(1);
});

it("what has no rotor has no thrust, what has no wing no margin", () => {
  expect(staticThrust(aircraftOf(BALL))).toBeUndefined();
  expect(staticMargin(aircraftOf({ ...BALL, rotors: [ROTOR] }), 0)).toBeUndefined();
  expect(asAircraft(preset("parafoil"))).toBeUndefined();
});
