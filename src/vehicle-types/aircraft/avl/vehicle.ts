/** A vehicle file from AVL's outputs, a mass file and the user's further data. */

import { avlCoefficients, short } from "../../../formats/avl/coefficients.ts";
import type { AvlMass } from "../../../formats/avl/mass.ts";
import type { AvlOutput } from "../../../formats/avl/output.ts";
import { avlFindings, type Finding } from "../../../formats/avl/sanity.ts";
import type { WrittenVehicle } from "../../../formats/vehicle-yaml.ts";
import { exp } from "../../../math/elementary.ts";
import { InputError } from "../../../model/input-error.ts";
import { verified } from "./prediction.ts";
import { type SeveralRuns, severalRuns } from "./several-runs.ts";

/** One run of AVL, written twice. */
export interface AvlRun {
  readonly st: AvlOutput;
  readonly sb?: AvlOutput;
}
export interface AvlImport {
  /** One, or several at different angles of attack. */
  readonly runs: readonly AvlRun[];
  /** Runs that the coefficients are tried at. */
  readonly verify?: readonly AvlOutput[];
  readonly mass?: AvlMass;
  /** Metres in AVL's unit of length, where no mass file gives it. */
  readonly length?: number;
  /** Mass, where no mass file gives it; its inertia is then estimated [kg]. */
  readonly kilograms?: number;
  readonly CD0?: number;
  /** [rad] */
  readonly stall?: number;
  /** Controls of both sides that become a left and a right one. */
  readonly split?: readonly string[];
}

export interface ImportedVehicle {
  /** What the vehicle file says, without sources. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly sources: Readonly<Record<string, string>>;
  /** Name of each servo. */
  readonly servos: readonly string[];
  /** One line per number: parameter, value, origin. */
  readonly origins: readonly { readonly name: string; readonly value: number; readonly origin: string }[];
  readonly findings: readonly Finding[];
}

/** As a vehicle file has it; `files` are what it came from. */
export const avlSpec = (
  st: AvlOutput,
  { parameters, sources, servos }: ImportedVehicle,
  files: readonly string[],
): WrittenVehicle => ({
  model: "aircraft",
  description: st.configuration || "imported from AVL",
  source: `AVL: ${files.join(", ")}`,
  sources,
  labels: Object.fromEntries(servos.map((name, i) => [`servo_${i + 1}`, name])),
  parameters,
});

interface Control {
  readonly name: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly origin: string;
}

/** Coefficients that are the same left and right when both sides deflect alike. */
const SYMMETRIC = ["CD_ctrl", "CL_ctrl", "Cem_ctrl"];
const LATERAL = ["CY_ctrl", "Cell_ctrl", "Cen_ctrl"];

/**
 * One control of both sides as two: an aileron (AVL moves its right side down, its left up) keeps its roll, yaw and side force,
 * an elevator its lift, pitch and drag. What the other side cancels in AVL's run is lost.
 */
function halves({ name, numbers }: Control): Control[] {
  const half = (key: string) => 0.5 * numbers[key];
  const isAileron = Math.abs(numbers.Cell_ctrl) > Math.abs(numbers.Cem_ctrl);
  const kept = isAileron ? LATERAL : SYMMETRIC;
  return ["left", "right"].map((side) => ({
    name: `${name} ${side}`,
    numbers: Object.fromEntries(
      Object.keys(numbers).map((key) => [
        key,
        kept.includes(key) ? (isAileron && side === "left" ? -half(key) : half(key)) : 0,
      ]),
    ),
    origin: `half of ${name}${isAileron && side === "left" ? ", mirrored" : ""}`,
  }));
}

/** Negligible [1/deg]. */
const NEGLIGIBLE = 1e-6;

/**
 * Whether a positive deflection does the opposite of what a positive servo does everywhere else here (docs/sitl.md): an elevator or a
 * trailing edge that goes up turns the nose up, a rudder to the right; an aileron of both sides rolls to the right.
 */
