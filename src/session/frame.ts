import type { Flight } from "../simulation/flight/flight.ts";
import type { Playback } from "./playback.ts";
import type { Frame } from "./protocol.ts";

/** Of events that happened, as many as a view needs. */
const MOST_EVENTS = 200;

/** The frame of the current tick. */
export function frameOf(
  playback: Playback,
  flight: Flight | undefined,
  isPlaying: boolean,
  speed: number,
  lost: number,
): Frame {
  return {
    row: playback.sample().slice(),
    tick: playback.tick,
    end: playback.end,
    first: playback.record.first,
    isPlaying,
    isOver: playback.isOver,
    isByHand: flight?.isByHand ?? false,
    sticks: flight?.sticks.slice() ?? new Float64Array(0),
    hash: flight?.simulation.digest() ?? "",
    speed,
    lost,
    events: flight?.simulation.events.slice(-MOST_EVENTS) ?? [],
  };
}
