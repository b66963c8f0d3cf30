/**
 * The `sensors` block of a scenario, and how sensors fail. Defaults of noise are those of the ROS 2 parafoil simulator's
 * params.yaml.
 */
import * as z from "zod";
import type { Field } from "../model/field.ts";
import { quantity, show, strict, triple } from "../model/schema.ts";
import { FAULT_MODES, type FaultMode, type SensorFault } from "../sensors/fault.ts";
import type { Errors } from "../sensors/sensor.ts";
import type { SensorsSpecification } from "../sensors/sensors.ts";
import { seedSchema } from "./seed.ts";

type Triple = [number, number, number];
const ZERO: Triple = [0, 0, 0];
/** Standard deviations of flight logs, the vehicle's motion included: large for sensor noise, but what the source uses. */
export const DEFAULT_ACCELEROMETER_NOISE: Triple = [6.74, 7.3, 8.72];
export const DEFAULT_GYRO_NOISE: Triple = [0.52, 0.567, 0.769];
export const DEFAULT_IMU_RATE = 1;
/** A typical field: 50 uT, inclination 67 deg, no declination. */
export const DEFAULT_MAGNETIC_FIELD: Triple = [2e-5, 0, 4.6e-5];
/** Of a small receiver. */
const GNSS_RATE = 5;
const MOST_RANGEFINDERS = 6;
const RANGE = { min: 0.1, max: 40 };

const number = (unit: string, meaning: string, range: Partial<Field> = {}) =>
  quantity({ unit, meaning, min: -1e6, max: 1e6, ...range });
const rate = number("Hz", "samples per second; with every tick unless given", { min: 0.01, max: 1e5 });

const wander = (unit: string, what: string) =>
  strict({
    sigma: triple({ unit, meaning: `standard deviation of the wandering ${what}`, min: 0, max: 1e6 }),
    tau: number("s", "its correlation time", { min: 1e-3 }),
  });

function sensor(unit: string, what: string) {
  return strict({
    noise: triple({ unit, meaning: `standard deviation of a ${what} sample`, min: 0, max: 1e6 }).optional(),
    bias: triple({ unit, meaning: `constant ${what} error`, min: -1e6, max: 1e6 }).optional(),
  });
}
/** One whose data sheet says more. */
function precise(unit: string, what: string) {
  return strict({
    ...sensor(unit, what).shape,
    noise_density: triple({
      unit: "1",
      meaning: `white noise of the ${what}, in ${unit} per square root of Hz`,
      min: 0,
      max: 1e6,
    }).optional(),
    instability: wander(unit, "bias").optional(),
    scale: triple({ unit: "1", meaning: "relative error of the scale", min: -1, max: 1 }).optional(),
  });
}
interface Given {
  noise?: Triple;
  bias?: Triple;
  noise_density?: Triple;
  instability?: { sigma: Triple; tau: number };
  scale?: Triple;
}
/** Who gives a density means that, not the default. */
const filled = (noise: Triple, given: Given = {}): Errors => ({
  noise: given.noise ?? (given.noise_density ? ZERO : noise),
  bias: given.bias ?? ZERO,
  ...(given.noise_density ? { density: given.noise_density } : {}),
  ...(given.instability ? { wander: given.instability } : {}),
  ...(given.scale ? { scale: given.scale } : {}),
});
const one = (noise = 0, bias = 0): Errors => ({ noise: [noise], bias: [bias] });

const scalar = (unit: string, what: string) => ({
  noise: number(unit, `standard deviation of a ${what} sample`, { min: 0 }).optional(),
  bias: number(unit, `constant ${what} error`).optional(),
});

const barometer = strict({
  ...scalar("Pa", "pressure"),
  rate: rate.optional(),
  instability: strict({
    sigma: number("Pa", "standard deviation of the slowly wandering pressure", { min: 0 }),
    tau: number("s", "its correlation time", { min: 1e-3 }),
  }).optional(),
  ground_effect: strict({
    pressure: number("Pa", "pressure that the rotors add just above the ground in hover"),
    height: number("m", "height over which that decays by a factor e", { above: 0, min: undefined }),
  }).optional(),
});