function isReversed(
  name: string,
  n: Control["numbers"],
  all: readonly Pick<Control, "name" | "numbers">[],
): boolean {
  // Halves of an aileron have the sign of the whole, whose left half is mirrored already.
  const whole = all.find((c) => name === `${c.name} left` || name === `${c.name} right`)?.numbers ?? n;
  const [roll, pitch, yaw] = [whole.Cell_ctrl, whole.Cem_ctrl, whole.Cen_ctrl];
  const lifts = Math.abs(whole.CL_ctrl) > Math.max(NEGLIGIBLE, 0.1 * Math.abs(whole.CY_ctrl));
  if (lifts) return Math.abs(pitch) > NEGLIGIBLE ? pitch < 0 : whole.CL_ctrl > 0;
  if (Math.abs(roll) > Math.abs(yaw)) return roll < 0;
  return yaw < 0;
}

const oppositeOf = (n: Control["numbers"]): string =>
  Math.abs(n.CL_ctrl) > Math.max(NEGLIGIBLE, 0.1 * Math.abs(n.CY_ctrl))
    ? "nose down"
    : Math.abs(n.Cell_ctrl) > Math.abs(n.Cen_ctrl)
      ? "roll to the left"
      : "nose left";

/** Radii of gyration over half span, half length and their mean, as light aircraft have them (Raymer). */
const GYRATION = [0.25, 0.38, 0.39];

function estimatedInertia(mass: number, span: number, length: number) {
  const square = (x: number) => x * x;
  return {
    xx: mass * square((GYRATION[0] * span) / 2),
    yy: mass * square((GYRATION[1] * length) / 2),
    zz: mass * square((GYRATION[2] * (span + length)) / 4),
  };
}

/** Of one run, or what suits several. */
function coefficientsOf(runs: readonly AvlRun[]): SeveralRuns {
  const each = runs.map(({ st, sb }) => ({ st, coefficients: avlCoefficients(st, sb) }));
  return each.length === 1 ? { ...each[0], findings: [] } : severalRuns(each);
}

