/** A table of numbers over time as a log: columns are channels by their names. */

import type { LogFile } from "../formats/mcap.ts";
import type { ChannelsLog } from "../formats/mcap-channels.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import { parseYaml } from "../model/yaml.ts";
import type { Spec } from "../simulation/flight/action.ts";
import { presetNames } from "../vehicle-types/index.ts";
import { type VehicleSpec, vehicleNamed } from "../vehicle-types/vehicle-spec.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";

export interface Log {
  readonly vehicle: Vehicle;
  readonly named: string | VehicleSpec;
  readonly channels: readonly Field[];
  readonly rows: readonly Float64Array[];
  /** What its topics depend on, as JSON, where it says so. */
  readonly settings?: string;
  /** What is wrong with it, if anything is. */
  readonly problem?: string;
}

/** A table's text, or what an MCAP file holds. */
export const openLog = (log: string | ChannelsLog, file: string, current?: string | VehicleSpec): Log =>
  typeof log === "string" ? readTable(log, file, current) : channelsLog(log, file, current);

/** The vehicle whose states are all in the table: the current one, or a preset. */
function ownerOf(
  names: readonly string[],
  file: string,
  current?: string | VehicleSpec,
): { vehicle: Vehicle; named: string | VehicleSpec } {
  const fits = ({ model }: Vehicle) =>
    model.states.every(
      (f) => ["internal", "discrete", "store"].includes(f.kind ?? "") || names.includes(f.name),
    );
  // A vehicle with fewer rotors fits, too: take the one with most columns.
  const candidates = [...(current === undefined ? [] : [current]), ...presetNames()];
  const found = candidates
    .map((named) => ({ named, vehicle: vehicleNamed(named) }))
    .filter(({ vehicle }) => fits(vehicle))
    .map((c) => ({ ...c, known: c.vehicle.model.states.filter((f) => names.includes(f.name)).length }))
    .sort((a, b) => b.known - a.known)[0];
  if (found === undefined)
    throw new InputError("has no set of columns with all states of a vehicle", {
      file,
      allowed: `as sideslip run --out writes them: t, north, east, down, v_north, ...; found ${names.slice(0, 12).join(", ")}`,
    });
  return found;
}

/** As tables have numbers; an empty cell is none. */
const DECIMAL = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i;

/** A log from named columns; the vehicle follows from their names. */
function logOf(
  names: readonly string[],
  rows: readonly Float64Array[],
  file: string,
  current?: string | VehicleSpec,
): Log {
  const { vehicle, named } = ownerOf(names, file, current);
  const { model } = vehicle;
  const known = [...model.states, ...model.inputs, ...model.outputs, ...model.environment];
  const channels = names.map(
    (name): Field =>
      known.find((f) => f.name === name) ?? {
        name,
        unit: name === "t" ? "s" : "1",
        meaning: name === "t" ? "time" : "from the log",
      },
  );
  return { vehicle, named, channels, rows };
}

/** A log of `run --out x.mcap` or of a server; what is complete of a damaged one. */
function channelsLog(log: ChannelsLog, file: string, current?: string | VehicleSpec): Log {
  const { names, rows, name = "log", vehicle, settings, problem } = log;
  const own = vehicle && { name, words: wordsOf(vehicle) };
  return { ...logOf(names, rows, file, own ?? current), settings: settings?.text, problem };
}

const wordsOf = ({ name, text }: LogFile): Spec => {
  const { value } = parseYaml(text, name);
  return (typeof value === "object" && value !== null ? value : {}) as Spec;
};

function readTable(text: string, file: string, current?: string | VehicleSpec): Log {
  const end = text.indexOf("\n");
  const names = text
    .slice(0, end < 0 ? undefined : end)
    .trim()
    .split(",")
    .map((n) => n.trim());
  if (names[0] !== "t")
    throw new InputError(`its first column is "${names[0].slice(0, 30)}"`, {
      file,
      line: 1,
      allowed: "t: time in seconds",
    });
  const rows: Float64Array[] = [];
  let line = 1;
  let problem: string | undefined;
  let at = end + 1;
  while (end >= 0 && at < text.length) {
    const stop = text.indexOf("\n", at);
    const content = text.slice(at, stop < 0 ? undefined : stop).trim();
    at = stop < 0 ? text.length : stop + 1;
    line++;
    if (content === "") continue;
    const row = Float64Array.from(content.split(","), (cell) =>
      DECIMAL.test(cell) ? Number(cell) : Number.NaN,
    );
    const bad = row.findIndex((v) => !Number.isFinite(v));
    // A run that was stopped leaves its last line unfinished.
    if (stop < 0 && rows.length > 1 && row.length < names.length) {
      problem = `ends in the middle of line ${line}; all complete lines were read`;
      break;
    }
    if (row.length !== names.length || bad >= 0)
      throw new InputError(
        row.length !== names.length
          ? `holds ${row.length} values, and the table has ${names.length} columns`
          : `${names[bad]} is not a number`,
        { file, line },
      );
    if (rows.length > 0 && row[0] < rows[rows.length - 1][0])
      throw new InputError("time decreases", { file, line, field: "t" });
    rows.push(row);
  }
  if (rows.length < 2)
    throw new InputError("has fewer than two samples", {
      file,
      allowed: "a header and at least two lines of numbers",
    });
  return { ...logOf(names, rows, file, current), problem };
}
