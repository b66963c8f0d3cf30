/** What a simulation is made of, and the row of numbers that it keeps. */

import { type Environment, environmentLength } from "../environment/environment.ts";
import type { Integrator } from "../integrators/integrator.ts";
import type { Field } from "../model/field.ts";
import type { InputSource } from "../model/input-source.ts";
import type { Monitor } from "../model/monitor.ts";
import type { Sensors } from "../sensors/sensors.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";

/** What a simulation is made of; `createSimulation` makes it from a scenario. */
export interface SimulationParts {
  readonly vehicle: Vehicle;
  /** Complete initial state. */
  readonly initial: Float64Array;
  readonly environment: Environment;
  readonly inputs: InputSource;
  readonly sensors: Sensors;
  readonly monitor?: Monitor;
  /** When the vehicle is taken back to its start, in order [s]. */
  readonly resets?: readonly number[];
  readonly integrator: Integrator;
  /** Largest integration step [s]. */
  readonly dt: number;
  /** Inputs and samples [s]. */
  readonly controlDt: number;
  /** What a snapshot must share with the simulation that it is restored into, beside its shape. */
  readonly identity?: string;
}

export type StateArray = Float64Array | Uint32Array;

/** All memory of the input source, sensors and monitors. */
export const controlMemory = ({
  inputs: source,
  sensors,
  monitor: watcher,
}: SimulationParts): StateArray[] => [
  ...(source.memory ?? []),
  ...sensors.memory,
  ...(watcher?.memory ?? []),
];
/** And of what it flies through, and how it is integrated. */
export const environmentMemory = ({ environment, integrator }: SimulationParts): StateArray[] => [
  ...environment.memory,
  ...(integrator.memory ? [integrator.memory] : []),
];

const TIME: Field = { name: "t", unit: "s", meaning: "simulated time" };

/**
 * t, x, u, y, z, the monitor's fields and e side by side (e's boundary slots, which are no channels, last): windows into one
 * row, so that a sample costs no copying; the first is the row itself without the slots.
 */
export function rowOf({ vehicle: { model }, sensors, monitor: watcher }: SimulationParts) {
  const groups = [model.states, model.inputs, model.outputs, sensors.fields, watcher?.fields ?? []];
  const channels: readonly Field[] = [TIME, ...groups.flat(), ...model.environment];
  const lengths = [...groups.map((group) => group.length), environmentLength(model)];
  const all = new Float64Array(1 + lengths.reduce((sum, n) => sum + n));
  let offset = 1;
  const windows = lengths.map((length) => {
    offset += length;
    return all.subarray(offset - length, offset);
  });
  return { channels, windows: [all.subarray(0, channels.length), ...windows] };
}
