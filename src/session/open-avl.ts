/** A vehicle from AVL's files, recognised by content: ST and SB of one run, and a mass file. */

import { readAvlMass } from "../formats/avl/mass.ts";
import { readAvlOutput } from "../formats/avl/output.ts";
import { InputError } from "../model/input-error.ts";
import type { TextFile } from "../simulation/flight/action.ts";
import { avlSpec, vehicleFromAvl } from "../vehicle-types/aircraft/avl/vehicle.ts";
import { vehicleNamed } from "../vehicle-types/vehicle-spec.ts";
import type { Opened } from "./open.ts";

const isMass = ({ name, text }: TextFile) => /\.mass$/i.test(name) || /^\s*(Lunit|Munit)\s*=/m.test(text);

/** The AVL command that wrote it: FT, ST or SB; undefined for other files. */
function kindOf({ name, text }: TextFile): string | undefined {
  try {
    return readAvlOutput(text, name).kind;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

export const isAvl = (file: TextFile): boolean =>
  !/\.(ya?ml|csv)$/i.test(file.name) && (isMass(file) || kindOf(file) !== undefined);

export function avlVehicle(files: readonly TextFile[]): Opened {
  const mass = files.find(isMass);
  const [st, sb] = ["ST", "SB"].map((kind) => files.find((f) => f !== mass && kindOf(f) === kind));
  if (st === undefined)
    throw new InputError("AVL's stability-axis derivatives are missing", {
      file: files[0].name,
      allowed: "what OPER writes with ST, together with SB and the mass file",
    });
  if (mass === undefined)
    throw new InputError("AVL's mass file is missing", {
      file: st.name,
      allowed: "open AVL's mass file together with ST and SB (or: sideslip import avl --mass 1.5kg)",
    });
  const read = readAvlOutput(st.text, st.name);
  const imported = vehicleFromAvl({
    runs: [{ st: read, sb: sb && readAvlOutput(sb.text, sb.name) }],
    mass: readAvlMass(mass.text, mass.name),
  });
  const name = (read.configuration || "avl").trim().replace(/\s+/g, "-").toLowerCase();
  const used = [st, sb, mass].flatMap((f) => f?.name ?? []);
  const vehicle = { name, words: { ...avlSpec(read, imported, used) } };
  vehicleNamed(vehicle);
  return { vehicle, notes: imported.findings.map((f) => f.sentence) };
}
