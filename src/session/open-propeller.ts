/** Puts a propeller of the UIUC database on all rotors of the current vehicle. */

import { readUiuc } from "../formats/uiuc.ts";
import { propellersOf, tableOf } from "../formats/uiuc-database.ts";
import { writtenVehicle } from "../formats/vehicle-yaml.ts";
import { InputError } from "../model/input-error.ts";
import { bladeFrom, estimatedTable } from "../parts/blade-element.ts";
import type { TextFile } from "../simulation/flight/action.ts";
import { asAircraft } from "../vehicle-types/aircraft.ts";
import { type VehicleSpec, vehicleNamed } from "../vehicle-types/vehicle-spec.ts";
import type { Opened } from "./open.ts";

interface Table {
  readonly name: string;
  readonly diameter: number;
  readonly J: readonly number[];
  readonly CT: readonly number[];
  readonly CP: readonly number[];
}

function tableFrom(files: readonly TextFile[]): Table {
  const read = files.map((f) => readUiuc(f.text, f.name));
  const shape = read.find((f) => f.kind === "geometry");
  if (shape?.kind === "geometry") {
    const { diameter } = shape;
    if (diameter === undefined)
      throw new InputError("its name contains no diameter", {
        file: files[0].name,
        allowed: "<name>_<D>x<P>_geom.txt",
      });
    return {
      name: shape.propeller,
      diameter,
      ...estimatedTable(bladeFrom(shape.rows, shape.blades), diameter),
    };
  }
  const p = propellersOf(read)[0];
  const table = p && tableOf(p);
  if (table === undefined)
    throw new InputError("holds no measurements of a propeller", {
      file: files[0].name,
      allowed: "<name>_<D>x<P>_<run>_<rpm>.txt, as the UIUC database has them",
    });
  return { name: p.name, diameter: p.diameter, J: table.J, CT: table.CT, CP: table.CP };
}

export function withPropeller(files: readonly TextFile[], current?: string | VehicleSpec): Opened {
  const { name, diameter, J, CT, CP } = tableFrom(files);
  const vehicle = current === undefined ? undefined : vehicleNamed(current);
  const spec = vehicle && asAircraft(vehicle) && writtenVehicle(vehicle);
  const rotors = spec?.parameters.rotors as Record<string, unknown>[] | undefined;
  if (vehicle === undefined || spec === undefined || !rotors?.length)
    throw new InputError(`there is no rotor for the propeller ${name}`, {
      allowed: "choose a vehicle with rotors, then open the propeller",
    });
  const changed = rotors.map((rotor) => ({
    ...rotor,
    law: "propeller",
    radius: diameter / 2,
    propeller: { diameter, J: [...J], CT: [...CT], CP: [...CP] },
  }));
  const own = {
    name: `${vehicle.name}-${name.replace(/\W+/g, "-")}`,
    words: { ...spec, sources: {}, parameters: { ...spec.parameters, rotors: changed } } as Record<
      string,
      unknown
    >,
  };
  vehicleNamed(own);
  return { vehicle: own, notes: [`all rotors of ${vehicle.name} now have the propeller ${name}`] };
}
