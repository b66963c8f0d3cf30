/** What a flight deck is told and asked, and what it tells: between a page and a worker, or over a socket. Plain data only. */

import type { Explanation } from "../analysis/explain.ts";
import type { KeyAction, Stick } from "../control/hands/hands.ts";
import type { Gesture } from "../control/hands/stick-source.ts";
import type { Boundary } from "../environment/boundaries.ts";
import type { Track } from "../environment/track/track.ts";
import type { ChannelsLog } from "../formats/mcap-channels.ts";
import type { NamedWords } from "../formats/named-vehicle.ts";
import type { Field } from "../model/field.ts";
import type { FlightLog, TextFile, Words } from "../simulation/flight/deeds.ts";

export type Order =
  /** A new flight; without a scenario by hand from a steady start. */
  | {
      readonly do: "begin";
      readonly vehicle: string | NamedWords;
      readonly scenario?: Words;
      readonly byHand?: boolean;
      /** Files that the scenario names. */
      readonly files?: readonly TextFile[];
      /** Parameters that differ from the vehicle's, by name. */
      readonly parameters?: Readonly<Record<string, number>>;
      /** A steady motion to begin with, the sticks held in it. */
      readonly from?: { readonly x: Float64Array; readonly u: Float64Array };
    }
  | { readonly do: "again"; readonly log: FlightLog }
  /** A log to look at: a table's text, or what an MCAP file holds. */
  | { readonly do: "watch"; readonly name: string; readonly log: string | ChannelsLog }
  /** Files of any kind that is known. */
  | { readonly do: "open"; readonly files: readonly TextFile[] }
  /** restart: from the beginning of time; reset: the vehicle back to its start, while time goes on. */
  | { readonly do: "play" | "pause" | "step" | "restart" | "reset" | "take" }
  /** Simulated seconds per second. */
  | { readonly do: "speed"; readonly value: number }
  | { readonly do: "seek"; readonly tick: number }
  | { readonly do: "gesture"; readonly stick: number; readonly kind: Gesture; readonly value: number }
  | { readonly do: "change"; readonly values: Readonly<Record<string, number>> }
  | { readonly do: "surround"; readonly words: Words };

export type Question =
  /** Channels over time, in at most so many points. */
  | {
      readonly ask: "series";
      readonly names: readonly string[];
      readonly from: number;
      readonly to: number;
      readonly most: number;
    }
  /** The whole sample of a moment. */
  | { readonly ask: "row"; readonly t: number }
  | { readonly ask: "log" }
  | { readonly ask: "explain" }
  | { readonly ask: "csv"; readonly names: readonly string[] }
  /** The vehicle as it is now, as a file. */
  | { readonly ask: "yaml" };

export interface Series {
  readonly t: Float64Array;
  readonly columns: readonly Float64Array[];
}
export interface Answers {
  readonly series: Series;
  readonly row: Float64Array;
  readonly log: FlightLog;
  readonly explain: Explanation;
  readonly csv: readonly string[];
  readonly yaml: string;
}

/** What a view needs to know of a flight before its samples come. */
export interface Begun {
  readonly name: string;
  /** To begin another one of the same. */
  readonly named: string | NamedWords;
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
  readonly scenario: Words;
  readonly sticks: readonly Stick[];
  readonly actions: readonly KeyAction[];
  readonly help: string;
  readonly boundaries: readonly Boundary[];
  readonly track?: Track;
  readonly controlDt: number;
  /** A log, which can only be looked at. */
  readonly isLog: boolean;
  /** The autopilot that flies it; hands are its radio control. */
  readonly drivenBy?: string;
}

/** Where a flight is. */
export interface Instant {
  readonly row: Float64Array;
  readonly tick: number;
  /** The newest tick, and the oldest that is kept. */
  readonly end: number;
  readonly first: number;
  readonly isPlaying: boolean;
  readonly isOver: boolean;
  readonly isByHand: boolean;
  readonly sticks: Float64Array;
  readonly hash: string;
  readonly speed: number;
  /** Ticks that came too late and were left out. */
  readonly lost: number;
  readonly events: readonly { readonly name: string; readonly t: number }[];
}

export type News =
  | { readonly news: "begun"; readonly flight: Begun }
  | { readonly news: "instant"; readonly instant: Instant }
  /** Parameters or surroundings are others now. */
  | {
      readonly news: "changed";
      readonly values: Float64Array;
      readonly scenario: Words;
      readonly boundaries: readonly Boundary[];
    }
  /** A shared flight is being repeated: so much of it is done, 0 to 1. */
  | { readonly news: "repeating"; readonly part: number }
  /** A flight was repeated: did it come out the same? */
  | { readonly news: "repeated"; readonly wanted: string; readonly hash: string }
  /** What is good to know of what was opened. */
  | { readonly news: "opened"; readonly name: string; readonly notes: readonly string[] }
  /** What was ordered cannot be; what was is as before. */
  | { readonly news: "refused"; readonly message: string }
  /** The flight cannot go on. */
  | { readonly news: "stopped"; readonly message: string };
