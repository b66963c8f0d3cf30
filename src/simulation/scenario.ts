/** Scenarios: what flies, from where, in which wind, with which inputs, for how long. */
import * as z from "zod";
import { faultFields, STOPPED } from "../control/faults.ts";
import type { Interpolation, TimelineEntry } from "../control/timeline.ts";
import type { Air } from "../environment/air.ts";
import type { Boundary } from "../environment/boundaries.ts";
import type { GeodeticPosition } from "../environment/earth.ts";
import type { Track } from "../environment/track/track.ts";
import type { WindSpecification } from "../environment/wind.ts";
import { DEFAULT_TOLERANCE, type Tolerance } from "../integrators/dopri5.ts";
import { INTEGRATORS, type IntegratorName } from "../integrators/index.ts";
import { cos, sin } from "../math/elementary.ts";
import { check, type Document, type Open } from "../model/document.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import { namedNumbers, quantity, strict } from "../model/schema.ts";
import type { SensorFault } from "../sensors/fault.ts";
import type { SensorsSpecification } from "../sensors/sensors.ts";
import { initialFields, initialState } from "../vehicles/initial-state.ts";
import { type ModelOfType, perModel } from "../vehicles/per-model.ts";
import { type Vehicle, withValues } from "../vehicles/vehicle.ts";
import { validateParameters } from "../vehicles/vehicle-file.ts";
import { noseOf, type Spec, type VehicleType } from "../vehicles/vehicle-type.ts";
import { boundariesSchema, FLAT_GROUND } from "./boundaries-schema.ts";
import { homeSchema, readHome } from "./home-schema.ts";
import { inputsSchema, readInputs } from "./inputs-schema.ts";
import { drawnSeed, seedSchema } from "./seed.ts";
import { axesOf, readSensors, SENSOR_NAMES, sensorFaultSchema, sensorsSchema } from "./sensors-schema.ts";
import { type Lines, readTimeline } from "./timeline-lines.ts";
import { lapsSchema, readTrack, trackSchema } from "./track-schema.ts";
import { airSchema, windSchema } from "./wind-schema.ts";

/** A checked scenario: the vehicle as it flies, where and how it starts, wind, inputs, faults and sensors. SI units and radians. */
export interface Scenario {
  /** As it flies: with the parameters that the scenario changes. */
  readonly vehicle: Vehicle;
  readonly description?: string;
  readonly duration: number;
  readonly integrator: IntegratorName;
  readonly tolerance: Tolerance;
  readonly dt: number;
  readonly controlDt: number;
  readonly seed: number;
  /** Complete initial state. */
  readonly initial: Float64Array;
  readonly wind: WindSpecification & { readonly seed?: number };
  readonly air: Air;
  /** What the scenario changed in the vehicle's parameters, for reports; `vehicle` has them already. */
  readonly changedParameters: Readonly<Record<string, number>>;
  readonly inputs: readonly TimelineEntry[];
  /** Between lines inputs are held, or go in straight lines. */
  readonly interpolate: Interpolation;
  /** Faults over time: `rotor_2` to a factor. */
  readonly faults: readonly TimelineEntry[];
  readonly boundaries: readonly Boundary[];
  /** What its vehicle type has made of the blocks that only this type has. */
  readonly blocks: unknown;
  readonly sensors: SensorsSpecification;
  readonly sensorFaults: readonly SensorFault[];
  /** Where on earth the origin is, if the scenario gives it. */
  readonly home?: GeodeticPosition;
  /** What it drives on, and after how many laps the run ends. */
  readonly track?: Track;
  readonly laps?: number;
  /** When the vehicle is taken back to its initial state [s]. */
  readonly resets: readonly number[];
}

const seconds = (meaning: string, range: Partial<Field>) =>
  quantity({ unit: "s", meaning, ...range }).optional();
const tolerance = (meaning: string) => quantity({ unit: "1", meaning, min: 1e-14, max: 0.1 }).optional();

