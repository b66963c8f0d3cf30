// Writes dist/jacobians/: exact derivatives of the vehicles that come with Sideslip, as machine code, so that trim and modes need not compile.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SOURCE_HASH } from "../dist/campaign/identity.generated.js";
import { store } from "../dist/compile/store.js";
import { preset, presetNames } from "../dist/vehicles/vehicle-file.js";

const folder = fileURLToPath(new URL("../dist/jacobians/", import.meta.url));
let of = "";
try {
  of = readFileSync(`${folder}of.txt`, "utf8");
} catch {}
if (of !== SOURCE_HASH) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of presetNames()) {
    const { text, module } = store(preset(name));
    writeFileSync(`${folder}${name}.json`, text);
    writeFileSync(`${folder}${name}.wasm`, module);
  }
  writeFileSync(`${folder}of.txt`, SOURCE_HASH);
}
