/** Files that a person opens, by what is in them: vehicles, scenarios, models of other tools. */

import { readRosParameters } from "../formats/ros-params.ts";
import { readSdf } from "../formats/sdf/model.ts";
import { sdfSpec, vehicleFromSdf } from "../formats/sdf/vehicle.ts";
import { type Document, overlay, plainSource } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { parseYaml } from "../model/yaml.ts";
import { openAmong, type Spec, type TextFile } from "../simulation/flight/action.ts";
import { readScenario } from "../simulation/scenario.ts";
import { preset, presetNames, readVehicle } from "../vehicle-types/index.ts";
import { type VehicleSpec, vehicleNamed } from "../vehicle-types/vehicle-spec.ts";
import { avlVehicle, isAvl } from "./open-avl.ts";
import { withPropeller } from "./open-propeller.ts";

/** The vehicle and scenario of opened files, with notes for the user. */
export interface Opened {
  readonly vehicle: string | VehicleSpec;
  /** Without a scenario the vehicle starts under manual control. */
  readonly scenario?: Spec;
  readonly notes: readonly string[];
}

const stem = (file: string) => file.replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "");
const has = (source: Document, key: string) =>
  typeof source.value === "object" && source.value !== null && key in source.value;

/** `current` is the current vehicle, which receives an opened propeller. */
export function openTexts(files: readonly TextFile[], current?: string | VehicleSpec): Opened {
  if (files.length === 0) throw new InputError("no file was given");
  const sdf = files.find((f) => /<sdf\b/i.test(f.text.slice(0, 2000)) || /\.sdf$/i.test(f.name));
  if (sdf) return fromSdf(sdf, files);
  if (files.some(isAvl)) return avlVehicle(files);
  if (files.every((f) => /\.txt$/i.test(f.name))) return withPropeller(files, current);
  return fromYaml(files);
}

function fromSdf(file: TextFile, files: readonly TextFile[]): Opened {
  const beside = (uri: string) => {
    const name = /^model:\/\/([^/]+)/.exec(uri)?.[1];
    const found = files.find((f) => f !== file && stem(f.name) === name);
    return found && { text: found.text, file: found.name };
  };
  const imported = vehicleFromSdf(readSdf(file.text, file.name, beside), file.name);
  const { name, remarks } = imported;
  const vehicle = { name, words: { ...sdfSpec(imported) } };
  vehicleNamed(vehicle);
  return { vehicle, notes: remarks.map((r) => `${file.name}:${r.line}: ${r.sentence}`) };
}

function fromYaml(files: readonly TextFile[]): Opened {
  const written = files.filter((f) => /\.ya?ml$/i.test(f.name));
  const sources = (written.length > 0 ? written : files).map((f) => parseYaml(f.text, f.name));
  const own = sources.filter((s) => has(s, "model"));
  for (const source of own) readVehicle(source, stem(source.file));
  const asNamed = (source: Document): VehicleSpec => ({
    name: stem(source.file),
    words: source.value as Spec,
  });
  const ros = sources.find((s) =>
    Object.values((s.value as object) ?? {}).some(
      (v) => v !== null && typeof v === "object" && "ros__parameters" in v,
    ),
  );
  if (ros) {
    const vehicle = preset("parafoil");
    const { scenario: read, unused } = readRosParameters(ros, vehicle.model);
    const scenario = overlay(read, plainSource({ vehicle: vehicle.name }, ros.file));
    readScenario(scenario, vehicle);
    return {
      vehicle: "parafoil",
      scenario: scenario.value as Spec,
      notes: unused.map((u) => `no effect: ${u}`),
    };
  }
  const scenario = sources.find((s) => has(s, "vehicle"));
  if (scenario) {
    const asked = String((scenario.value as { vehicle?: unknown }).vehicle);
    const beside = own.find((s) => s.file === asked.replace(/^.*[/\\]/, ""));
    if (!beside && !presetNames().includes(asked))
      throw new InputError(`its vehicle "${asked}" was not opened`, {
        file: scenario.file,
        ...scenario.locate(["vehicle"]),
        field: "vehicle",
        allowed: `open ${asked} together with it, or one of ${presetNames().join(", ")}`,
      });
    const named = beside ? asNamed(beside) : asked;
    readScenario(scenario, vehicleNamed(named), openAmong(files));
    return { vehicle: named, scenario: scenario.value as Spec, notes: [] };
  }
  if (own.length === 0)
    throw new InputError("is neither a vehicle (model: ...) nor a scenario (vehicle: ...)", {
      file: files[0].name,
      allowed:
        "vehicle and scenario YAML, ROS 2 parameters, AVL's ST and SB with a mass file, SDF, UIUC .txt, CSV logs",
    });
  return {
    vehicle: asNamed(own[0]),
    notes: own.length > 1 ? [`${own.length} vehicles were opened; the first one is used`] : [],
  };
}