/** A motor that stops, as faults have it. */
const stopped = z.literal("stopped").transform(() => STOPPED);

/** What a scenario's file may hold for one vehicle. */
export const scenarioSchema: (vehicle: ModelOfType) => ReturnType<typeof makeSchema> = perModel(makeSchema);

function makeSchema({ model, type }: ModelOfType) {
  const time = quantity({ unit: "s", meaning: "when this line takes effect", min: 0 });
  const faults = faultFields(model.inputs);
  return strict({
    vehicle: z.string().meta({ description: "a preset's name or the path of a vehicle file" }),
    description: z.string().optional().meta({ description: "one-line description" }),
    duration: seconds("simulated time", { above: 0, max: 1e9 }),
    integrator: z
      .enum(INTEGRATORS)
      .optional()
      .meta({ description: `${model.stiff ? "radau-fixed" : "rk4"} by default` }),
    dt: seconds("largest integration step", { min: 1e-6, max: 10 }),
    control_dt: seconds("interval of inputs and samples", { min: 1e-4, max: 3600 }),
    tolerance: strict({
      relative: tolerance("relative error per step (dopri5, radau)"),
      absolute: tolerance("absolute error per step (dopri5, radau)"),
    }).optional(),
    seed: seedSchema.optional(),
    initial: namedNumbers(initialFields(model), true).optional(),
    // A model without air in its environment has no wind block.
    ...(model.environment.length === 0 ? {} : { wind: windSchema.optional(), air: airSchema.optional() }),
    parameters: namedNumbers(model.parameters, true).optional(),
    inputs: inputsSchema(model.inputs).optional(),
    faults: z
      .array(
        strict({
          t: time,
          ...Object.fromEntries(faults.map((f) => [f.name, z.union([stopped, quantity(f)]).optional()])),
          ...Object.fromEntries(SENSOR_NAMES.map((name) => [name, sensorFaultSchema.optional()])),
        }),
      )
      .optional()
      .meta({
        description:
          "what fails and when: a rotor to a fraction of its loads, 1 (intact) to 0 (blades lost, motor still turning), or stopped; a sensor by its fault mode",
      }),
    home: homeSchema.optional(),
    ...(type.footprint ? { track: trackSchema.optional(), laps: lapsSchema.optional() } : {}),
    ...Object.fromEntries(
      Object.entries(type.scenarioBlocks?.schemas ?? {}).map(([name, block]) => [name, block.optional()]),
    ),
    events: z
      .array(strict({ t: time, reset: z.literal(true) }))
      .optional()
      .meta({ description: "reset: the vehicle is taken back to its initial state" }),
    ...(model.boundarySlots ? { boundaries: boundariesSchema.optional() } : {}),
    sensors: sensorsSchema.optional(),
  });
}

/** A sensor cannot see more often than there are ticks. */
function refuseFastSensors(
  sensors: Readonly<Record<string, unknown>>,
  interval: number,
  source: Document,
): void {
  for (const [name, block] of Object.entries(sensors)) {
    const list: readonly unknown[] = Array.isArray(block) ? block : [block];
    list.forEach((one, i) => {
      const rate = (one as { rate?: number } | null)?.rate ?? 0;
      const path = ["sensors", name, ...(Array.isArray(block) ? [i] : []), "rate"];
      if (rate * interval > 1 + 1e-9)
        throw new InputError(`${rate} Hz is faster than the ticks`, {
          file: source.file,
          ...source.locate(path),
          field: path.join("."),
          value: rate,
          allowed: `up to ${1 / interval} Hz, or a shorter control_dt`,
        });
    });
  }
}

/** A tick with more fixed steps than this would not hear Ctrl-C for seconds. */
const MOST_FIXED_STEPS = 1e5;

