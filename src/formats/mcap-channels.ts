/** All channels of a simulation in an MCAP log: one message of numbers for each sample. */
import { InputError } from "../model/input-error.ts";
import { type LogFile, McapReading } from "./mcap.ts";

export const CHANNELS_TOPIC = "/sideslip/channels";
/** Little-endian CDR, a stamp and an empty name of a frame; then numbers, aligned to eight behind the first four. */
const FIRST_NUMBER = 4 + 8 + 8;

/** Files that a log brings along. */
export const VEHICLE_FILE = "vehicle.yaml";
export const SETTINGS_FILE = "interface.json";

/** Numbers of all samples that are kept: 400 MB, or three hours of 85 channels at 50 Hz. */
export const MOST_NUMBERS = 5e7;

export interface ChannelsLog {
  readonly names: readonly string[];
  readonly rows: readonly Float64Array[];
  /** The vehicle's name and file, and what its topics depend on, where the log brings them. */
  readonly name?: string;
  readonly vehicle?: LogFile;
  readonly settings?: LogFile;
  /** The problem with the log, if there is one. */
  readonly problem?: string;
}

/** One row of a message; nothing where it is not one of so many numbers. */
function channelsRow(data: Uint8Array, width: number): Float64Array | undefined {
  if (data.length < FIRST_NUMBER + 8 * width || data[1] !== 1) return undefined;
  const view = new DataView(data.buffer, data.byteOffset + FIRST_NUMBER, 8 * width);
  const row = new Float64Array(width);
  for (let i = 0; i < width; i++) row[i] = view.getFloat64(8 * i, true);
  return row;
}

export function readChannels(bytes: Uint8Array, file: string): ChannelsLog {
  let names: readonly string[] = [];
  let name: string | undefined;
  const files = new Map<string, LogFile>();
  const rows: Float64Array[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const reading = new McapReading(file, {
    facts: ({ channels = "", vehicle }) => {
      if (names.length > 0) return;
      names = channels.split(",");
      name = vehicle;
    },
    file: (found) => {
      files.set(found.name, found);
    },
    message: ({ topic, data }) => {
      if (topic !== CHANNELS_TOPIC) return;
      const row = channelsRow(data, names.length);
      if (row === undefined) return;
      const bad = row.findIndex((v) => !Number.isFinite(v));
      if (bad >= 0 || row[0] < last)
        throw new InputError(bad >= 0 ? `${names[bad]} is not a number` : "its time decreases", {
          file,
          field: `sample ${rows.length + 1}`,
        });
      if (rows.length * row.length > MOST_NUMBERS)
        throw new InputError(`holds more than ${rows.length} samples of ${row.length} channels`, {
          file,
          allowed: `up to ${MOST_NUMBERS / 1e6} million numbers; write a log with fewer --fields or a lower --log-rate`,
        });
      [last] = row;
      rows.push(row);
    },
  });
  reading.add(bytes);
  const problem = reading.end();
  if (problem !== undefined && rows.length < 2) throw new InputError(problem, { file });
  if (names.length === 0 || rows.length < 2)
    throw new InputError("holds no flight of Sideslip", { file, allowed: `samples of ${CHANNELS_TOPIC}` });
  return { names, rows, name, vehicle: files.get(VEHICLE_FILE), settings: files.get(SETTINGS_FILE), problem };
}
