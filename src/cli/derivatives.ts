/** Machine code that the build made: compiling takes longer than a trim or a run. */
import { existsSync, readFileSync } from "node:fs";
import { textHash } from "../campaign/text-hash.ts";
import { hasVectors } from "../compile/machine.ts";
import { withStored } from "../compile/stored.ts";
import type { Model, Vehicle } from "../model/model.ts";
import type { Scenario } from "../simulation/scenario.ts";

/** What equations are stored under: where they stand, and how many parts of each kind a vehicle has. */
export const storedName = ({ source }: Model): string => textHash(JSON.stringify(source ?? null));

/** For analysis. Plain: derivatives without machine code, with the same bits. */
export async function withDerivatives(vehicle: Vehicle, isPlain = !hasVectors()): Promise<Vehicle> {
  if (!isPlain) return withMachineCode(vehicle);
  const { exact } = await import("../compile/exact.ts");
  return withMachineCode(vehicle, exact(vehicle, { isPlain }).model.jacobian);
}

/** Where the build made any. `instead`: derivatives of the same bits. */
export function withMachineCode(vehicle: Vehicle, instead?: Model["jacobian"]): Vehicle {
  const at = (ending: string) =>
    new URL(`./jacobians/${storedName(vehicle.model)}.${ending}`, import.meta.url);
  if (!existsSync(at("json"))) return vehicle;
  const moduleOf = (part: string) => readFileSync(at(`${part}.wasm`));
  return withStored(vehicle, readFileSync(at("json"), "utf8"), moduleOf, instead);
}

/** For a run by radau: its steps as machine code, with the bits of those without. */
export function withKernels(scenario: Scenario): Scenario {
  const isImplicit = scenario.integrator.startsWith("radau");
  return isImplicit && hasVectors() ? { ...scenario, vehicle: withMachineCode(scenario.vehicle) } : scenario;
}