/** Checks a scenario for a vehicle and fills in what it leaves out; `open` reads the files that it names. */
export function readScenario(source: Document, vehicle: Vehicle, open?: Open): Scenario {
  const { model, type } = vehicle;
  const file = check(scenarioSchema(vehicle), source);
  const { dt = model.stiff ? 0.001 : 0.005, control_dt = model.stiff ? 0.01 : 0.02 } = file;
  if (file.dt !== undefined && file.dt > control_dt * (1 + 1e-9))
    throw new InputError(`${file.dt} s is longer than a tick of ${control_dt} s`, {
      file: source.file,
      ...source.locate(["dt"]),
      field: "dt",
      value: file.dt,
      allowed: `up to control_dt = ${control_dt} s`,
    });
  if (control_dt / dt > MOST_FIXED_STEPS)
    throw new InputError(`${dt} s is too short for ticks of ${control_dt} s`, {
      file: source.file,
      ...source.locate(["dt"]),
      field: "dt",
      value: dt,
      allowed: `>= ${control_dt / MOST_FIXED_STEPS} s (at most 100000 steps a tick)`,
    });
  refuseFastSensors(file.sensors ?? {}, control_dt, source);
  refuseRivals(source, type, file);
  // A tolerance asks for steps of the integrator's own choice.
  const [fixed, adaptive]: IntegratorName[] = model.stiff ? ["radau-fixed", "radau"] : ["rk4", "dopri5"];
  const integrator = file.integrator ?? (file.tolerance === undefined ? fixed : adaptive);
  const home = file.home && readHome(file.home, model);
  const changes = { ...home?.parameters, ...file.parameters };
  const flying = Object.keys(changes).length === 0 ? vehicle : withValues(vehicle, changes);
  validateParameters(model, flying.parameters, source, "parameters");
  const footprint = type.footprint?.(flying.parameters);
  const track =
    file.track === undefined || footprint === undefined
      ? undefined
      : readTrack(file.track as never, source, footprint, open);
  const laps = file.laps as number | undefined;
  if (laps !== undefined && track === undefined) throw needsTrack("laps", source);
  if (laps !== undefined && track?.laps !== undefined && laps > track.laps)
    throw new InputError(`${track.name} has ${track.laps} of them`, {
      file: source.file,
      ...source.locate([], "laps"),
      field: "laps",
      value: laps,
      allowed: `up to ${track.laps}`,
    });
  const lines = (file.faults ?? []) as readonly FaultLine[];
  const drawn = <T extends { seed?: number }>(block: T): T =>
    block.seed === undefined ? block : { ...block, seed: drawnSeed(block.seed) };
  return {
    vehicle: flying,
    description: file.description,
    // Laps end a run by themselves.
    duration: file.duration ?? (laps === undefined ? 60 : 120 * laps),
    integrator,
    tolerance: { ...DEFAULT_TOLERANCE, ...file.tolerance },
    dt,
    controlDt: control_dt,
    seed: drawnSeed(file.seed ?? 1),
    initial: initialState(model, [vehicle.initial, startOf(track, vehicle), file.initial ?? {}], source, [
      "initial",
    ]),
    wind: drawn((file.wind as Scenario["wind"] | undefined) ?? {}),
    air: airAt((file.air as Air | undefined) ?? { model: "constant" }, home?.place),
    changedParameters: changes,
    ...readInputs(file.inputs ?? [], source, model, open),
    faults: rotorFaults(lines, source),
    sensorFaults: readSensorFaults(lines, file.sensors ?? {}, source),
    home: home?.place,
    blocks: type.scenarioBlocks?.read(file, vehicle, source, open),
    boundaries:
      (file.boundaries as readonly Boundary[] | undefined) ?? (model.boundarySlots ? FLAT_GROUND : []),
    sensors: drawn(readSensors(file.sensors ?? {}, home?.magneticField)),
    track,
    laps: laps ?? track?.laps,
    resets: readTimeline(
      (file.events ?? []).map(({ t }) => ({ t })),
      source,
      "events",
    ).map(({ t }) => t),
  };
}

