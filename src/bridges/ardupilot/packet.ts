/** ArduPilot's JSON interface, without sockets: servo pulses in, a line of JSON out. */
import { ATTITUDE, POSITION, RATES, SPECIFIC_FORCE, VELOCITY } from "../../sensors/motion.ts";
import type { VehicleState } from "../autopilot/state.ts";
import { DecimalText } from "./decimal-text.ts";

/** Little-endian: magic, frame rate [Hz], frame count, and 16 or 32 pulses [us]. */
const MAGICS: Readonly<Record<number, number>> = { 18458: 16, 29569: 32 };
const HEADER = 8;

export interface ServoPacket {
  readonly rate: number;
  readonly count: number;
  readonly pulses: Uint16Array;
}

/** The packet, or a text that says what is wrong with it. */
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

/** Longer than any line that is written. */
const LONGEST_LINE = 4096;

/**
 * Writes what ArduPilot reads by searching for names, the first that contains one: required ones come first, and no name is part
 * of an earlier one. The time counts from where its clock begins. A line is valid until the one after the next is written.
 */
export function stateWriter(state: VehicleState): (time: number, radio?: readonly number[]) => Uint8Array {
  const { motion } = state;
  let [line, other] = [new DecimalText(LONGEST_LINE), new DecimalText(LONGEST_LINE)];
  const vector = (...names: readonly string[]) => {
    const [x, y, z] = names.map((name) => state.at(name));
    return () =>
      line.number(state.value(x)).text(",").number(state.value(y)).text(",").number(state.value(z));
  };
  /** What a sensor says, or the truth where there is none. */
  const measured = (kind: string, from: number) =>
    state.has(`${kind}_x`) ? vector(`${kind}_x`, `${kind}_y`, `${kind}_z`) : () => line.list(motion, from, 3);
  const gyro = measured("gyro", RATES);
  const accelerometer = measured("accel", SPECIFIC_FORCE);
  const more: (() => void)[] = [];
  for (let i = 1; state.has(`range_${i}`); i++) {
    const place = state.at(`range_${i}`);
    more.push(() => line.text(`,"rng_${i}":`).number(state.value(place)));
  }
  if (state.has("wind_north")) {
    const wind = vector("wind_north", "wind_east", "wind_down");
    more.push(() => {
      line.text(',"velocity_wind":[');
      wind().text("]");
    });
  }
  if (state.has("diff_pressure")) {
    const place = state.at("diff_pressure");
    const indicated = () => Math.sqrt((2 * Math.max(0, state.value(place))) / SEA_LEVEL);
    more.push(() => line.text(',"airspeed":').number(indicated()));
  }
  if (state.has("battery_voltage")) {
    const kind = state.has("measured_voltage") ? "measured" : "battery";
    const [voltage, current] = [state.at(`${kind}_voltage`), state.at(`${kind}_current`)];
    more.push(() =>
      line
        .text(',"battery":{"voltage":')
        .number(state.value(voltage))
        .text(',"current":')
        .number(state.value(current))
        .text("}"),
    );
  }
  return (time, radio) => {
    [line, other] = [other, line];
    line.clear().text('\n{"timestamp":').number(time).text(',"imu":{"gyro":[');
    gyro().text('],"accel_body":[');
    accelerometer().text(']},"position":[').list(motion, POSITION, 3).text('],"quaternion":[');
    line.list(motion, ATTITUDE, 4).text('],"velocity":[').list(motion, VELOCITY, 3).text("]");
    for (const part of more) part();
    if (radio) line.text(`,"rc":{${radio.map((us, i) => `"rc_${i + 1}":${us}`).join(",")}}`);
    return line.text("}\n").written();
  };
}