export function vehicleFromAvl(given: AvlImport): ImportedVehicle {
  const { mass } = given;
  const split = [...new Set(given.split ?? [])];
  const { st, coefficients: c, findings: ofRuns } = coefficientsOf(given.runs);
  const origins: { name: string; value: number; origin: string }[] = [];
  const L = mass?.length ?? given.length ?? 1;
  const v = st.values;
  // AVL's axes: x back, y right, z up.
  const centre = mass?.centre ?? [v.Xref * L, v.Yref * L, v.Zref * L];
  const position = [centre[0] - v.Xref * L, v.Yref * L - centre[1], centre[2] - v.Zref * L].map((x) =>
    Math.abs(x) < 1e-9 ? 0 : x,
  );
  const findings = [...avlFindings(st, c, position[0] / L), ...ofRuns];
  const tried = given.runs.length > 1 ? given.runs.map((run) => run.st) : [];
  for (const run of [...tried, ...(given.verify ?? [])]) findings.push(verified(c, st, run));
  const look = (sentence: string) => findings.push({ weight: "look", sentence });
  if (mass === undefined && given.length === undefined)
    look(
      `AVL's lengths are taken for metres (Sref = ${v.Sref} m^2, Bref = ${v.Bref} m); otherwise give --length-unit or a mass file.`,
    );
  if (given.runs.some(({ sb }) => sb === undefined))
    look("Without SB the drag by rates and controls is unknown in most versions of AVL: give --sb.");
  const area = v.Sref * L * L;
  const span = v.Bref * L;
  const surface: Record<string, unknown> = {};
  const put = (name: string, value: number, origin: string) => {
    surface[name] = value;
    origins.push({ name, value, origin });
  };
  const scaled = L === 1 ? "" : ` times ${L} m`;
  put("area", area, `Sref ${short(st)}:${st.lines.Sref}${scaled}${L === 1 ? "" : " squared"}`);
  put("AR", (span * span) / area, "Bref^2/Sref");
  put("mac", v.Cref * L, `Cref ${short(st)}:${st.lines.Cref}${scaled}`);

  const CDvis = v.CDvis ?? 0;
  const CD0 = given.CD0 ?? (CDvis > 0 ? CDvis : 0.02);
  put(
    "CD0",
    CD0,
    given.CD0 !== undefined ? "given" : CDvis > 0 ? `CDvis ${short(st)}:${st.lines.CDvis}` : "assumed",
  );
  if (given.CD0 === undefined && !(CDvis > 0))
    look(
      "AVL computes no friction drag: CD0 = 0.02 is assumed; give --cd0 (0.015 for a clean glider, 0.05 with wheels and struts).",
    );
  const stall = given.stall ?? 0.2618;
  put("alpha_stall", stall, given.stall === undefined ? "assumed" : "given");
  if (given.stall === undefined) look("AVL does not model the stall: 15 deg is assumed; give --stall.");
  for (const [name, value] of Object.entries(c.numbers)) put(name, value, c.origins[name]);
  // The blending into the stall reaches far down (errata A2).
  const lost = 1 - 1 / ((1 + exp(15 * (c.alpha - stall))) * (1 + exp(-15 * (c.alpha + stall))));
  if (lost > 0.02)
    look(
      `The stall's blending takes ${(100 * lost).toFixed(0)} % of the lift already at the run's angle of attack: M = 15 is Gazebo's; a larger M in the file stalls more sharply.`,
    );

  const controls = c.controls.flatMap((control): Control[] => {
    const whole = { ...control, origin: "" };
    return split.includes(control.name) ? halves(whole) : [whole];
  });
  for (const name of split) {
    const whole = c.controls.find((control) => control.name === name);
    if (whole === undefined)
      throw new InputError(`there is no control "${name}"`, {
        file: st.file,
        field: "--split",
        allowed: c.controls.map((control) => control.name).join(", "),
      });
    look(
      `${name} was split into halves that are mirror images: what one side alone does to ${Math.abs(whole.numbers.Cell_ctrl) > Math.abs(whole.numbers.Cem_ctrl) ? "lift, pitch and drag" : "roll, yaw and side force"} cancels in AVL's run and is lost. Separate controls for left and right in the geometry file are better.`,
    );
  }
  const servos = controls.map(({ name }) => name);
  for (const { name, numbers, origin } of controls)
    for (const [key, value] of Object.entries(numbers))
      origins.push({ name: `${name}.${key}`, value, origin: origin || c.origins[`${name}.${key}`] });
  if (controls.length > 0)
    surface.controls = controls.map(({ name, numbers }, i) => {
      const isTurned = isReversed(name, numbers, c.controls);
      if (isTurned)
        findings.push({
          weight: "note",
          sentence: `${name}: AVL's positive deflection is ${oppositeOf(numbers)}; servo_${i + 1} is reversed (direction: -1), so that a positive angle is nose up, nose right, or trailing edge up, as everywhere in Sideslip.`,
        });
      return { servo: i + 1, ...(isTurned ? { direction: -1 } : {}), ...numbers };
    });
  else look("It has no control surfaces, so it cannot be controlled.");

  if (!mass)
    look(
      "The centre of mass is taken to be AVL's reference point (Xref, Yref, Zref); give --mass-file for the true one.",
    );
  const kilograms = mass?.mass ?? given.kilograms;
  if (kilograms !== undefined) {
    const loading = (kilograms * 9.81) / area;
    if (!(loading > 8 && loading < 8000))
      findings.push({
        weight: loading > 1 && loading < 3e4 ? "look" : "wrong",
        sentence: `Its wing carries ${Number(loading.toPrecision(3))} N/m^2 (gliders 20 to 500, airliners 6000): mass or units of length may be wrong.`,
      });
  }
  if (kilograms === undefined)
    throw new InputError("the mass is missing", {
      field: "--mass-file or --mass",
      allowed: "--mass-file plane.mass, or --mass 1.5kg (its inertia is then estimated)",
    });
  if (!mass)
    look("The inertia is estimated from mass and span as light aircraft have it: a mass file is better.");
  const sources = {
    m: mass ? "mass file" : "given",
    I: mass ? "mass file" : "estimated: radii of gyration of light aircraft",
  };
  const {
    xy = 0,
    xz = 0,
    yz = 0,
    ...I
  } = mass?.inertia ?? {
    ...estimatedInertia(kilograms, span, 0.7 * span),
    xy: 0,
    xz: 0,
    yz: 0,
  };
  const products = Object.fromEntries(Object.entries({ xy, xz, yz }).filter(([, x]) => Math.abs(x) > 1e-12));
  return {
    parameters: {
      m: kilograms,
      I: { ...I, ...products },
      ...(mass?.g === undefined ? {} : { g: mass.g }),
      ...(mass?.rho === undefined ? {} : { rho: mass.rho }),
      surfaces: [{ position, ...surface }],
      ...(servos.length > 0 ? { servos: servos.map(() => ({})) } : {}),
    },
    sources,
    servos,
    origins,
    findings,
  };
}
