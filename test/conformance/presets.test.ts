/** Presets are embedded without checks; here every file is read with all of them, as a person's would be. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainSource } from "../../src/model/document.ts";
import { parseYaml } from "../../src/model/yaml.ts";
import { preset, presetNames, readVehicle, VEHICLE_TYPES } from "../../src/vehicle-types/index.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";
import { shippedVehicle } from "../../src/vehicles/vehicle-file.ts";

const folder = new URL("../../src/vehicles/", import.meta.url).pathname;
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((p) =>
  /presets[/\\][^/\\]+\.yaml$/.test(p),
);

const told = ({ model, ...rest }: Vehicle) => ({ ...rest, model: model.name, fields: model.parameters });

describe("presets", () => {
  it("are all embedded", () => {
    expect(files.map((p) => basename(p, ".yaml")).sort()).toEqual([...presetNames()].sort());
  });

  it.each(files)("%s is read with all checks, and comes out the same", (path) => {
    const name = basename(path, ".yaml");
    const source = parseYaml(readFileSync(join(folder, path), "utf8"), `preset ${name}`);
    expect(told(preset(name))).toEqual(told(readVehicle(source, name)));
  });

  it("holds for the vehicles of the reference cases, too", () => {
    let count = 0;
    for (const type of VEHICLE_TYPES) {
      const { model } = preset(Object.keys(type.presets ?? {})[0]);
      for (const { vehicle, source } of type.checks?.(model).referenceCases ?? []) {
        if (typeof vehicle === "string") continue;
        const document = plainSource(vehicle, source);
        expect(told(shippedVehicle(type, document, "case"))).toEqual(told(readVehicle(document, "case")));
        count++;
      }
    }
    expect(count).toBeGreaterThan(5);
  });
});
