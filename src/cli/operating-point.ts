/** One instant of a vehicle: from a file of named values, or from the samples of a run. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { plainSource } from "../model/document.ts";
import type { Field } from "../model/field.ts";
import { closest, InputError } from "../model/input-error.ts";
import { parseQuantity } from "../model/units.ts";
import { initialFields, initialState } from "../vehicles/initial-state.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { reason } from "./files.ts";
import { readYaml } from "./inputs.ts";

export interface OperatingPointOptions {
  readonly state?: string;
  readonly run?: string;
  readonly at?: string;
}

export function addOperatingPointFlags(command: Command): Command {
  return command
    .option("--state <file>", "values of states and inputs by name (JSON or YAML), wind: [n, e, d]")
    .option("--run <file>", "samples written by `sideslip run --out x.csv`")
    .option("--at <s>", "time of the sample in the run");
}

export interface OperatingPoint {
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly wind: readonly [number, number, number];
  readonly t?: number;
}

/** The operating point that the options select; undefined without such options. */
export async function readOperatingPoint(
  vehicle: Vehicle,
  options: OperatingPointOptions,
): Promise<OperatingPoint | undefined> {
  if (options.state !== undefined && options.run !== undefined)
    throw new InputError("excludes --state", { field: "--run", allowed: "either --state or --run" });
  if ((options.run === undefined) !== (options.at === undefined))
    throw new InputError("--run and --at must be given together", {
      field: "--at",
      allowed: "--run x.csv --at 12.3",
    });
  if (options.run !== undefined) return sampleOf(vehicle, options.run, options.at as string);
  return options.state === undefined ? undefined : stateOf(vehicle, options.state);
}

/** Values by name from a flat file; absent ones take the vehicle's initial values. */
export function stateOf(vehicle: Vehicle, path: string | undefined): OperatingPoint {
  const { model } = vehicle;
  const source = path === undefined ? plainSource({}, "its initial state") : readYaml(path);
  const block = source.value;
  if (typeof block !== "object" || block === null || Array.isArray(block))
    throw new InputError("is not a block of names and values", { file: source.file });
  const fields = new Map([...initialFields(model), ...model.inputs].map((f): [string, Field] => [f.name, f]));
  const values: Record<string, number> = {};
  let wind: readonly [number, number, number] = [0, 0, 0];
  for (const [key, value] of Object.entries(block)) {
    const complain = (problem: string, allowed: string) =>
      new InputError(problem, { file: source.file, ...source.locate([], key), field: key, value, allowed });
    if (key === "wind") {
      if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isFinite))
        throw complain("is not a wind vector", "[north, east, down] in m/s");
      wind = [value[0], value[1], value[2]];
      continue;
    }
    const field = fields.get(key);
    if (field === undefined) {
      const near = closest(key, [...fields.keys()]);
      throw complain(
        `is neither a state nor an input${near ? `; did you mean "${near}"?` : ""}`,
        "names from `sideslip describe`, and wind",
      );
    }
    const number = typeof value === "string" ? parseQuantity(value, field.unit) : value;
    if (typeof number !== "number" || !Number.isFinite(number))
      throw complain(
        typeof number === "object" && number !== null
          ? String((number as { problem?: string }).problem)
          : "is not a number",
        `a number (${field.unit})`,
      );
    values[key] = number;
  }
  const x = initialState(model, [vehicle.initial, values], source, []);
  const u = Float64Array.from(model.inputs, (f) => values[f.name] ?? f.default ?? 0);
  model.completeState?.(x, vehicle.parameters as never);
  // Actuators without lag take their command at once.
  model.onTick?.(x, u, vehicle.parameters as never, new Float64Array(0), 0);
  return { x, u, wind };
}

/** The sample nearest to a time in a CSV file. */
async function sampleOf(vehicle: Vehicle, path: string, text: string): Promise<OperatingPoint> {
  const at = parseQuantity(text, "s");
  if (typeof at !== "number" || !Number.isFinite(at))
    throw new InputError(`"${text}" is not a time`, { field: "--at", value: text, allowed: "seconds" });
  const stream = createReadStream(path, "utf8");
  let header: string[] | undefined;
  let best: number[] | undefined;
  let first: number | undefined;
  let last: number | undefined;
  let spacing = 1e-9;
  let place = 0;
  try {
    for await (const line of createInterface({ input: stream })) {
      const cells = line.split(",");
      if (header === undefined) {
        header = cells;
        place = header.indexOf("t");
        if (place < 0)
          throw new InputError("has no column t", {
            file: path,
            line: 1,
            allowed: "a file of `sideslip run --out`",
          });
        continue;
      }
      const row = cells.map(Number);
      first ??= row[place];
      if (last !== undefined) spacing = Math.max(spacing, row[place] - last);
      last = row[place];
      if (best === undefined || Math.abs(row[place] - at) <= Math.abs(best[place] - at)) best = row;
      else break;
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot be read: ${reason(error)}`, { file: path });
  } finally {
    stream.destroy();
  }
  if (header === undefined || best === undefined) throw new InputError("has no samples", { file: path });
  const [columns, row] = [header, best];
  const value = (name: string, isNeeded = true) => {
    const i = columns.indexOf(name);
    if (i < 0 && isNeeded)
      throw new InputError(`has no column "${name}"`, {
        file: path,
        line: 1,
        allowed: "all states and inputs (run without --fields)",
      });
    if (i >= 0 && !Number.isFinite(row[i]))
      throw new InputError(`is not a finite number at t = ${row[place]} s`, {
        file: path,
        field: name,
        value: row[i],
      });
    return i < 0 ? 0 : row[i];
  };
  const { states, inputs } = vehicle.model;
  const x = Float64Array.from(states, (f) => value(f.name));
  const u = Float64Array.from(inputs, (f) => value(f.name));
  if (Math.abs(best[place] - at) > spacing)
    throw new InputError(`the run has no sample near ${at} s`, {
      field: "--at",
      value: text,
      allowed: `${first} to ${best[place] < at ? best[place] : "its end"} s`,
    });
  return {
    x,
    u,
    wind: [value("wind_north", false), value("wind_east", false), value("wind_down", false)],
    t: row[place],
  };
}
