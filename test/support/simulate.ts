import type { Wind } from "../../src/environment/wind.ts";
import { plainSource } from "../../src/model/document.ts";
import type { InputSource } from "../../src/model/input-source.ts";
import type { Model } from "../../src/model/model.ts";
import { createCore } from "../../src/simulation/create.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { preset, readVehicle } from "../../src/vehicle-types/index.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";

/** A vehicle of a model defined in a test. */
export function vehicleOf(
  model: Model,
  parameters: Record<string, unknown>,
  initial: Record<string, unknown> = {},
): Vehicle {
  return readVehicle(plainSource({ model: model.name, parameters, initial }, "test vehicle"), model.name, {
    types: [{ name: model.name, model }],
  });
}

/** A simulation from the words of a scenario file. */
export function simulate(
  words: Record<string, unknown>,
  vehicle: Vehicle = preset("parafoil"),
  own: { wind?: Wind; source?: InputSource } = {},
) {
  return createCore(
    readScenario(plainSource({ vehicle: vehicle.name, ...words }, "test scenario"), vehicle),
    own,
  );
}
