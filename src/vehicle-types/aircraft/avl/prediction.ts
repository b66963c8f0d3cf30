/** Compares the imported coefficients with another run of AVL: how far from their own run they are valid. */

import { type Coefficients, short } from "../../../formats/avl/coefficients.ts";
import type { AvlOutput } from "../../../formats/avl/output.ts";
import type { Finding } from "../../../formats/avl/sanity.ts";
import { cos, sin } from "../../../math/elementary.ts";
import { plainSource } from "../../../model/document.ts";
import { InputError } from "../../../model/input-error.ts";
import { indexOf } from "../../../model/model.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../../../vehicles/vehicle.ts";
import { readVehicleOf } from "../../../vehicles/vehicle-file.ts";
import { aircraftType } from "../../aircraft.ts";

const DEGREE = 3.141592653589793 / 180;
/** AVL's totals, by its own names without `tot`. */
const TOTALS = ["CL", "CY", "Cl", "Cm", "Cn"] as const;
type Totals = Record<(typeof TOTALS)[number], number>;

/** The coefficients as they fly: in AVL's units, with the reference point in the centre of mass, without a stall. */
function flying(run: AvlOutput, { numbers, controls }: Coefficients): Vehicle<AircraftParameters> {
  const { Sref, Bref, Cref } = run.values;
  const surface = {
    position: [0, 0, 0],
    area: Sref,
    AR: (Bref * Bref) / Sref,
    mac: Cref,
    alpha_stall: 1.57,
    ...numbers,
    controls: controls.map((control, i) => ({ servo: i + 1, ...control.numbers })),
  };
  const parameters = {
    m: 1,
    I: { xx: 1, yy: 1, zz: 1 },
    surfaces: [surface],
    servos: controls.map(() => ({ min: -3, max: 3 })),
  };
  const name = "AVL's aircraft";
  return readVehicleOf(aircraftType, plainSource({ model: "aircraft", parameters }, name), name);
}

/** In the state of a run, at a speed of 1. */
function predicted(c: Coefficients, run: AvlOutput): Totals {
  const { model, parameters } = flying(run, c);
  const v = run.values;
  const [a, b] = [v.Alpha * DEGREE, v.Beta * DEGREE];
  const x = Float64Array.from(model.states, (f) => f.default ?? 0);
  const put = (name: string, value: number) => {
    x[indexOf(model.states, name)] = value;
  };
  put("q_w", 1);
  put("v_north", cos(a) * cos(b));
  put("v_east", sin(b));
  put("v_down", sin(a) * cos(b));
  put("p", (v["pb/2V"] * 2) / v.Bref);
  put("q", (v["qc/2V"] * 2) / v.Cref);
  put("r", (v["rb/2V"] * 2) / v.Bref);
  run.controls.forEach(({ deflection }, i) => {
    put(`servo_${i + 1}`, deflection * DEGREE);
  });
  const u = Float64Array.from(model.inputs, (f) => f.default ?? 0);
  run.controls.forEach(({ deflection }, i) => {
    u[indexOf(model.inputs, `servo_${i + 1}_cmd`)] = deflection * DEGREE;
  });
  const e = Float64Array.from(model.environment, (f) => (f.name === "density_ratio" ? 1 : 0));
  const y = new Float64Array(model.outputs.length);
  model.derivative(x, u, parameters, e, new Float64Array(x.length), y);
  const pressure = 0.5 * parameters.rho * v.Sref;
  const at = (name: string) => y[indexOf(model.outputs, name)] / pressure;
  const [X, Y, Z] = ["x", "y", "z"].map((axis) => at(`force_surface_1_${axis}`));
  const [l, m, n] = ["x", "y", "z"].map((axis) => at(`moment_surface_1_${axis}`));
  return { CL: X * sin(a) - Z * cos(a), CY: Y, Cl: l / v.Bref, Cm: m / v.Cref, Cn: n / v.Bref };
}

export interface Comparison extends Readonly<Record<"ours" | "theirs" | "change", number>> {
  readonly name: (typeof TOTALS)[number];
  /** Within 3 % of what changes from the run that the coefficients are of, or 2e-4. */
  readonly holds: boolean;
}

/** `base` is the run that the coefficients were taken from. */
export function compare(c: Coefficients, base: AvlOutput, run: AvlOutput): Comparison[] {
  refuseAnother(base, run);
  const guess = predicted(c, run);
  return TOTALS.map((name) => {
    const theirs = run.values[`${name}tot`];
    const change = theirs - base.values[`${name}tot`];
    const holds = Math.abs(guess[name] - theirs) <= Math.max(2e-4, 0.03 * Math.abs(change));
    return { name, ours: guess[name], theirs, change, holds };
  });
}

/** Runs of two aircraft cannot be compared. */
export function refuseAnother(base: AvlOutput, run: AvlOutput): void {
  const differ = (what: string, ours: unknown, theirs: unknown) =>
    new InputError(`${what} is ${theirs} here and ${ours} in ${base.file}: another aircraft`, {
      file: run.file,
      ...(run.lines[what] === undefined ? {} : { line: run.lines[what] }),
      field: what,
      allowed: "runs of one geometry",
    });
  for (const name of ["Sref", "Cref", "Bref", "Xref", "Yref", "Zref"])
    if (run.values[name] !== base.values[name]) throw differ(name, base.values[name], run.values[name]);
  const names = ({ controls }: AvlOutput) => controls.map(({ name }) => name).join(", ");
  if (names(run) !== names(base)) throw differ("controls", names(base), names(run));
}

/** In a sentence. */
export function verified(c: Coefficients, base: AvlOutput, run: AvlOutput): Finding {
  const all = compare(c, base, run);
  const missed = all.filter(({ holds }) => !holds);
  const held = all.filter(({ holds }) => holds).map(({ name }) => name);
  const where = `${short(run)} (${stateOf(run)})`;
  const close = held.length === 0 ? "" : `${held.join(", ")} within 3 % of their change or 2e-4`;
  if (missed.length === 0)
    return { weight: "note", sentence: `In ${where} the coefficients predict ${close}.` };
  const words = missed.map(({ name, ours, theirs, change }) => {
    const part = Math.abs((ours - theirs) / change);
    const off =
      part < 1 ? `, off by ${(100 * part).toFixed(0)} % of its change` : ", off by more than it changes";
    return `${name} ${ours.toFixed(5)} where AVL has ${theirs.toFixed(5)}${off}`;
  });
  return {
    weight: "look",
    sentence: `In ${where} the coefficients predict ${words.join("; ")}${close ? `; ${close}` : ""}.`,
  };
}

/** How a run differs from straight flight. */
function stateOf({ values: v, controls }: AvlOutput): string {
  const rates = ["pb/2V", "qc/2V", "rb/2V"].filter((name) => v[name] !== 0);
  const deflected = controls.filter(({ deflection }) => deflection !== 0);
  return [
    `alpha ${v.Alpha} deg`,
    ...(v.Beta === 0 ? [] : [`beta ${v.Beta} deg`]),
    ...rates.map((name) => `${name} ${v[name]}`),
    ...deflected.map(({ name, deflection }) => `${name} ${deflection}`),
  ].join(", ");
}
