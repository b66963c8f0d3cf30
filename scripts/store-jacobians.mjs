// Writes dist/jacobians/: exact derivatives of the vehicles that come with Sideslip, and steps of radau for the car, as machine code, so that
// commands that look at one vehicle need not compile.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SOURCE_HASH } from "../dist/campaign/identity.generated.js";
import { storedName } from "../dist/cli/derivatives.js";
import { store } from "../dist/compile/store.js";
import { preset, presetNames } from "../dist/vehicle-types/index.js";

const folder = fileURLToPath(new URL("../dist/jacobians/", import.meta.url));
/** Of the equations, and of how they are named. */
const VERSION = `${SOURCE_HASH} ${storedName({})}`;
let of = "";
try {
  of = readFileSync(`${folder}of.txt`, "utf8");
} catch {}
if (of !== VERSION) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of presetNames()) {
    const vehicle = preset(name);
    const { text, modules } = store(vehicle);
    const path = folder + storedName(vehicle.model);
    writeFileSync(`${path}.json`, text);
    for (const [part, module] of Object.entries(modules)) writeFileSync(`${path}.${part}.wasm`, module);
  }
  writeFileSync(`${folder}of.txt`, VERSION);
}
