/** Presets are embedded without checks; here every file is read with all of them, as a person's would be. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseYaml, plainSource } from "../../src/model/document.ts";
import type { Vehicle } from "../../src/model/model.ts";
import { MODELS, preset, presetNames, readVehicle, shippedVehicle } from "../../src/vehicles/vehicle-file.ts";

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

  it("holds for the vehicles of the witnesses, too", () => {
    const models = Object.values(MODELS).map((m) => (typeof m === "function" ? preset("x500").model : m));
    const own = models
      .flatMap((m) => m.checks?.referenceCases ?? [])
      .filter((w) => typeof w.vehicle !== "string");
    expect(own.length).toBeGreaterThan(5);
    for (const { vehicle, source } of own) {
      const words = plainSource(vehicle, source);
      expect(told(shippedVehicle(words, "witness"))).toEqual(told(readVehicle(words, "witness")));
    }
  });
});
