/** All sensors of one vehicle, their readings side by side in z. */
import type { Boundary } from "../environment/boundaries.ts";
import { type GeodeticPosition, ZURICH } from "../environment/earth.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import { type BarometerSpecification, barometer, pitot } from "./air-data.ts";
import { airspeedSensor, batterySensor, bodySensor, magnetometer } from "./body.ts";
import type { SensorFault } from "./fault.ts";
import { type GnssSpecification, gnss } from "./gnss.ts";
import { MOTION_LENGTH, missing, motionOf } from "./motion.ts";
import { type RangefinderSpecification, rangefinder } from "./rangefinder.ts";
import { type Errors, makeSensor, type Sensor, type SensorMaking, type Truth } from "./sensor.ts";

type Triple = readonly [number, number, number];

/** Sensors as scenarios hold them, in SI units: noise, bias, scale, rate and delay of each. */
export interface SensorsSpecification {
  readonly seed?: number;
  readonly position?: Errors;
  /** Over ground. */
  readonly velocity?: Errors;
  /** The earth's field in body axes. */
  readonly magnetometer?: Errors & { readonly field: Triple; readonly rate?: number };
  /** Specific force: level at rest it reads (0, 0, -g). */
  readonly accelerometer?: Errors;
  readonly gyro?: Errors;
  /** True airspeed. */
  readonly airspeed?: Errors;
  readonly imu?: {
    /** Samples per second; between samples the last one is held. 0 switches it off. */
    readonly rate: number;
    readonly accelerometer: Errors;
    readonly gyro: Errors;
  };
  readonly barometer?: BarometerSpecification;
  readonly pitot?: Errors & { readonly rate?: number };
  readonly gnss?: GnssSpecification;
  readonly rangefinders?: readonly RangefinderSpecification[];
  readonly battery?: Errors;
}

/** What sensors depend on besides the vehicle. */
export interface SensorSetting {
  readonly seed: number;
  /** From tick to tick [s]. */
  readonly interval: number;
  readonly parameters: unknown;
  readonly home?: GeodeticPosition;
  readonly boundaries?: readonly Boundary[];
  readonly faults?: readonly SensorFault[];
}

export interface Sensors {
  readonly fields: readonly Field[];
  /** Samples that a sensor has delivered so far, by its name; of one that is not there 0. */
  delivered(name: string): number;
  sample(tick: number, t: number, x: Float64Array, y: Float64Array, e: Float64Array, z: Float64Array): void;
  /** The vehicle is taken back to its start. */
  reset(): void;
  readonly memory: readonly Float64Array[];
}

function makings(model: Model, s: SensorsSpecification, setting: SensorSetting): SensorMaking[] {
  const { parameters, interval, home = ZURICH, boundaries = [] } = setting;
  const list: SensorMaking[] = [];
  if (s.position) list.push(bodySensor("position", "position", "", s.position));
  if (s.accelerometer) list.push(bodySensor("accel", "accelerometer", "", s.accelerometer));
  if (s.gyro) list.push(bodySensor("gyro", "gyro", "", s.gyro));
  if (s.velocity) list.push(bodySensor("velocity", "velocity", "", s.velocity));
  if (s.magnetometer) list.push(magnetometer(s.magnetometer, s.magnetometer.field, s.magnetometer.rate));
  if (s.airspeed) list.push(airspeedSensor(model, s.airspeed));
  if (s.imu && s.imu.rate > 0) {
    list.push(bodySensor("accel", "imu", "imu_", s.imu.accelerometer, s.imu.rate));
    list.push(bodySensor("gyro", "imu", "imu_", s.imu.gyro, s.imu.rate));
  }
  if (s.barometer) list.push(barometer(model, parameters, s.barometer, home.altitude));
  if (s.pitot) list.push(pitot(model, parameters, s.pitot, s.pitot.rate));
  if (s.gnss) list.push(gnss(s.gnss, home, interval));
  s.rangefinders?.forEach((r, i) => {
    list.push(rangefinder(r, i + 1, boundaries));
  });
  if (s.battery) list.push(batterySensor(model, s.battery));
  return list;
}

/**
 * The sensors of a vehicle with their errors, ready to sample.
 *
 * @throws InputError where the model lacks what a sensor measures
 */
export function createSensors(
  model: Model,
  specification: SensorsSpecification,
  setting: SensorSetting,
): Sensors {
  const seed = specification.seed ?? setting.seed;
  const { interval, faults = [] } = setting;
  const made = makings(model, specification, setting);
  for (const { name, sees } of made) {
    const lacking = sees && missing(model, sees[0], sees[1]);
    if (lacking !== undefined)
      throw new InputError(
        `the sensor "${name}" needs "${lacking}", which the model ${model.name} does not have`,
        { field: `sensors.${name}` },
      );
  }
  let offset = 0;
  const sensors: Sensor[] = made.map((making) => {
    const sensor = makeSensor(making, seed, interval, faults, offset);
    offset += making.fields.length;
    return sensor;
  });
  if (sensors.length === 0) return { fields: [], memory: [], delivered: () => 0, reset() {}, sample() {} };
  const motion = motionOf(model, setting.parameters);
  const none = new Float64Array(0);
  const truth: Truth = { t: 0, x: none, y: none, e: none, motion: new Float64Array(MOTION_LENGTH) };
  return {
    fields: sensors.flatMap((s) => s.fields),
    memory: sensors.flatMap((s) => s.memory),
    delivered: (name) => sensors.find((s) => s.name === name)?.count() ?? 0,
    reset() {
      for (const sensor of sensors) sensor.reset();
    },
    sample(tick, t, x, y, e, z) {
      truth.t = t;
      truth.x = x;
      truth.y = y;
      truth.e = e;
      motion(x, y, truth.motion);
      for (const sensor of sensors) sensor.sample(tick, truth, z);
    },
  };
}
