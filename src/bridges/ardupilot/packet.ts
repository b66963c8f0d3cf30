/** ArduPilot's JSON interface, without sockets: servo pulses in, a line of JSON out. */
import { ATTITUDE, POSITION, RATES, SPECIFIC_FORCE, VELOCITY } from "../../sensors/motion.ts";
import type { VehicleState } from "../autopilot/state.ts";

/** Little-endian: magic, frame rate [Hz], frame count, and 16 or 32 pulses [us]. */
const MAGICS: Readonly<Record<number, number>> = { 18458: 16, 29569: 32 };
const HEADER = 8;

export interface ServoPacket {
  readonly rate: number;
  readonly count: number;
  readonly pulses: Uint16Array;
}

/** The packet, or what is wrong with it. */
export function readServos(bytes: Uint8Array): ServoPacket | string {
  if (bytes.length < HEADER) return `of ${bytes.length} bytes is too short`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = view.getUint16(0, true);
  const channels = MAGICS[magic];
  if (channels === undefined) return `begins with ${magic}, not with 18458 or 29569`;
  if (bytes.length !== HEADER + 2 * channels)
    return `of ${bytes.length} bytes is not the ${HEADER + 2 * channels} of ${channels} channels`;
  const rate = view.getUint16(2, true);
  if (rate === 0) return "has a frame rate of 0";
  const pulses = new Uint16Array(channels);
  for (let i = 0; i < channels; i++) pulses[i] = view.getUint16(HEADER + 2 * i, true);
  return { rate, count: view.getUint32(4, true), pulses };
}

/** Standard density at sea level: airspeeds of instruments are by this [kg/m^3]. */
const SEA_LEVEL = 1.225;

/** To a nanometre and the like: what is finer costs time to write and to read. */
const FINE = 1e9;
const fine = (value: number) => Math.round(value * FINE) / FINE;

/**
 * Writes what ArduPilot reads by searching for names, the first that contains one: required ones come first, and no name is part
 * of an earlier one. The time counts from where its clock begins.
 */
export function stateWriter(state: VehicleState): (time: number, radio?: readonly number[]) => string {
  const { motion } = state;
  const ofMotion = (from: number, count: number) => {
    let text = `${fine(motion[from])}`;
    for (let i = 1; i < count; i++) text += `,${fine(motion[from + i])}`;
    return text;
  };
  const vector = (...names: readonly string[]) => {
    const [x, y, z] = names.map((name) => state.at(name));
    return () => `${fine(state.value(x))},${fine(state.value(y))},${fine(state.value(z))}`;
  };
  /** What a sensor says, or the truth where there is none. */
  const measured = (kind: string, from: number) =>
    state.has(`${kind}_x`) ? vector(`${kind}_x`, `${kind}_y`, `${kind}_z`) : () => ofMotion(from, 3);
  const gyro = measured("gyro", RATES);
  const accelerometer = measured("accel", SPECIFIC_FORCE);
  const more: (() => string)[] = [];
  for (let i = 1; state.has(`range_${i}`); i++) {
    const place = state.at(`range_${i}`);
    more.push(() => `,"rng_${i}":${fine(state.value(place))}`);
  }
  if (state.has("wind_north")) {
    const wind = vector("wind_north", "wind_east", "wind_down");
    more.push(() => `,"velocity_wind":[${wind()}]`);
  }
  if (state.has("diff_pressure")) {
    const place = state.at("diff_pressure");
    more.push(() => `,"airspeed":${fine(Math.sqrt((2 * Math.max(0, state.value(place))) / SEA_LEVEL))}`);
  }
  if (state.has("battery_voltage")) {
    const kind = state.has("measured_voltage") ? "measured" : "battery";
    const [voltage, current] = [state.at(`${kind}_voltage`), state.at(`${kind}_current`)];
    more.push(
      () => `,"battery":{"voltage":${fine(state.value(voltage))},"current":${fine(state.value(current))}}`,
    );
  }
  return (time, radio) => {
    let text =
      `\n{"timestamp":${fine(time)},"imu":{"gyro":[${gyro()}],"accel_body":[${accelerometer()}]},` +
      `"position":[${ofMotion(POSITION, 3)}],"quaternion":[${ofMotion(ATTITUDE, 4)}],` +
      `"velocity":[${ofMotion(VELOCITY, 3)}]`;
    for (const part of more) text += part();
    if (radio) text += `,"rc":{${radio.map((us, i) => `"rc_${i + 1}":${us}`).join(",")}}`;
    return `${text}}\n`;
  };
}