type FaultLine = Readonly<Record<string, unknown>> & { readonly t: number };

/** What lines say of rotors; of one that is only of sensors nothing is left. */
function rotorFaults(lines: readonly FaultLine[], source: Document): TimelineEntry[] {
  const ofRotors = ([name]: readonly [string, unknown]) => !SENSOR_NAMES.includes(name);
  const parts = lines.map((line) => Object.fromEntries(Object.entries(line).filter(ofRotors)));
  return readTimeline(parts as Lines, source, "faults").filter(
    ({ inputs }) => Object.keys(inputs).length > 0,
  );
}

/** How sensors fail, each of which must be there. */
function readSensorFaults(
  lines: readonly FaultLine[],
  sensors: Readonly<Record<string, unknown>>,
  source: Document,
): SensorFault[] {
  const there = Object.entries(sensors).flatMap(([name, block]) =>
    Array.isArray(block) ? block.map((_, k) => `rangefinder_${k + 1}`) : name === "seed" ? [] : [name],
  );
  return lines.flatMap(({ t, ...named }, i) =>
    Object.entries(named).flatMap(([sensor, how]) => {
      if (!SENSOR_NAMES.includes(sensor) || how === undefined) return [];
      const fault = { t, sensor, ...(how as Omit<SensorFault, "t" | "sensor">) };
      const complain = (problem: string, allowed: string) =>
        new InputError(problem, {
          file: source.file,
          ...source.locate(["faults", i, sensor]),
          field: `faults.[${i}].${sensor}`,
          allowed,
        });
      if (!there.includes(sensor))
        throw complain(`there is no sensor "${sensor}"`, there.join(", ") || "a sensor of the block sensors");
      const axes = axesOf(sensor);
      if ((fault.amount?.length ?? 0) > axes)
        throw complain(`${fault.amount?.length} numbers are too many for "${sensor}"`, `up to ${axes}`);
      return [fault];
    }),
  );
}

/** The standard atmosphere begins at home. */
const airAt = (air: Air, home?: GeodeticPosition): Air =>
  air.model === "isa" && air.originAltitude === undefined
    ? { ...air, originAltitude: home?.altitude ?? 0 }
    : air;

/** A block that means nothing without a track. */
export const needsTrack = (key: string, source: Document): InputError =>
  new InputError("needs a track", {
    file: source.file,
    ...source.locate([], key),
    field: key,
    allowed: "track: autocross beside it",
  });

/** Two blocks that both decide the inputs. */
function refuseRivals(source: Document, { scenarioBlocks }: VehicleType, file: Spec): void {
  const deciding = ["inputs", ...(scenarioBlocks?.deciding ?? [])];
  const rivals = deciding.filter((key) => file[key] !== undefined);
  if (rivals.length < 2) return;
  const [, second] = rivals;
  throw new InputError(`${rivals.join(" and ")} ${rivals.length > 2 ? "all" : "both"} set the inputs`, {
    file: source.file,
    ...source.locate([], second),
    field: second,
    allowed: `one of ${deciding.join(", ")}`,
  });
}

/** Where a vehicle waits on its track; as its own file has it, so that drawn parameters do not move the start. */
function startOf(track: Track | undefined, { type, parameters }: Vehicle): Readonly<Record<string, number>> {
  const footprint = type.footprint?.(parameters);
  if (track === undefined || footprint === undefined) return {};
  const { X, Y, phi } = track.line;
  if (track.staging === undefined) return { X: X[0], Y: Y[0], phi: phi[0] };
  const { left, right } = track.start;
  const back = track.staging + noseOf(footprint);
  return {
    X: (left[0] + right[0]) / 2 - back * cos(phi[0]),
    Y: (left[1] + right[1]) / 2 - back * sin(phi[0]),
    phi: phi[0],
  };
}
