import { allowed, type Field } from "../model/field.ts";
import { pack } from "../model/parameters.ts";
import type { Vehicle } from "./vehicle.ts";

/** One field as `describe` reports it. */
export interface FieldDescription {
  readonly name: string;
  readonly unit: string;
  readonly range: string;
  readonly meaning: string;
  readonly value?: number;
  /** The value as files write it, where it is a choice. */
  readonly word?: string;
  readonly source?: string;
}

/** A model's description, and a vehicle's numbers. */
export function describeVehicle(vehicle: Vehicle) {
  const { model, labels } = vehicle;
  /** servo_1 and servo_1_cmd are the left elevon's. */
  const labelled = (f: Field) => {
    const label = labels[f.name.replace(/_(cmd|health)$/, "")];
    return label === undefined ? f.meaning : `${f.meaning} (${label})`;
  };
  const line = (f: Field): FieldDescription => ({
    name: f.name,
    unit: f.unit,
    range: allowed(f),
    meaning: labelled(f),
  });
  const values = pack(model.parameters, vehicle.parameters);
  return {
    vehicle: vehicle.name,
    description: vehicle.description,
    model: vehicle.type.name,
    states: model.states.map(line),
    inputs: model.inputs.map(line),
    environment: model.environment.map(line),
    outputs: model.outputs.map(line),
    events: (model.events ?? []).map((e) => e.name),
    autopilots: vehicle.autopilots ?? {},
    parameters: model.parameters.map((f, i) => ({
      ...line(f),
      value: values[i],
      ...wordOf(f, values[i]),
      source: vehicle.sources[f.name],
    })),
  };
}

function wordOf({ choices }: Field, value: number): { word?: string } {
  const found = Object.entries(choices ?? {}).find(([, v]) => v === value);
  return found ? { word: found[0] } : {};
}

/** What `describeVehicle` gives. */
export type VehicleDescription = ReturnType<typeof describeVehicle>;
