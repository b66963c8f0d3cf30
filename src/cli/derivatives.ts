/** Exact derivatives for analysis, where the build made them: compiling takes longer than a trim. */
import { existsSync, readFileSync } from "node:fs";
import { withStored } from "../compile/stored.ts";
import type { Vehicle } from "../model/model.ts";
import { presetNames } from "../vehicles/vehicle-file.ts";

/** Plain: derivatives without machine code, with the same bits. */
export async function withDerivatives(vehicle: Vehicle, isPlain = false): Promise<Vehicle> {
  const { name } = vehicle;
  const at = (ending: string) => new URL(`./jacobians/${name}.${ending}`, import.meta.url);
  if (!presetNames().includes(name) || !existsSync(at("json"))) return vehicle;
  const instead = isPlain
    ? (await import("../compile/exact.ts")).exact(vehicle, { isPlain }).model.jacobian
    : undefined;
  return withStored(vehicle, readFileSync(at("json"), "utf8"), readFileSync(at("wasm")), instead);
}