const gnss = strict({
  rate: rate.optional(),
  delay: number("s", "latency of its reading", { min: 0, max: 10 }).optional(),
  noise: triple({ unit: "m", meaning: "standard deviation of position", min: 0, max: 1e6 }).optional(),
  velocity_noise: triple({
    unit: "m/s",
    meaning: "standard deviation of velocity",
    min: 0,
    max: 1e6,
  }).optional(),
  correlated: wander("m", "position").optional(),
});

const rangefinder = strict({
  direction: triple({ unit: "1", meaning: "direction of its beam: forward, right, down" })
    .refine((d) => d.some((c) => c !== 0), { message: "has zero length" })
    .optional(),
  min: number("m", "smallest distance that it measures", { min: 0 }).optional(),
  max: number("m", "largest distance that it measures, and its reading beyond", {
    above: 0,
    min: undefined,
  }).optional(),
  ...scalar("m", "distance"),
  rate: rate.optional(),
}).refine((r) => (r.min ?? RANGE.min) < (r.max ?? RANGE.max), {
  message: "min is not below max",
});

export const sensorsSchema = strict({
  seed: seedSchema.optional(),
  position: sensor("m", "position").optional(),
  velocity: sensor("m/s", "velocity").optional(),
  magnetometer: strict({
    ...precise("T", "magnetic field").shape,
    field: triple({
      unit: "T",
      meaning: "the earth's magnetic field, north east down; by the World Magnetic Model where home is given",
    }).optional(),
    rate: rate.optional(),
  }).optional(),
  accelerometer: precise("m/s^2", "specific force").optional(),
  gyro: precise("rad/s", "angular rate").optional(),
  airspeed: strict(scalar("m/s", "airspeed")).optional(),
  imu: strict({
    rate: quantity({ unit: "Hz", meaning: "samples per second, 0 for none", min: 0, max: 1e5 }).optional(),
    accelerometer: precise("m/s^2", "specific force").optional(),
    gyro: precise("rad/s", "angular rate").optional(),
  }).optional(),
  barometer: barometer.optional(),
  pitot: strict({ ...scalar("Pa", "differential pressure"), rate: rate.optional() }).optional(),
  gnss: gnss.optional(),
  rangefinders: z
    .array(rangefinder)
    .max(MOST_RANGEFINDERS)
    .optional()
    .meta({ description: "beams that measure the distance to boundaries" }),
  battery: strict({
    noise: z.tuple([number("V", "of voltage", { min: 0 }), number("A", "of current", { min: 0 })]).optional(),
  }).optional(),
}).meta({
  description:
    "sensors to simulate; a sensor named with {} has the default noise, one not named does not exist",
});

type Block = z.infer<typeof sensorsSchema>;

