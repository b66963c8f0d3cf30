/**
 * Where `sideslip prop` gets its coefficients from: measured files, a blade's geometry, given
 * numbers, or generic ones.
 */
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { INCH, readUiuc, readUiucName, type UiucFile } from "../formats/uiuc.ts";
import { type MeasuredPropeller, nearest, propellersOf, tableOf } from "../formats/uiuc-database.ts";
import { InputError } from "../model/input-error.ts";
import { type Blade, bladeFrom, estimatedTable, TYPICAL_RPM, typicalBlade } from "../parts/blade-element.ts";
import { GENERIC } from "../parts/propeller-constants.ts";
import { readText, reason } from "./files.ts";

export interface FoundPropeller {
  readonly name: string;
  readonly origin: string;
  readonly diameter: number;
  readonly J: readonly number[];
  readonly CT: readonly number[];
  readonly CP: readonly number[];
  /** Notes for the user: skipped files, alternatives. */
  readonly notes: readonly string[];
}

const inches = (metres: number) => Number((metres / INCH).toPrecision(4));

/** Diameter and pitch of `10x5` in metres. */
export function readSize(text: string): { diameter: number; pitch: number } | undefined {
  const match = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/i.exec(text);
  if (!match) return undefined;
  const [diameter, pitch] = [Number(match[1]) * INCH, Number(match[2]) * INCH];
  if (!(diameter > 0))
    throw new InputError("is not a diameter", { field: "propeller", value: text, allowed: "> 0 in" });
  return { diameter, pitch };
}

/** All files of a folder that can be read, and why the others cannot. */
export function readFolder(folder: string): { files: UiucFile[]; skipped: string[] } {
  let names: string[];
  try {
    names = readdirSync(folder)
      .filter((name) => /\.txt$/i.test(name))
      .sort();
  } catch (error) {
    throw new InputError(`cannot be read: ${reason(error)}`, {
      file: folder,
      allowed: "a folder of UIUC files",
    });
  }
  const files: UiucFile[] = [];
  const skipped: string[] = [];
  for (const name of names)
    try {
      files.push(readUiuc(readText(join(folder, name)), name));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      skipped.push(error.message);
    }
  return { files, skipped };
}

function measured(p: MeasuredPropeller, rpm: number | undefined, folder: string): FoundPropeller | undefined {
  const table = tableOf(p, rpm);
  if (table === undefined) return undefined;
  const names = table.files.map((f) => basename(f)).join(", ");
  return {
    name: p.name,
    origin: `UIUC measurements${table.rpm === undefined ? "" : ` at ${table.rpm} rpm`} (${names})`,
    diameter: p.diameter,
    J: table.J,
    CT: table.CT,
    CP: table.CP,
    notes: [
      ...(table.hasStatic ? [] : [`no static measurement: J = 0 takes the values of J = ${table.J[1]}`]),
      ...p.files.flatMap((f) => f.notes.map((note) => `${join(folder, basename(f.file))}: ${note}`)),
    ],
  };
}

/** A measured file with the others of its propeller beside it, or a blade's geometry. */
export function fromFile(path: string, rpm: number | undefined): FoundPropeller {
  const own = readUiuc(readText(path), path);
  if (own.kind === "geometry") {
    const { diameter } = own;
    if (diameter === undefined)
      throw new InputError("its name contains no diameter", {
        file: path,
        allowed: "<name>_<D>x<P>_geom.txt",
      });
    const blade = bladeFrom(own.rows, own.blades);
    return estimated(
      own.propeller,
      blade,
      diameter,
      rpm,
      "moulded propellers of 8 to 11 inches: static C_T within about 10 %, static C_P within 15 % (40 % at worst, a flexible one); larger errors for small and thin ones",
    );
  }
  const { propeller } = readUiucName(path);
  const { files } = readFolder(dirname(path));
  const family = files.filter((f) => f.propeller === propeller);
  const p = propellersOf(family)[0];
  if (p === undefined)
    throw new InputError("its name contains no diameter and pitch", {
      file: path,
      allowed: "<name>_<D>x<P>_<run>_<rpm>.txt, as the database has them",
    });
  const found = measured(p, rpm ?? own.rpm, dirname(path));
  if (found === undefined) throw new InputError("holds no measurements", { file: path });
  return found;
}

/** The propeller of a folder that is nearest in size. */
export function fromDatabase(
  folder: string,
  size: { diameter: number; pitch: number },
  blades: number,
  rpm: number | undefined,
): FoundPropeller {
  const { files, skipped } = readFolder(folder);
  const order = nearest(propellersOf(files), size.diameter, size.pitch, blades);
  const best = order[0];
  const found = best && measured(best, rpm, folder);
  if (found === undefined)
    throw new InputError("holds no propeller measurements", {
      file: folder,
      allowed: "a folder of UIUC files",
    });
  const isSame = Math.abs(best.diameter - size.diameter) < 1e-6 && Math.abs(best.pitch - size.pitch) < 1e-6;
  return {
    ...found,
    diameter: size.diameter,
    notes: [
      ...(isSame
        ? []
        : [
            `the nearest in size is ${inches(best.diameter)} x ${inches(best.pitch)} in; its coefficients are used for yours`,
          ]),
      `next nearest: ${order
        .slice(1, 4)
        .map((p) => p.name)
        .join(", ")}`,
      ...(skipped.length > 0 ? [`${skipped.length} files not read: ${skipped.join("; ")}`] : []),
      ...found.notes,
    ],
  };
}

/** Blade elements, without any measurement. */
function estimated(
  name: string,
  blade: Blade,
  diameter: number,
  rpm = TYPICAL_RPM,
  error: string,
): FoundPropeller {
  return {
    name,
    origin: `estimated from its geometry by blade elements and momentum at ${rpm} rpm; ${error}`,
    diameter,
    ...estimatedTable(blade, diameter, rpm),
    notes: [],
  };
}

export function fromSize(
  name: string,
  { diameter, pitch }: { diameter: number; pitch: number },
  blades: number,
  rpm: number | undefined,
): FoundPropeller {
  const ratio = pitch / diameter;
  const isUsual = ratio >= 0.3 && ratio <= 1.3 && diameter >= 2 * INCH && diameter <= 20 * INCH;
  const found = estimated(
    name,
    typicalBlade(ratio, blades),
    diameter,
    rpm,
    "with a typical chord: static C_T within about 12 %, static C_P within 14 % of measurements (40 % at worst)",
  );
  return isUsual
    ? found
    : {
        ...found,
        notes: [
          "outside the validated sizes (2 to 20 in, pitch 0.3 to 1.3 of the diameter): expect larger errors",
        ],
      };
}

/** Given coefficients, or generic ones for an unknown propeller. */
export function fromNumbers(name: string, diameter: number, CT?: number, CP?: number): FoundPropeller {
  const isGiven = CT !== undefined && CP !== undefined;
  return {
    name,
    origin: isGiven
      ? "coefficients as given"
      : `no data: generic two-blade model propeller, C_T ${GENERIC.CT} and C_P ${GENERIC.CP} at rest (Gazebo motor notes)`,
    diameter,
    J: [0],
    CT: [CT ?? GENERIC.CT],
    CP: [CP ?? GENERIC.CP],
    notes: isGiven
      ? []
      : [
          "--database <folder of UIUC files> finds a measured propeller; --estimate computes one from its size",
        ],
  };
}
