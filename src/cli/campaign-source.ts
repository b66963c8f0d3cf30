/** A campaign's file, and the scenario that it names. */
import { dirname, resolve } from "node:path";
import { type Campaign, makeCampaign } from "../campaign/campaign.ts";
import { IDENTITY } from "../campaign/identity.ts";
import { withJacobian } from "../compile/with-jacobian.ts";
import { type Document, overlay, plainSource } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { vehicleNamed, vehicleSpec } from "../vehicle-types/vehicle-spec.ts";
import { openResult } from "./campaign-show.ts";
import { type FoundScenario, findScenario, findVehicle, isPath, readYaml } from "./inputs.ts";
import { wholeNumber } from "./number-flags.ts";
import { openBeside } from "./run-options.ts";

const partOf = (source: Document, key: string): unknown =>
  typeof source.value === "object" && source.value !== null
    ? (source.value as Record<string, unknown>)[key]
    : undefined;

/** Reads a campaign; `runs` overrides its number of runs. */
export function findCampaign(path: string, runs?: string): Campaign {
  if (/\.parquet$/i.test(path))
    throw new InputError("is a campaign result, not a specification", {
      file: path,
      allowed: "a specification (.yaml); `sideslip campaign show` shows results",
    });
  const beside = (name: string) => (isPath(name) ? resolve(dirname(path), name) : name);
  const read = readYaml(path);
  const source = runs === undefined ? read : overlay(read, plainSource({ runs }, "--runs"));
  const scenario = partOf(source, "scenario");
  if (typeof scenario === "string") {
    const name = beside(scenario);
    const found = findScenario(name);
    return makeCampaign(source, vehicleSpec(found.vehicle), found.document, openBeside(name));
  }
  if (typeof scenario !== "object" || scenario === null)
    throw new InputError(scenario === undefined ? "is missing" : "is not a scenario", {
      file: path,
      ...source.locate([], "scenario"),
      field: "scenario",
      allowed: "the path of a scenario, a vehicle's name, or a scenario block",
    });
  const vehicle = (scenario as Record<string, unknown>).vehicle;
  if (typeof vehicle !== "string")
    throw new InputError("is missing", {
      file: path,
      ...source.locate(["scenario"], "vehicle"),
      field: "scenario.vehicle",
      allowed: "a preset's name (see `sideslip list`) or the path of a vehicle file",
    });
  const inline: Document = {
    file: source.file,
    value: scenario,
    locate: (at, key) => source.locate(["scenario", ...at], key),
  };
  return makeCampaign(source, vehicleSpec(findVehicle(beside(vehicle))), inline, openBeside(path));
}

/** One run of a campaign, from its specification or its results; plain: without WebAssembly kernels. */
export async function plannedRun(path: string, index: string, isPlain?: boolean): Promise<FoundScenario> {
  const isResult = /\.parquet$/i.test(path);
  if (!isResult && !isPath(path))
    throw new InputError("needs a campaign, not a vehicle", {
      field: "--index",
      value: path,
      allowed: "a campaign's .yaml or .parquet",
    });
  const campaign = isResult ? await campaignOf(path) : findCampaign(path);
  const run = wholeNumber(index, "--index", 0, campaign.runs - 1);
  const { words } = campaign;
  const vehicle = vehicleNamed(words.vehicle);
  return {
    document: plainSource(campaign.wordsOf(run), `${path}, run ${run}`),
    // A model with its own Newton solver for radau needs no compiled derivatives.
    vehicle: vehicle.model.newton ? vehicle : withJacobian(vehicle, { isPlain }),
    open: campaign.open,
    notes:
      words.sideslip === IDENTITY
        ? []
        : [
            `${path} was made by another version of Sideslip (${words.sideslip}; this is ${IDENTITY}): the run may differ`,
          ],
  };
}

async function campaignOf(path: string): Promise<Campaign> {
  const { campaign, close } = await openResult(path);
  close();
  return campaign;
}
