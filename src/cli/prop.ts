import { existsSync } from "node:fs";
import type { Command } from "commander";
import {
  type Constant,
  constantsOf,
  efficiency,
  type PropellerFacts,
  vehicleLines,
} from "../analysis/propeller-report.ts";
import { svgCharts } from "../formats/svg-chart.ts";
import { InputError } from "../model/input-error.ts";
import { staticCoefficients } from "../parts/propeller-constants.ts";
import { OutputFile } from "./files.ts";
import { addNumberFlags, flag, type NumberFlags, readNumberFlags } from "./number-flags.ts";
import {
  type FoundPropeller,
  fromDatabase,
  fromFile,
  fromNumbers,
  fromSize,
  readSize,
} from "./propeller-source.ts";
import { printJson, table } from "./table.ts";
import { print } from "./terminal.ts";

const NUMBERS: NumberFlags = {
  diameter: {
    unit: "m",
    meaning: "propeller diameter (default: from the name)",
    above: 0,
    max: 100,
  },
  blades: { unit: "1", meaning: "number of blades", min: 1, max: 12 },
  rpm: { unit: "1", meaning: "speed of the wanted curve in rpm", above: 0, max: 1e6 },
  ct: { unit: "1", meaning: "static thrust coefficient", above: 0, max: 10 },
  cp: { unit: "1", meaning: "static power coefficient", above: 0, max: 10 },
  rho: { unit: "kg/m^3", meaning: "air density", above: 0, max: 100 },
  installation: {
    unit: "1",
    meaning: "installation factor: fraction of thrust and torque with arms in the wake",
    above: 0,
    max: 1,
  },
  kv: { unit: "1", meaning: "motor velocity constant in rpm per volt", above: 0, max: 1e6 },
  voltage: { unit: "V", meaning: "battery voltage", above: 0, max: 1e4 },
  resistance: { unit: "ohm", meaning: "winding resistance", min: 0, max: 1e3 },
  motorConstant: { unit: "kg m", meaning: "Gazebo's motorConstant, to be turned into C_T", above: 0 },
  momentConstant: { unit: "m", meaning: "Gazebo's momentConstant, to be turned into C_P", above: 0 },
  maxRotVelocity: { unit: "rad/s", meaning: "Gazebo's maxRotVelocity, to be turned into rpm", above: 0 },
  rotorDrag: { unit: "kg", meaning: "rotorDragCoefficient at --from-diameter", min: 0 },
  rollingMoment: { unit: "kg m", meaning: "rollingMomentCoefficient at --from-diameter", min: 0 },
  fromDiameter: { unit: "m", meaning: "diameter that --rotor-drag and --rolling-moment belong to", above: 0 },
};

type Options = Partial<Record<keyof typeof NUMBERS, string>> & {
  database?: string;
  estimate?: boolean;
  yaml?: boolean;
  out?: string;
  json?: boolean;
};

export function addProp(program: Command): void {
  const command = program
    .command("prop")
    .description("propeller data: C_T, C_P and efficiency, and Gazebo's motor constants from them or back")
    .argument("<propeller>", "a UIUC file (advance, static or geometry), or diameter x pitch in inches: 10x5")
    .option("--database <folder>", "folder of UIUC files: the propeller nearest in size is taken")
    .option("--estimate", "compute the curves from diameter and pitch by blade elements");
  addNumberFlags(command, NUMBERS);
  command
    .option("--yaml", "print the lines for a vehicle file")
    .option("--out <file>", "draw the curves (.svg)")
    .option("--json", "print as JSON (SI)")
    .addHelpText(
      "after",
      `
Examples:
  sideslip prop 9x6 --diameter 230mm --ct 0.11 --cp 0.051 --rho 1.22     (the Intel Aero of the Gazebo motor notes)
  sideslip prop 10x5 --database UIUC-propDB --kv 920 --voltage 14.8 --resistance 0.12
  sideslip prop apce_10x5_kt0825_6707.txt --yaml
  sideslip prop 10x5 --motor-constant 8.54858e-06 --moment-constant 0.016
`,
    )
    .action(propCommand);
}

/** Whether these options are given; throws where only some of them are. */
function together(given: Partial<Record<string, number>>, names: readonly string[]): boolean {
  const missing = names.filter((n) => given[n] === undefined);
  if (missing.length === names.length) return false;
  if (missing.length > 0)
    throw new InputError(
      `${flag(names.find((n) => given[n] !== undefined) ?? names[0])} needs ${missing.map(flag).join(" and ")}`,
      {
        field: flag(missing[0]),
      },
    );
  return true;
}

function find(
  what: string,
  options: Options,
  n: Partial<Record<string, number>>,
  rho: number,
): FoundPropeller {
  const size = readSize(what);
  const blades = n.blades ?? 2;
  const backward = together(n, ["motorConstant", "momentConstant"]);
  if (size === undefined) {
    if (!/[/\\]|\.txt$/i.test(what) && !existsSync(what))
      throw new InputError(`"${what}" is neither a file nor diameter x pitch`, {
        field: "propeller",
        allowed: "10x5, or the path of a UIUC file (.txt)",
      });
    return fromFile(what, n.rpm);
  }
  const diameter = n.diameter ?? size.diameter;
  if (backward) {
    const constants = { motorConstant: n.motorConstant ?? 0, momentConstant: n.momentConstant ?? 0 };
    const { CT, CP } = staticCoefficients(constants, diameter, rho, n.installation);
    return {
      ...fromNumbers(what, diameter, CT, CP),
      origin: "from Gazebo's motorConstant and momentConstant",
    };
  }
  if (together(n, ["ct", "cp"])) return fromNumbers(what, diameter, n.ct, n.cp);
  if (options.database !== undefined)
    return fromDatabase(options.database, { ...size, diameter }, blades, n.rpm);
  if (options.estimate) return fromSize(what, { ...size, diameter }, blades, n.rpm);
  return fromNumbers(what, diameter);
}