/** The magnetic field is that of home unless the block says otherwise. */
export function readSensors(block: Block, field: Triple = DEFAULT_MAGNETIC_FIELD): SensorsSpecification {
  const { seed, position, velocity, magnetometer, accelerometer, gyro, airspeed, imu } = block;
  const { barometer, pitot, gnss, rangefinders, battery } = block;
  return {
    seed,
    position: position && filled(ZERO, position),
    velocity: velocity && filled(ZERO, velocity),
    magnetometer: magnetometer && {
      ...filled(ZERO, magnetometer),
      field: magnetometer.field ?? field,
      rate: magnetometer.rate,
    },
    accelerometer: accelerometer && filled(DEFAULT_ACCELEROMETER_NOISE, accelerometer),
    gyro: gyro && filled(DEFAULT_GYRO_NOISE, gyro),
    airspeed: airspeed && one(airspeed.noise, airspeed.bias),
    imu: imu && {
      rate: imu.rate ?? DEFAULT_IMU_RATE,
      accelerometer: filled(DEFAULT_ACCELEROMETER_NOISE, imu.accelerometer ?? accelerometer),
      gyro: filled(DEFAULT_GYRO_NOISE, imu.gyro ?? gyro),
    },
    barometer: barometer && {
      ...one(barometer.noise, barometer.bias),
      rate: barometer.rate,
      groundEffect: barometer.ground_effect,
      ...(barometer.instability
        ? { wander: { sigma: [barometer.instability.sigma], tau: barometer.instability.tau } }
        : {}),
    },
    pitot: pitot && { ...one(pitot.noise, pitot.bias), rate: pitot.rate },
    gnss: gnss && {
      rate: gnss.rate ?? GNSS_RATE,
      delay: gnss.delay ?? 0,
      errors: {
        noise: [...(gnss.noise ?? ZERO), ...(gnss.velocity_noise ?? ZERO)],
        bias: [...ZERO, ...ZERO],
        ...(gnss.correlated
          ? { wander: { sigma: [...gnss.correlated.sigma, ...ZERO], tau: gnss.correlated.tau } }
          : {}),
      },
    },
    rangefinders: rangefinders?.map(({ direction, min, max, noise, bias, rate }) => ({
      direction: direction ?? [0, 0, 1],
      min: min ?? RANGE.min,
      max: max ?? RANGE.max,
      rate,
      errors: one(noise, bias),
    })),
    battery: battery && { noise: battery.noise ?? [0, 0], bias: [0, 0] },
  };
}

/** What may fail, as the `faults` of a scenario name it. */
export const SENSOR_NAMES = [
  ...["position", "velocity", "accelerometer", "gyro", "magnetometer", "airspeed", "imu"],
  ...["barometer", "pitot", "gnss", "battery"],
  ...Array.from({ length: MOST_RANGEFINDERS }, (_, i) => `rangefinder_${i + 1}`),
];

/** The amount that each fault mode takes, and its range. */
const AMOUNTS: Readonly<Record<string, readonly [number, number, string]>> = {
  noisy: [0, 1e6, "how much more noise"],
  dropped: [0, 1, "part of the samples that is lost"],
  biased: [-1e6, 1e6, "error in the sensor's unit, a number or a list of them by axis"],
};

/** `off`, or `{ biased: [5, 0, 0] }`. */
export const sensorFaultSchema = z
  .unknown()
  .meta({
    description: "sound, off, stuck, noisy, biased, dropped, or { biased: [5, 0, 0] } and the like",
    type: ["string", "object"],
  })
  .transform((given, context): Omit<SensorFault, "t" | "sensor"> => {
    const complain = (problem: string, allowed: string, path: PropertyKey[] = []) => {
      context.addIssue({ code: "custom", message: problem, params: { allowed, input: given }, path });
      return z.NEVER;
    };
    const how = `${FAULT_MODES.join(", ")}, or { noisy: 30 }, { dropped: 0.9 }, { biased: [5, 0, 0] }`;
    if (FAULT_MODES.includes(given as FaultMode)) return { mode: given as FaultMode };
    const entries = typeof given === "object" && given !== null ? Object.entries(given) : [];
    const [[mode, amount]] = entries.length === 1 ? entries : [["", undefined]];
    if (!Object.hasOwn(AMOUNTS, mode)) return complain(`${show(given)} is not a fault mode`, how);
    const [min, max, meaning] = AMOUNTS[mode];
    const list: unknown[] = mode === "biased" && Array.isArray(amount) ? amount : [amount];
    const isRight = (v: unknown) => typeof v === "number" && v >= min && v <= max;
    if (list.length === 0 || !list.every(isRight))
      return complain(`${show(amount)} is not allowed`, `${min} to ${max}; ${meaning}`, [mode]);
    return { mode: mode as FaultMode, amount: list as number[] };
  });

/** Numbers that a sensor measures: as many errors may be given. */
export const axesOf = (sensor: string): number =>
  sensor === "gnss"
    ? 6
    : sensor === "battery"
      ? 2
      : /^(barometer|pitot|airspeed|rangefinder)/.test(sensor)
        ? 1
        : 3;
