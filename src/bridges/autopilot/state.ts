/** What an autopilot is told of a simulation: true motion, air, and what the sensors say. */

import type { Field } from "../../model/field.ts";
import { MOTION_LENGTH, motionOf } from "../../sensors/motion.ts";
import type { Session } from "../../session/session.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";

export class VehicleState {
  /** As in sensors/motion.ts. */
  readonly motion = new Float64Array(MOTION_LENGTH);
  /** Simulated time [s]. */
  t = 0;
  private row: Float64Array = new Float64Array(0);
  /** States and outputs in it. */
  private x = this.row;
  private y = this.row;
  private readonly deck: Session;
  private readonly places: ReadonlyMap<string, number>;
  private readonly states: number;
  private readonly outputs: readonly [number, number];
  private readonly fill: ReturnType<typeof motionOf>;
  private readonly seen = new Map<string, number>();

  constructor(deck: Session, { model, parameters }: Vehicle, channels: readonly Field[]) {
    this.deck = deck;
    this.places = new Map(channels.map((f, i) => [f.name, i]));
    this.states = model.states.length;
    const first = 1 + model.states.length + model.inputs.length;
    this.outputs = [first, first + model.outputs.length];
    this.fill = motionOf(model, parameters);
  }

  /** The sample of now. */
  take(row: Float64Array): void {
    if (row !== this.row) {
      this.row = row;
      this.x = row.subarray(1, 1 + this.states);
      this.y = row.subarray(...this.outputs);
    }
    this.t = row[0];
    this.fill(this.x, this.y, this.motion);
  }

  /** Where a channel stands in a sample, for who reads it often; -1 where it is not. */
  at(name: string): number {
    return this.places.get(name) ?? -1;
  }
  /** What stands there now. */
  value(place: number): number {
    return this.row[place];
  }
  has(name: string): boolean {
    return this.places.has(name);
  }
  /** A channel; of one that is not there 0. */
  get(name: string): number {
    const place = this.places.get(name);
    return place === undefined ? 0 : this.row[place];
  }
  /** A sensor has delivered since this was asked last. */
  isFresh(sensor: string): boolean {
    const count = this.deck.simulation.delivered(sensor);
    if (count === (this.seen.get(sensor) ?? 0)) return false;
    this.seen.set(sensor, count);
    return count > 0;
  }
}
