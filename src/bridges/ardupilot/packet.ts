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
  const pulses = Uint16Array.from({ length: channels }, (_, i) => view.getUint16(HEADER + 2 * i, true));
  return { rate, count: view.getUint32(4, true), pulses };
}

/** Standard density at sea level: airspeeds of instruments are by this [kg/m^3]. */
const SEA_LEVEL = 1.225;

/**
 * What ArduPilot reads by searching for names, the first that contains one: required ones come first, and no name is part of an
 * earlier one. `time` counts from where its clock begins.
 */
export function writeState(state: VehicleState, time: number, radio: readonly number[] | undefined): string {
  const { motion } = state;
  const list = (from: number, count: number) => {
    let text = `${motion[from]}`;
    for (let i = 1; i < count; i++) text += `,${motion[from + i]}`;
    return text;
  };
  const measured = (kind: string, from: number) =>
    state.has(`${kind}_x`)
      ? `${state.get(`${kind}_x`)},${state.get(`${kind}_y`)},${state.get(`${kind}_z`)}`
      : list(from, 3);
  let text =
    `\n{"timestamp":${time},"imu":{"gyro":[${measured("gyro", RATES)}],` +
    `"accel_body":[${measured("accel", SPECIFIC_FORCE)}]},"position":[${list(POSITION, 3)}],` +
    `"quaternion":[${list(ATTITUDE, 4)}],"velocity":[${list(VELOCITY, 3)}]`;
  for (let i = 1; state.has(`range_${i}`); i++) text += `,"rng_${i}":${state.get(`range_${i}`)}`;
  if (state.has("wind_north"))
    text += `,"velocity_wind":[${state.get("wind_north")},${state.get("wind_east")},${state.get("wind_down")}]`;
  if (state.has("diff_pressure"))
    text += `,"airspeed":${Math.sqrt((2 * Math.max(0, state.get("diff_pressure"))) / SEA_LEVEL)}`;
  if (radio) text += `,"rc":{${radio.map((us, i) => `"rc_${i + 1}":${us}`).join(",")}}`;
  if (state.has("battery_voltage")) {
    const kind = state.has("measured_voltage") ? "measured" : "battery";
    text += `,"battery":{"voltage":${state.get(`${kind}_voltage`)},"current":${state.get(`${kind}_current`)}}`;
  }
  return `${text}}\n`;
}
