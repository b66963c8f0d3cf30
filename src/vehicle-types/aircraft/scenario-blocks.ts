/** Scenario blocks of aircraft: a pilot's plan, or sticks through a mixer; and the pilot's source of navigation. */
import * as z from "zod";
import { estimator } from "../../control/estimator.ts";
import type { PilotLine } from "../../control/pilot-command.ts";
import type { Document, Open } from "../../model/document.ts";
import { InputError } from "../../model/input-error.ts";
import type { InputSource } from "../../model/input-source.ts";
import { readTimeline } from "../../simulation/timeline-lines.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import type { InputContext, ScenarioBlocks } from "../../vehicles/vehicle-type.ts";
import { pilotFor } from "./pilot.ts";
import { pilotSchema } from "./pilot-schema.ts";
import { type StickTimeline, stickTimelineSource } from "./stick-timeline.ts";
import { manualSchema, readManual } from "./stick-timeline-schema.ts";

export interface AircraftBlocks {
  readonly pilot: readonly PilotLine[];
  readonly manual?: StickTimeline;
  /** Navigation of the pilot's loops: the true state, or an estimate from the sensors. */
  readonly navigation: "truth" | "sensors";
}

type Aircraft = Vehicle<AircraftParameters>;

interface Checked {
  readonly pilot?: readonly PilotLine[];
  readonly manual?: z.infer<typeof manualSchema>;
  readonly navigation?: AircraftBlocks["navigation"];
}

export const aircraftBlocks: ScenarioBlocks<AircraftParameters, AircraftBlocks> = {
  schemas: {
    pilot: pilotSchema,
    manual: manualSchema,
    navigation: z.enum(["truth", "sensors"]).meta({
      description:
        "navigation of the pilot's loops: the true state (default), or an estimate from the sensors",
    }),
  },
  deciding: ["pilot", "manual"],
  read(blocks: Checked, vehicle, source, open) {
    const { pilot = [], manual, navigation = "truth" } = blocks;
    return {
      pilot: readPilot(pilot, source),
      manual: manual && readSticks(manual, vehicle, source, open),
      navigation,
    };
  },
  identity: ({ pilot, ...others }) => [pilot.map(({ t, command }) => [t, command]), others],
  times: ({ pilot, manual }) => [...pilot, ...(manual?.lines ?? [])].map(({ t }) => t),
};

export function aircraftInputs(
  { pilot, manual, navigation }: AircraftBlocks,
  { model, parameters }: Aircraft,
  { interval, sensorFields: fields, magneticField }: InputContext,
): InputSource | undefined {
  if (manual) return stickTimelineSource(model.inputs, parameters, manual);
  if (pilot.length === 0) return undefined;
  const sensed =
    navigation === "sensors"
      ? { estimator: estimator(fields, parameters.g, magneticField, interval), fields }
      : undefined;
  return pilotFor(model, parameters, pilot, interval, sensed);
}

/** The mixer is tried on the vehicle's actuators here, so that an error names its place in the file. */
function readSticks(
  block: z.infer<typeof manualSchema>,
  { model, parameters }: Aircraft,
  source: Document,
  open?: Open,
): StickTimeline {
  const manual = readManual(block, source, open);
  try {
    stickTimelineSource(model.inputs, parameters, manual);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { field = "manual", allowed } = error.details;
    const path = field.split(".").map((key) => (/^\[\d+\]$/.test(key) ? Number(key.slice(1, -1)) : key));
    throw new InputError(error.problem, { file: source.file, ...source.locate(path), field, allowed });
  }
  return manual;
}

/** Lines in order of time, each with its place in the file. */
function readPilot(lines: readonly PilotLine[], source: Document): readonly PilotLine[] {
  const times = lines.map(({ t }) => ({ t }));
  readTimeline(times, source, "pilot");
  return lines.map((line, i) => ({ ...line, place: { file: source.file, ...source.locate(["pilot", i]) } }));
}
