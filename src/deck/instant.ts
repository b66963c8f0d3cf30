import type { Flight } from "../simulation/flight/flight.ts";
import type { Film } from "./film.ts";
import type { Instant } from "./protocol.ts";

/** Of events that happened, as many as a view needs. */
const MOST_EVENTS = 200;

/** What a view is told of now. */
export function instantOf(
  film: Film,
  flight: Flight | undefined,
  isPlaying: boolean,
  speed: number,
  lost: number,
): Instant {
  return {
    row: film.sample().slice(),
    tick: film.tick,
    end: film.end,
    first: film.record.first,
    isPlaying,
    isOver: film.isOver,
    isByHand: flight?.isByHand ?? false,
    sticks: flight?.sticks.slice() ?? new Float64Array(0),
    hash: flight?.simulation.digest() ?? "",
    speed,
    lost,
    events: flight?.simulation.events.slice(-MOST_EVENTS) ?? [],
  };
}
