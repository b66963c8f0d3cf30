/** The part of a simulation that an autopilot receives: true motion, air data, sensor values. */

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
  private readonly session: Session;
  private readonly places: ReadonlyMap<string, number>;
  private readonly states: number;
  private readonly outputs: readonly [number, number];
  private readonly fill: ReturnType<typeof motionOf>;
  private readonly seen = new Map<string, number>();

  constructor(session: Session, { model, parameters }: Vehicle, channels: readonly Field[]) {
    this.session = session;
    this.places = new Map(channels.map((f, i) => [f.name, i]));
    this.states = model.states.length;
    const first = 1 + model.states.length + model.inputs.length;
    this.outputs = [first, first + model.outputs.length];
    this.fill = motionOf(model, parameters);
  }

  /** The current sample. */
  take(row: Float64Array): void {
    if (row !== this.row) {
      this.row = row;
      this.x = row.subarray(1, 1 + this.states);
      this.y = row.subarray(...this.outputs);
    }
    this.t = row[0];
    this.fill(this.x, this.y, this.motion);
  }

  /** The index of a channel in a sample, for repeated reading; -1 if it is absent. */
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
  /** The value of a channel; 0 if it is absent. */
  get(name: string): number {
    const place = this.places.get(name);
    return place === undefined ? 0 : this.row[place];
  }
  /** A sensor has delivered since this was asked last. */
  isFresh(sensor: string): boolean {
    const count = this.session.simulation.delivered(sensor);
    if (count === (this.seen.get(sensor) ?? 0)) return false;
    this.seen.set(sensor, count);
    return count > 0;
  }
}
