/** WebAssembly kernels from the build: compiling takes longer than a trim or a run. */
import { existsSync, readFileSync } from "node:fs";
import { textHash } from "../campaign/text-hash.ts";
import { hasVectors } from "../compile/kernel.ts";
import { type Part, withStored } from "../compile/stored.ts";
import type { Model } from "../model/model.ts";
import type { Scenario } from "../simulation/scenario.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";

/** The key of stored kernels: where the equations are, and how many parts of each kind a vehicle has. */
export const storedName = ({ source }: Model): string => textHash(JSON.stringify(source ?? null));

/** For analysis. Plain: derivatives without WebAssembly kernels, bit-identical. */
export async function withDerivatives(vehicle: Vehicle, isPlain = !hasVectors()): Promise<Vehicle> {
  if (!isPlain) return withMachineCode(vehicle, "jacobian");
  const { withJacobian: exact } = await import("../compile/with-jacobian.ts");
  return withMachineCode(vehicle, undefined, exact(vehicle, { isPlain }).model.jacobian);
}

/** For a run with radau: kernels for its steps, bit-identical to those without. */
export function withKernels(scenario: Scenario): Scenario {
  const { vehicle, integrator } = scenario;
  const isImplicit = integrator.startsWith("radau") && vehicle.model.newton !== undefined;
  return isImplicit && hasVectors() ? { ...scenario, vehicle: withMachineCode(vehicle, "newton") } : scenario;
}

/** The vehicle with stored kernels, if the build made any. `instead`: bit-identical derivatives. */
function withMachineCode(vehicle: Vehicle, part?: Part, instead?: Model["jacobian"]): Vehicle {
  const at = (ending: string) =>
    new URL(`./jacobians/${storedName(vehicle.model)}.${ending}`, import.meta.url);
  if (!existsSync(at("json")) || (part && !existsSync(at(`${part}.wasm`)))) return vehicle;
  const modules = part ? { [part]: readFileSync(at(`${part}.wasm`)) } : {};
  return withStored(vehicle, readFileSync(at("json"), "utf8"), modules, instead);
}
