/** A sample as the messages of PX4's simulator interface: units, bits and rounding that it expects. */
import { type GeodeticPosition, toGeodetic } from "../../environment/earth.ts";
import { atan2 } from "../../math/elementary.ts";
import { ATTITUDE, POSITION, RATES, SPECIFIC_FORCE, VELOCITY } from "../../sensors/motion.ts";
import type { VehicleState } from "../autopilot/state.ts";
import type { Values } from "../mavlink/frame.ts";

/** Bits of fields_updated: what is new in a HIL_SENSOR. PX4 takes the barometer only with pressure, altitude and temperature. */
const ACCELEROMETER = 0x7;
const GYRO = 0x38;
const MAGNETOMETER = 0x1c0;
const BAROMETER = 0x1a00;
const PITOT = 0x400;
const GAUSS = 1e4;
const CELSIUS = 273.15;

const clip = (value: number, most: number) => Math.round(Math.min(most, Math.max(-most, value)));
const SIGNED_16 = 32767;

/** The numbers of what is not new are left at zero: they are not looked at. */
export function hilSensor(state: VehicleState, time: number): Values {
  const values: Record<string, number> = { time_usec: time };
  let updated = 0;
  const put = (bits: number, names: readonly string[], channels: readonly string[], factor = 1) => {
    updated |= bits;
    names.forEach((name, i) => {
      values[name] = state.get(channels[i]) * factor;
    });
  };
  if (state.isFresh("accelerometer"))
    put(ACCELEROMETER, ["xacc", "yacc", "zacc"], ["accel_x", "accel_y", "accel_z"]);
  if (state.isFresh("gyro")) put(GYRO, ["xgyro", "ygyro", "zgyro"], ["gyro_x", "gyro_y", "gyro_z"]);
  if (state.isFresh("magnetometer"))
    put(MAGNETOMETER, ["xmag", "ymag", "zmag"], ["mag_x", "mag_y", "mag_z"], GAUSS);
  if (state.isFresh("barometer")) {
    put(BAROMETER, ["abs_pressure"], ["baro_pressure"], 0.01);
    values.pressure_alt = state.get("baro_altitude");
    values.temperature = state.get("baro_temperature") - CELSIUS;
  }
  if (state.isFresh("pitot")) put(PITOT, ["diff_pressure"], ["diff_pressure"], 0.01);
  values.fields_updated = updated;
  return values;
}

/** Accuracy that it claims [cm], and satellites: of a good fix. */
const CLAIMED = { eph: 90, epv: 178, satellites_visible: 10, fix_type: 3 };
const UNKNOWN_COURSE = 65535;

export function hilGps(state: VehicleState, time: number): Values {
  const [vn, ve, vd] = ["north", "east", "down"].map((axis) => state.get(`gnss_v_${axis}`));
  const ground = Math.sqrt(vn * vn + ve * ve);
  const course = (atan2(ve, vn) * 180) / Math.PI;
  return {
    ...CLAIMED,
    time_usec: time,
    lat: Math.round(state.get("gnss_latitude") * 1e7),
    lon: Math.round(state.get("gnss_longitude") * 1e7),
    alt: Math.round(state.get("gnss_altitude") * 1000),
    vel: Math.min(65534, Math.round(ground * 100)),
    vn: clip(vn * 100, SIGNED_16),
    ve: clip(ve * 100, SIGNED_16),
    vd: clip(vd * 100, SIGNED_16),
    cog: ground < 0.1 ? UNKNOWN_COURSE : Math.round((course < 0 ? course + 360 : course) * 100) % 36000,
  };
}

/** The truth, for PX4's own log and its tests. */
export function hilState(state: VehicleState, time: number, home: GeodeticPosition): Values {
  const { motion } = state;
  const at = toGeodetic(home, motion[POSITION], motion[POSITION + 1], motion[POSITION + 2]);
  const airspeed = Math.min(65535, Math.round(100 * state.get("airspeed")));
  const velocity = (i: number) => clip(100 * motion[VELOCITY + i], SIGNED_16);
  // In thousandths of g as the message says; PX4 takes them for m/s^2 (docs/errata.md).
  const force = (i: number) => clip((1000 * motion[SPECIFIC_FORCE + i]) / 9.80665, SIGNED_16);
  return {
    time_usec: time,
    attitude_quaternion: motion.subarray(ATTITUDE, ATTITUDE + 4),
    rollspeed: motion[RATES],
    pitchspeed: motion[RATES + 1],
    yawspeed: motion[RATES + 2],
    lat: Math.round(at.latitude * 1e7),
    lon: Math.round(at.longitude * 1e7),
    alt: Math.round(at.altitude * 1000),
    vx: velocity(0),
    vy: velocity(1),
    vz: velocity(2),
    ind_airspeed: airspeed,
    true_airspeed: airspeed,
    xacc: force(0),
    yacc: force(1),
    zacc: force(2),
  };
}

/** MAV_SENSOR_ROTATION of a beam along a body axis; others are custom. */
function orientation(direction: readonly number[]): number {
  const length = Math.sqrt(direction.reduce((sum, c) => sum + c * c, 0));
  const [x, y, z] = direction.map((c) => c / length);
  if (z > 0.9) return 25;
  if (z < -0.9) return 24;
  if (x > 0.9) return 0;
  if (x < -0.9) return 4;
  if (y > 0.9) return 2;
  return y < -0.9 ? 6 : 100;
}

export interface Beam {
  readonly direction: readonly number[];
  readonly min: number;
  readonly max: number;
}

/** Of the rangefinder with this number, from 0. */
export function distanceSensor(state: VehicleState, time: number, number: number, beam: Beam): Values {
  const centimetres = (metres: number) => Math.min(65535, Math.max(0, Math.round(100 * metres)));
  return {
    time_boot_ms: Math.floor(time / 1000),
    min_distance: centimetres(beam.min),
    max_distance: centimetres(beam.max),
    current_distance: centimetres(state.get(`range_${number + 1}`)),
    id: number,
    orientation: orientation(beam.direction),
    covariance: 255,
    signal_quality: 100,
  };
}
