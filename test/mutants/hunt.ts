/** Checks shipped vehicles with a mutant in place of one source file. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { type Mutant, mutantsOf, mutated } from "./mutants.ts";

/** Equations, the functions that hold them, and vehicles that use them. */
const SUBJECTS: readonly { file: string; functions?: readonly string[]; vehicles: readonly string[] }[] = [
  { file: "src/vehicles/parafoil/equations.ts", functions: ["derivative"], vehicles: ["parafoil"] },
  {
    file: "src/vehicles/aircraft/equations.ts",
    functions: ["derivative"],
    vehicles: ["advanced-plane", "hakoniwa", "typhoon-h480"],
  },
  {
    file: "src/parts/advanced-lift-drag.ts",
    functions: ["advancedLiftDrag", "deriveAdvanced"],
    vehicles: ["advanced-plane"],
  },
  { file: "src/parts/lift-drag.ts", functions: ["liftDrag", "kinked"], vehicles: ["standard-vtol"] },
  { file: "src/parts/rotor.ts", functions: ["staticThrust", "axialFactor"], vehicles: ["x500"] },
  {
    file: "src/vehicles/car/equations.ts",
    functions: ["derivative", "slide", "prepareLoads", "driveForce"],
    vehicles: ["formula-student"],
  },
  { file: "src/vehicles/car/tyres.ts", vehicles: ["formula-student"] },
  { file: "src/vehicles/car/parameters.ts", functions: ["downforce", "drag"], vehicles: ["formula-student"] },
  { file: "src/parts/tyre.ts", functions: ["magicFormula"], vehicles: ["formula-student"] },
  {
    file: "src/parts/motor.ts",
    functions: ["limitedCommand", "lagAcceleration", "motorCurrent", "electricAcceleration"],
    vehicles: ["hakoniwa"],
  },
  {
    file: "src/parts/servo.ts",
    functions: ["limitedAngle", "moveServos", "servoAngles"],
    vehicles: ["rc-cessna"],
  },
  { file: "src/parts/battery.ts", functions: ["openCircuitVoltage"], vehicles: ["hakoniwa"] },
  { file: "src/parts/boundary-effect.ts", functions: ["taper", "boundaryForce"], vehicles: ["x500"] },
  { file: "src/parts/contact.ts", functions: ["contactLoads"], vehicles: ["x500"] },
  { file: "src/parts/surface-axes.ts", functions: ["deriveAxes"], vehicles: ["standard-vtol"] },
  {
    file: "src/vehicles/aircraft/rotors.ts",
    functions: ["supply", "drive", "spin", "feelBoundaries"],
    vehicles: ["hakoniwa"],
  },
  { file: "src/vehicles/car/kinematic.ts", functions: ["rollingSlope"], vehicles: ["formula-student"] },
  {
    file: "src/vehicles/car/loads.ts",
    functions: ["lift", "linearise", "evaluate", "accelerate"],
    vehicles: ["formula-student"],
  },
];

export const allMutants = (): Mutant[] =>
  SUBJECTS.flatMap(({ file, functions }) => mutantsOf(file, functions));

const ENTRY = `
import { checks } from "../../src/analysis/check/check.ts";
import { preset } from "../../src/vehicle-types/index.ts";
/** The first thing that is wrong, or nothing. */
export function hunt(vehicles, hasWitnesses) {
  for (const name of vehicles)
    for (const finding of checks(preset(name)))
      if (finding.status === "wrong" && (hasWitnesses || finding.check !== "witness")) return finding.check + ": " + finding.text;
}
`;

export interface Hunt {
  readonly mutant: Mutant;
  /** What found it, or nothing where it survived. */
  readonly found: string | undefined;
  /** The same without the published results. */
  readonly byLaw: string | undefined;
}

const FOLDER = resolve("node_modules/.mutants");

/** A module with other text in one of the sources. */
async function bundled(replaced: Readonly<Record<string, string>>, name: string): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const entry = join(FOLDER, "entry.mjs");
  writeFileSync(entry, ENTRY.replaceAll("../../src", resolve("src")));
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [{ name: "mutant", enforce: "pre", load: (id: string) => replaced[id] }],
    ssr: { external: ["zod", "yaml"] },
    build: { ssr: entry, write: false, minify: false, target: "es2022" },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const { code } = (output as { output: { code: string }[] }).output[0];
  const file = join(FOLDER, `${name}.mjs`);
  writeFileSync(file, code);
  return file;
}

let count = 0;

/** What finds a change of the sources at vehicles; `isAll`: also without published results, which takes longer. */
export async function huntOne(
  replaced: Readonly<Record<string, string>>,
  vehicles: readonly string[],
  isAll = false,
): Promise<Pick<Hunt, "found" | "byLaw">> {
  const file = await bundled(replaced, `mutant-${process.pid}-${count++}`);
  const run = async (hasWitnesses: boolean): Promise<string | undefined> => {
    try {
      return (await import(pathToFileURL(file).href)).hunt(vehicles, hasWitnesses);
    } catch (error) {
      return `it breaks: ${(error as Error).message}`;
    }
  };
  const found = { found: await run(true), byLaw: isAll ? await run(false) : undefined };
  rmSync(file);
  return found;
}

export async function hunt(mutants: readonly Mutant[], isAll = false): Promise<Hunt[]> {
  const out: Hunt[] = [];
  for (const mutant of mutants) {
    const { vehicles } = SUBJECTS.find((s) => s.file === mutant.file) as (typeof SUBJECTS)[number];
    out.push({ mutant, ...(await huntOne({ [resolve(mutant.file)]: mutated(mutant) }, vehicles, isAll)) });
  }
  return out;
}

/** Those that nothing found; told. */
export function survivorsOf(hunts: readonly Hunt[]): string[] {
  const survivors = hunts
    .filter((h) => h.found === undefined)
    .map(({ mutant: m }) => `${m.file}:${m.line} ${m.kind} ${m.term}`);
  console.info(
    `check found ${hunts.length - survivors.length} of ${hunts.length} mutants; survivors:\n${survivors.join("\n")}`,
  );
  return survivors;
}
