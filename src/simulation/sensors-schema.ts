/** The `sensors` block of a scenario. Defaults are those of the ROS 2 parafoil simulator's params.yaml. */
import { quantity, strict, triple } from "../model/schema.ts";
import type { SensorSpecification, SensorsSpecification } from "../sensors/sensors.ts";
import { seedSchema } from "./seed.ts";

type Triple = [number, number, number];
const ZERO: Triple = [0, 0, 0];
/** Standard deviations of flight logs, the vehicle's motion included: large for sensor noise, but what the source uses. */
export const DEFAULT_ACCELEROMETER_NOISE: Triple = [6.74, 7.3, 8.72];
export const DEFAULT_GYRO_NOISE: Triple = [0.52, 0.567, 0.769];
export const DEFAULT_IMU_RATE = 1;
/** Of no place in particular: 50 uT, 67 deg steep, no declination. */
export const DEFAULT_MAGNETIC_FIELD: Triple = [2e-5, 0, 4.6e-5];

function sensor(unit: string, what: string) {
  return strict({
    noise: triple({ unit, meaning: `standard deviation of a ${what} sample`, min: 0, max: 1e6 }).optional(),
    bias: triple({ unit, meaning: `constant ${what} error`, min: -1e6, max: 1e6 }).optional(),
  });
}
const filled = (noise: Triple, given?: { noise?: Triple; bias?: Triple }): SensorSpecification => ({
  noise: given?.noise ?? noise,
  bias: given?.bias ?? ZERO,
});

export const sensorsSchema = strict({
  seed: seedSchema.optional(),
  position: sensor("m", "position").optional(),
  velocity: sensor("m/s", "velocity").optional(),
  magnetometer: strict({
    ...sensor("T", "magnetic field").shape,
    field: triple({ unit: "T", meaning: "the earth's magnetic field, north east down" }).optional(),
  }).optional(),
  accelerometer: sensor("m/s^2", "specific force").optional(),
  gyro: sensor("rad/s", "angular rate").optional(),
  airspeed: strict({
    noise: quantity({
      unit: "m/s",
      meaning: "standard deviation of an airspeed sample",
      min: 0,
      max: 1e3,
    }).optional(),
    bias: quantity({ unit: "m/s", meaning: "constant airspeed error", min: -1e3, max: 1e3 }).optional(),
  }).optional(),
  imu: strict({
    rate: quantity({ unit: "Hz", meaning: "samples per second, 0 for none", min: 0, max: 1e5 }).optional(),
    accelerometer: sensor("m/s^2", "specific force").optional(),
    gyro: sensor("rad/s", "angular rate").optional(),
  }).optional(),
})
  .transform(
    ({
      seed,
      position,
      velocity,
      magnetometer,
      accelerometer,
      gyro,
      airspeed,
      imu,
    }): SensorsSpecification => ({
      seed,
      position: position && filled(ZERO, position),
      velocity: velocity && filled(ZERO, velocity),
      magnetometer: magnetometer && {
        ...filled(ZERO, magnetometer),
        field: magnetometer.field ?? DEFAULT_MAGNETIC_FIELD,
      },
      accelerometer: accelerometer && filled(DEFAULT_ACCELEROMETER_NOISE, accelerometer),
      gyro: gyro && filled(DEFAULT_GYRO_NOISE, gyro),
      airspeed: airspeed && { noise: [airspeed.noise ?? 0, 0, 0], bias: [airspeed.bias ?? 0, 0, 0] },
      imu: imu && {
        rate: imu.rate ?? DEFAULT_IMU_RATE,
        accelerometer: filled(DEFAULT_ACCELEROMETER_NOISE, imu.accelerometer ?? accelerometer),
        gyro: filled(DEFAULT_GYRO_NOISE, imu.gyro ?? gyro),
      },
    }),
  )
  .meta({
    description:
      "sensors to simulate; a sensor named with {} has the default noise, one not named does not exist",
  });
