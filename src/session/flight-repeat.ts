import type { FlightLog } from "../simulation/flight/action.ts";
import { Flight } from "../simulation/flight/flight.ts";
import { type VehicleSpec, vehicleNamed } from "../vehicle-types/vehicle-spec.ts";

/** Repeats a shared flight from its log, in slices of time. */
export class FlightRepeat {
  readonly vehicleRef: string | VehicleSpec;
  readonly flight: Flight;
  readonly log: FlightLog;
  private readonly ticks: Generator<number>;

  constructor(log: FlightLog) {
    const { vehicle: link, name, scenario, byHand, files } = log;
    this.vehicleRef = typeof link === "string" ? link : { name, words: link };
    this.log = log;
    this.flight = new Flight({
      vehicle: vehicleNamed(this.vehicleRef),
      vehicleRef: link,
      scenario,
      byHand,
      files,
    });
    this.ticks = this.flight.replay(log);
  }

  /** How much of it is done, 0 to 1. */
  get part(): number {
    return this.flight.tick / Math.max(1, this.log.ticks);
  }

  /** Goes on while there is time; whether it has come to its end. */
  advance(hasTime: () => boolean): boolean {
    while (hasTime()) if (this.ticks.next().done) return true;
    return false;
  }
}
