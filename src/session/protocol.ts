/** The protocol of a session: commands and queries in, replies and events out, between a page and a worker or over a socket. Plain data only. */

import type { Explanation } from "../analysis/explain.ts";
import type { StickMotion } from "../control/manual/stick-source.ts";
import type { Boundary } from "../environment/boundaries.ts";
import type { Track } from "../environment/track/track.ts";
import type { ChannelsLog } from "../formats/mcap-channels.ts";
import type { Field } from "../model/field.ts";
import type { KeyAction, Stick } from "../model/manual-control.ts";
import type { FlightLog, Spec, TextFile } from "../simulation/flight/action.ts";
import type { VehicleSpec } from "../vehicle-types/vehicle-spec.ts";

/** What a client may ask a session to do. */
export type Command =
  /** Starts a flight; without a scenario under manual control, from a steady state. */
  | {
      readonly type: "start";
      readonly vehicle: string | VehicleSpec;
      readonly scenario?: Spec;
      readonly byHand?: boolean;
      /** Files that the scenario names. */
      readonly files?: readonly TextFile[];
      /** Parameters that differ from the vehicle's, by name. */
      readonly parameters?: Readonly<Record<string, number>>;
      /** A steady motion to begin with, the sticks held in it. */
      readonly from?: { readonly x: Float64Array; readonly u: Float64Array };
    }
  | { readonly type: "repeat"; readonly log: FlightLog }
  /** Opens a log: a table's text, or what an MCAP file holds. */
  | { readonly type: "openLog"; readonly name: string; readonly log: string | ChannelsLog }
  /** Files of any kind that is known. */
  | { readonly type: "openFiles"; readonly files: readonly TextFile[] }
  /** restart: from the beginning of time; reset: the vehicle back to its start, while time goes on. */
  | { readonly type: "play" | "pause" | "step" | "restart" | "reset" | "takeControl" }
  /** Simulated seconds per second. */
  | { readonly type: "setSpeed"; readonly value: number }
  | { readonly type: "seek"; readonly tick: number }
  | {
      readonly type: "moveStick";
      readonly stick: number;
      readonly motion: StickMotion;
      readonly value: number;
    }
  | { readonly type: "setParameters"; readonly values: Readonly<Record<string, number>> }
  | { readonly type: "setEnvironment"; readonly spec: Spec };

/** Speeds that `setSpeed` takes: simulated seconds per second. */
export const SLOWEST = 0.01;
export const FASTEST = 100;

/** What a client may ask a session. */
export type Query =
  /** Channels over time, in at most so many points. */
  | {
      readonly type: "history";
      readonly names: readonly string[];
      readonly from: number;
      readonly to: number;
      readonly most: number;
    }
  /** The whole sample of a moment. */
  | { readonly type: "sample"; readonly t: number }
  | { readonly type: "log" }
  | { readonly type: "explain" }
  | { readonly type: "csv"; readonly names: readonly string[] }
  /** The vehicle as it is now, as a file. */
  | { readonly type: "yaml" }
  /** Vehicles that ship. */
  | { readonly type: "catalogue" };

export interface Series {
  readonly t: Float64Array;
  readonly columns: readonly Float64Array[];
}
export interface QueryReplies {
  readonly history: Series;
  readonly sample: Float64Array;
  readonly log: FlightLog;
  readonly explain: Explanation;
  readonly csv: readonly string[];
  readonly yaml: string;
  readonly catalogue: readonly CatalogueEntry[];
}

export interface CatalogueEntry {
  readonly name: string;
  /** Heading under which it is listed. */
  readonly group: string;
}

/** What a view needs to know of a flight before its samples come. */
export interface SessionInfo {
  readonly name: string;
  /** To begin another one of the same. */
  readonly vehicle: string | VehicleSpec;
  readonly model: string;
  readonly channels: readonly Field[];
  readonly inputs: readonly Field[];
  readonly parameters: readonly Field[];
  /** As the vehicle's file has them, and as they are now. */
  readonly original: Float64Array;
  readonly values: Float64Array;
  readonly sources: Readonly<Record<string, string>>;
  /** The nested parameters, for a model's shape. */
  readonly shape: unknown;
  readonly scenario: Spec;
  readonly sticks: readonly Stick[];
  readonly actions: readonly KeyAction[];
  readonly help: string;
  readonly boundaries: readonly Boundary[];
  readonly track?: Track;
  readonly controlDt: number;
  /** A log, which can only be played back. */
  readonly isLog: boolean;
  /** The autopilot in control; manual sticks are its radio control. */
  readonly drivenBy?: string;
}

/** Where a flight is. */
export interface Frame {
  readonly row: Float64Array;
  readonly tick: number;
  /** The newest tick, and the oldest that is recorded. */
  readonly end: number;
  readonly first: number;
  readonly isPlaying: boolean;
  readonly isOver: boolean;
  readonly isByHand: boolean;
  readonly sticks: Float64Array;
  readonly hash: string;
  readonly speed: number;
  /** Ticks that were dropped because they came too late. */
  readonly lost: number;
  readonly events: readonly { readonly name: string; readonly t: number }[];
}

/** From a client to the session. */
export type ClientMessage = { readonly command: Command } | { readonly id: number; readonly query: Query };
/** From the session to a client. */
export type SessionMessage =
  | { readonly event: SessionEvent }
  | { readonly id: number; readonly reply: unknown }
  | { readonly id: number; readonly failure: string }
  | { readonly role: Role };
/**
 * The client's role in a served session: in control, another client is, no client is; `gone`: the
 * server closed.
 */
export type Role = "viewer" | "pilot" | "free" | "gone";

/** What a session reports to its clients. */
export type SessionEvent =
  | { readonly type: "started"; readonly info: SessionInfo }
  | { readonly type: "frame"; readonly frame: Frame }
  /** Parameters or environment have changed. */
  | {
      readonly type: "changed";
      readonly values: Float64Array;
      readonly scenario: Spec;
      readonly boundaries: readonly Boundary[];
    }
  /** A shared flight is being repeated: the fraction done, 0 to 1. */
  | { readonly type: "repeating"; readonly part: number }
  /** A flight was repeated: the hash expected, and the hash computed. */
  | { readonly type: "repeated"; readonly wanted: string; readonly hash: string }
  /** Notes on opened files. */
  | { readonly type: "opened"; readonly name: string; readonly notes: readonly string[] }
  /** A command was rejected; the state is unchanged. */
  | { readonly type: "rejected"; readonly message: string }
  /** The simulation failed and stopped. */
  | { readonly type: "stopped"; readonly message: string };
