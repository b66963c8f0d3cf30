/** Sensors of three components, or one: position, velocity, specific force, rates, the earth's field, airspeed. */
import { toBody } from "../math/quaternion.ts";
import { InputError } from "../model/input-error.ts";
import { indexOf, type Model } from "../model/model.ts";
import { ATTITUDE, POSITION, RATES, SPECIFIC_FORCE, VELOCITY } from "./motion.ts";
import type { Errors, SensorMaking, Truth } from "./sensor.ts";

type Triple = readonly [number, number, number];
interface Kind {
  readonly axes: readonly string[];
  readonly unit: string;
  readonly meaning: string;
  /** Where it stands in a motion. */
  readonly from: number;
  readonly faulty: SensorMaking["faulty"];
}
const NED = ["north", "east", "down"];
const XYZ = ["x", "y", "z"];

const KINDS = {
  position: {
    axes: NED,
    unit: "m",
    meaning: "measured position",
    from: POSITION,
    faulty: { noise: [0.3], bias: 10 },
  },
  velocity: {
    axes: NED,
    unit: "m/s",
    meaning: "measured velocity",
    from: VELOCITY,
    faulty: { noise: [0.05], bias: 2 },
  },
  accel: {
    axes: XYZ,
    unit: "m/s^2",
    meaning: "measured specific force, body axis",
    from: SPECIFIC_FORCE,
    faulty: { noise: [0.05], bias: 2 },
  },
  gyro: {
    axes: XYZ,
    unit: "rad/s",
    meaning: "measured angular rate, body axis",
    from: RATES,
    faulty: { noise: [0.005], bias: 0.2 },
  },
} satisfies Record<string, Kind>;

/** `name` is what scenarios call it; its channels begin with `prefix` and the kind. */
export function bodySensor(
  kind: keyof typeof KINDS,
  name: string,
  prefix: string,
  errors: Errors,
  rate?: number,
): SensorMaking {
  const { axes, unit, meaning, from, faulty }: Kind = KINDS[kind];
  const fields = axes.map((axis) => ({
    name: `${prefix}${kind}_${axis}`,
    unit,
    meaning: `${meaning} ${axis}`,
  }));
  return {
    name,
    fields,
    axes: fields.map((f) => f.name),
    errors,
    rate,
    faulty,
    sees: [from, from + 3],
    measure({ motion }, out) {
      for (let i = 0; i < 3; i++) out[i] = motion[from + i];
    },
  };
}

export function magnetometer(errors: Errors, field: Triple, rate?: number): SensorMaking {
  const fields = XYZ.map((axis) => ({
    name: `mag_${axis}`,
    unit: "T",
    meaning: `measured magnetic field, body axis ${axis}`,
  }));
  const inWorld = Float64Array.from(field);
  return {
    name: "magnetometer",
    fields,
    axes: fields.map((f) => f.name),
    errors,
    rate,
    faulty: { noise: [5e-7], bias: 1e-5 },
    sees: [ATTITUDE, RATES],
    measure: ({ motion }, out) => toBody(motion, ATTITUDE, inWorld, 0, out, 0),
  };
}

/** The place of an output that a sensor measures. */
export function outputOf(model: Model, sensor: string, name: string): number {
  const place = indexOf(model.outputs, name);
  if (place < 0)
    throw new InputError(
      `the sensor "${sensor}" needs "${name}", which the model ${model.name} does not have`,
      {
        field: `sensors.${sensor}`,
      },
    );
  return place;
}

export function airspeedSensor(model: Model, errors: Errors): SensorMaking {
  const place = outputOf(model, "airspeed", "airspeed");
  return {
    name: "airspeed",
    fields: [{ name: "airspeed_measured", unit: "m/s", meaning: "true airspeed, measured" }],
    axes: ["airspeed_measured"],
    errors,
    faulty: { noise: [0.3], bias: 5 },
    measure({ y }: Truth, out) {
      out[0] = y[place];
    },
  };
}

export function batterySensor(model: Model, errors: Errors): SensorMaking {
  const voltage = outputOf(model, "battery", "battery_voltage");
  const current = outputOf(model, "battery", "battery_current");
  const fields = [
    { name: "measured_voltage", unit: "V", meaning: "battery voltage, measured" },
    { name: "measured_current", unit: "A", meaning: "battery current, measured" },
  ];
  return {
    name: "battery",
    fields,
    axes: fields.map((f) => f.name),
    errors,
    faulty: { noise: [0.05], bias: -2 },
    measure({ y }, out) {
      out[0] = y[voltage];
      out[1] = y[current];
    },
  };
}
