/** Exact derivatives for analysis, where the build made them: compiling takes longer than a trim. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { hasVectors } from "../compile/machine.ts";
import { withStored } from "../compile/stored.ts";
import type { Model, Vehicle } from "../model/model.ts";

/** What equations are stored under: where they stand, and how many parts of each kind a vehicle has. */
export const storedName = ({ source }: Model): string =>
  createHash("sha256")
    .update(JSON.stringify(source ?? null))
    .digest("hex")
    .slice(0, 16);

/** Plain: derivatives without machine code, with the same bits. */
export async function withDerivatives(vehicle: Vehicle, isPlain = !hasVectors()): Promise<Vehicle> {
  const at = (ending: string) =>
    new URL(`./jacobians/${storedName(vehicle.model)}.${ending}`, import.meta.url);
  if (!existsSync(at("json"))) return vehicle;
  const instead = isPlain
    ? (await import("../compile/exact.ts")).exact(vehicle, { isPlain }).model.jacobian
    : undefined;
  return withStored(vehicle, readFileSync(at("json"), "utf8"), readFileSync(at("wasm")), instead);
}
