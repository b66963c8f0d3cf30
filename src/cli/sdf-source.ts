/** SDF files on disk: a model, and what it includes from the folder that holds its own. Nothing else is opened. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { type Resolve, readSdf } from "../formats/sdf/model.ts";
import { type SdfVehicle, sdfSpec, vehicleFromSdf } from "../formats/sdf/vehicle.ts";
import { writeVehicle } from "../formats/vehicle-yaml.ts";
import { InputError } from "../model/input-error.ts";
import { parseYaml } from "../model/yaml.ts";
import { readVehicle } from "../vehicle-types/index.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { readText } from "./files.ts";

/** `model://name` is a folder beside the model's own folder, or inside it. */
function besides(path: string): Resolve {
  const own = dirname(realpathSync(path));
  const allowed = dirname(own);
  return (uri) => {
    const name = /^model:\/\/([A-Za-z0-9_][A-Za-z0-9_.-]*)\/?$/.exec(uri)?.[1];
    if (name === undefined) return undefined;
    for (const file of [allowed, own].flatMap((folder) => [
      join(folder, name, "model.sdf"),
      join(folder, name, `${name}.sdf`),
    ]))
      if (existsSync(file) && realpathSync(file).startsWith(allowed + sep))
        return { text: readText(file), file };
    return undefined;
  };
}

export interface SdfImport {
  readonly imported: SdfVehicle;
  /** The vehicle file. */
  readonly text: string;
  readonly vehicle: Vehicle;
}

export function importSdf(path: string): SdfImport {
  const text = readText(path);
  const imported = vehicleFromSdf(readSdf(text, path, besides(path)), path);
  const vehicleText = writeVehicle(sdfSpec(imported));
  try {
    return { imported, text: vehicleText, vehicle: readVehicle(parseYaml(vehicleText, path), imported.name) };
  } catch (error) {
    // Line numbers of the intermediate vehicle file would mislead.
    if (!(error instanceof InputError)) throw error;
    const { field, allowed } = error.details;
    const remark = imported.remarks[0];
    const more = remark ? ` (line ${remark.line}: ${remark.sentence})` : "";
    throw new InputError(`${error.problem}${more}`, { file: path, field, allowed });
  }
}