/** Throws where both options are given. */
function either(options: Options, a: keyof Options, b: keyof Options): void {
  if (options[a] !== undefined && options[b] !== undefined)
    throw new InputError(`--${a} and --${b} exclude each other`, { field: `--${a}`, allowed: "one of them" });
}

function propCommand(what: string, options: Options): void {
  either(options, "database", "estimate");
  either(options, "yaml", "json");
  const n = readNumberFlags(NUMBERS, options);
  if (n.blades !== undefined && !Number.isInteger(n.blades))
    throw new InputError(`${n.blades} is not a whole number of blades`, {
      field: "--blades",
      allowed: "1 to 12",
    });
  const rho = n.rho ?? 1.225;
  const found = find(what, options, n, rho);
  const hasMotor = together(n, ["kv", "voltage"]);
  const hasCrossFlow = together(n, ["rotorDrag", "rollingMoment", "fromDiameter"]);
  const facts: PropellerFacts = {
    ...found,
    diameter: n.diameter ?? found.diameter,
    rho,
    installation: n.installation ?? 1,
    motor: hasMotor
      ? { Kv: ((n.kv ?? 0) * Math.PI) / 30, voltage: n.voltage ?? 0, resistance: n.resistance ?? 0 }
      : undefined,
    crossFlow: hasCrossFlow
      ? {
          rotorDragCoefficient: n.rotorDrag ?? 0,
          rollingMomentCoefficient: n.rollingMoment ?? 0,
          diameter: n.fromDiameter ?? 1,
        }
      : undefined,
  };
  const constants = constantsOf(facts);
  const top = n.maxRotVelocity ?? constants.find((c) => c.name === "maxRotVelocity")?.value;
  if (options.out !== undefined) draw(options.out, facts);
  if (options.yaml) {
    if (facts.J.length < 2)
      throw new InputError("there is no table to write: only the static point is known", {
        field: "--yaml",
        allowed: "with a UIUC file, --database or --estimate",
      });
    print(vehicleLines(facts));
  } else if (options.json)
    printJson({
      ...found,
      diameter: facts.diameter,
      rho,
      installation: facts.installation,
      constants: Object.fromEntries(constants.map((c) => [c.name, c.value])),
      ...(top === undefined ? {} : { top: atSpeed(constants, facts, top) }),
    });
  else print(text(facts, found.notes, constants, top));
}

const short = (v: number) => (Math.abs(v) < 1e-3 ? v.toExponential(3) : v.toPrecision(4));

/** Thrust, torque and power at rest, at a speed. */
function atSpeed(constants: readonly Constant[], { CP, rho, diameter }: PropellerFacts, omega: number) {
  const thrust = constants[0].value * omega * omega;
  const n = omega / (2 * Math.PI);
  const D2 = diameter * diameter;
  const power = CP[0] * rho * n * n * n * D2 * D2 * diameter;
  return { speed: omega, rpm: 60 * n, thrust, torque: power / omega, power };
}

function text(
  p: PropellerFacts,
  notes: readonly string[],
  constants: readonly Constant[],
  top?: number,
): string {
  const rows = p.J.map((J, i) => [
    J.toFixed(3),
    p.CT[i].toFixed(4),
    p.CP[i].toFixed(4),
    J === 0 ? "" : efficiency(J, p.CT[i], p.CP[i]).toFixed(3),
  ]);
  const CQ = p.CP[0] / (2 * Math.PI);
  const out = [
    `${p.name}: ${p.origin}\n`,
    ...notes.map((note) => `note: ${note}\n`),
    `\ndiameter ${p.diameter.toPrecision(4)} m, air ${p.rho} kg/m^3${p.installation === 1 ? "" : `, installation factor ${p.installation}`}\n\n`,
    table(["J", "C_T", "C_P", "efficiency"], rows),
    `\nAt rest C_T ${p.CT[0].toPrecision(4)}, C_P ${p.CP[0].toPrecision(4)}, C_Q = C_P / 2 pi = ${CQ.toPrecision(4)}.\n\n`,
    ...constants.map((c) => `${c.name.padEnd(25)} ${short(c.value)} ${c.unit}\n    ${c.meaning}.\n`),
  ];
  if (top !== undefined) {
    const { rpm, thrust, torque, power } = atSpeed(constants, p, top);
    out.push(
      `\nAt ${top.toPrecision(4)} rad/s (${rpm.toFixed(0)} rpm), at rest: thrust ${thrust.toPrecision(4)} N, ` +
        `shaft torque ${torque.toPrecision(4)} N m, shaft power ${power.toPrecision(4)} W.\n`,
    );
  }
  return out.join("");
}

function draw(path: string, p: PropellerFacts): void {
  if (!/\.svg$/i.test(path))
    throw new InputError("is not the name of an SVG picture", {
      field: "--out",
      value: path,
      file: path,
      allowed: ".svg",
    });
  const file = new OutputFile(path);
  const eta = p.J.map((J, i) => Math.max(0, efficiency(J, p.CT[i], p.CP[i])));
  file.write(
    svgCharts([
      {
        title: `${p.name}, coefficients`,
        xLabel: "advance ratio J",
        yLabel: "coefficient",
        series: [
          { name: "C_T", x: p.J, y: p.CT },
          { name: "C_P", x: p.J, y: p.CP },
        ],
      },
      {
        title: "efficiency",
        xLabel: "advance ratio J",
        yLabel: "efficiency",
        series: [{ name: "eta", x: p.J, y: eta }],
      },
    ]),
  );
  file.finish();
}
