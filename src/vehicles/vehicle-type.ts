/** Everything about a type of vehicle besides its equations. The records are in src/vehicle-types. */
import type { ZodType } from "zod";
import type { Boundary } from "../environment/boundaries.ts";
import type { Track } from "../environment/track/track.ts";
import type { Document, Open } from "../model/document.ts";
import type { Field } from "../model/field.ts";
import type { InputSource } from "../model/input-source.ts";
import type { ManualControl } from "../model/manual-control.ts";
import type { Model } from "../model/model.ts";
import type { ModelChecks } from "../model/model-checks.ts";
import type { Monitor } from "../model/monitor.ts";
import type { TopicInterface, TopicSettings } from "../model/topics.ts";
import type { Vehicle } from "./vehicle.ts";

/** What sweeps vary unless the user chooses. */
export interface SweepAxes {
  /** Of `polar`: the first that the condition leaves free. */
  readonly polar: readonly string[];
  /** By which a steady turn is measured. */
  readonly turn: string;
  readonly envelope: readonly [string, string];
}

/** P: the parameters of its model; B: what its scenario blocks are read into. */
export interface VehicleType<P = unknown, B = unknown> {
  /** As vehicle files name it: `model: car`. */
  readonly name: string;
  /** The model, or what makes it where its size depends on the vehicle file. */
  readonly model: Model<P> | ((file: unknown) => Model<P>);
  /** Vehicles that ship, by name, as their files have them. */
  readonly presets?: Readonly<Record<string, unknown>>;
  readonly wording?: Wording;
  /** What sweeps vary unless the user chooses. */
  sweepAxes?(vehicle: Vehicle<P>): SweepAxes;
  /** What `check` may assume of its model, and the results that the model must reproduce. */
  checks?(model: Model<P>): ModelChecks<P>;
  /** What its scenarios may hold beside what all scenarios may. */
  readonly scenarioBlocks?: ScenarioBlocks<P, B>;

  /** Heading under which the Studio lists this vehicle: "multirotors". */
  group?(vehicle: Vehicle<P>): string;
  /** Initial state for manual control: trimmed where that is possible. */
  firstFlight?(vehicle: Vehicle<P>): Spec;
  /** A typical flight of the vehicle. */
  defaultFlight?(vehicle: Vehicle<P>): DefaultFlight;
  /** Standing still, as it waits for its autopilot: initial values that differ from the file's. */
  groundStart?(vehicle: Vehicle<P>): Readonly<Record<string, number>>;
  /** Blocks laid under a served scenario: sensors that its ROS 2 simulator has. */
  readonly servedDefaults?: Spec;

  /** The input source that the blocks define; without it the scenario's `inputs`. */
  inputSource?(blocks: B, vehicle: Vehicle<P>, context: InputContext): InputSource | undefined;
  /** Sticks with stability augmentation; without it each control is a stick of its own. */
  manualControl?(vehicle: Vehicle<P>, interval: number): ManualControl;
  /** Watches the motion and reports events. */
  monitor?(vehicle: Vehicle<P>, boundaries: readonly Boundary[]): Monitor | undefined;
  /** Makes it drive on tracks: scenarios may have `track` and `laps`, and laps are timed. */
  footprint?(p: P): Footprint;
  /** Its ROS 2 interface; without it that of a rigid body, or the clock alone. */
  topics?(vehicle: Vehicle<P>, channels: readonly Field[], settings: TopicSettings): TopicInterface;
  /** Numbers of steady flight at an angle of attack that only this type has: static margin. */
  flightNumbers?(vehicle: Vehicle<P>, alpha: number): readonly Quantity[];
  /** Figures that `describe` puts first. */
  figures?(vehicle: Vehicle<P>): Figures;
}

/** A scenario, or a part of one, as files and links hold it. */
export type Spec = Readonly<Record<string, unknown>>;

/** The words in which reports speak of a vehicle. */
export interface Wording {
  /** "flown" or "driven". */
  readonly moved: string;
  /** What the flag for its speed is called: "airspeed" or "speed". */
  readonly speed: string;
}

/** A scenario that shows what a vehicle is for. */
export interface DefaultFlight {
  readonly scenario: Spec;
  /** What was assumed, as a sentence that begins with "without a scenario". */
  readonly note: string;
}

/** Blocks that only scenarios of one type may hold: their schemas and their reader. */
export interface ScenarioBlocks<P, B> {
  /** What each block may hold. */
  readonly schemas: Readonly<Record<string, ZodType>>;
  /** Blocks that decide the inputs: a scenario has at most one of them, or `inputs`. */
  readonly deciding: readonly string[];
  /** Of blocks that have passed their schemas; `vehicle` is as its file has it, before the scenario changes parameters. */
  read(blocks: Spec, vehicle: Vehicle<P>, source: Document, open?: Open): B;
  /** What two scenarios must share for the snapshot of one to be restored in the other; plain data. */
  identity(blocks: B): unknown;
  /** Times at which the blocks decide something [s]. */
  times(blocks: B): readonly number[];
}

/** What an input source is made with besides the vehicle. */
export interface InputContext {
  /** Between decisions [s]. */
  readonly interval: number;
  readonly track?: Track;
  /** What the vehicle's sensors deliver, and the magnetic field about them [T]. */
  readonly sensorFields: readonly Field[];
  readonly magneticField: readonly [number, number, number];
}

/** The outline of what drives, about its origin, forward and left [m]. */
export interface Footprint {
  readonly length: number;
  readonly width: number;
  /** Middle of the outline ahead of the origin. */
  readonly middle: number;
  readonly wheels: readonly (readonly [forward: number, left: number])[];
  /** Smallest radius of a turn. */
  readonly turningRadius: number;
}
export const noseOf = ({ middle, length }: Footprint): number => middle + length / 2;

/** A number with its unit and meaning. */
export interface Quantity {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly meaning: string;
}

/** Key figures of a vehicle. */
export interface Figures {
  /** As sentences. */
  readonly sentences: readonly string[];
  /** The same for programs. */
  readonly json: Readonly<Record<string, unknown>>;
}
