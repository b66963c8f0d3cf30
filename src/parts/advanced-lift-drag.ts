/**
 * AdvancedLiftDrag: a whole aircraft's coefficients as derivatives (from AVL, say), blended into a flat plate beyond the stall.
 * The form of the repaired Gazebo plugin; errors of its documentation and code: docs/errata.md, A.
 */
import { atan2, exp } from "../math/elementary.ts";
import type { Field } from "../model/field.ts";
import { AXES_PARAMETERS, deriveAxes, type SurfaceAxes } from "./surface-axes.ts";

const PI = 3.141592653589793;
const DEGREE = PI / 180;

/** In the order of the outputs. */
const COEFFICIENTS = { CD: "drag", CY: "side force", CL: "lift", Cell: "roll", Cem: "pitch", Cen: "yaw" };
const CHANGES = {
  a: "angle of attack",
  b: "sideslip",
  p: "roll rate (p b / 2V)",
  q: "pitch rate (q c / 2V)",
  r: "yaw rate (r b / 2V)",
};

const NAMES = Object.keys(COEFFICIENTS) as (keyof typeof COEFFICIENTS)[];
/** What each is made of besides rates and controls. */
const PARTS: readonly (readonly string[])[] = [
  ["0", "induced", "stall"],
  ["alpha", "beta"],
  ["0", "alpha", "stall", "beta"],
  ["alpha", "beta"],
  ["0", "alpha", "beta"],
  ["alpha", "beta"],
];

/** Which derivatives there are: lift and pitch by angle of attack are given apart, drag follows from lift. */
const DERIVATIVES = Object.entries(COEFFICIENTS).flatMap(([C, what]) =>
  Object.entries(CHANGES)
    .filter(([c]) => !(C === "CD" && (c === "a" || c === "b")))
    .map(
      ([c, change]): Field => ({
        name: C + c,
        unit: c === "a" || c === "b" ? "1/rad" : "1",
        meaning: `${what} coefficient over ${change}`,
        default: 0,
      }),
    ),
);

export const ADVANCED_PARAMETERS: readonly Field[] = [
  ...AXES_PARAMETERS,
  { name: "area", unit: "m^2", meaning: "reference area", min: 1e-6, max: 1e6 },
  { name: "AR", unit: "1", meaning: "aspect ratio: span squared over area", min: 0.01, max: 100 },
  { name: "mac", unit: "m", meaning: "mean chord (0: area over span)", min: 0, default: 0 },
  {
    name: "eff",
    unit: "1",
    meaning: "Oswald efficiency, for the induced drag",
    above: 0,
    max: 2,
    default: 1,
  },
  { name: "CD0", unit: "1", meaning: "drag coefficient without lift", min: 0, max: 10, default: 0 },
  { name: "CL0", unit: "1", meaning: "lift coefficient at no angle of attack", default: 0 },
  { name: "Cem0", unit: "1", meaning: "pitch coefficient at no angle of attack", default: 0 },
  ...DERIVATIVES,
  {
    name: "Cema_stall",
    unit: "1/rad",
    meaning: "pitch coefficient over angle of attack beyond the stall",
    default: 0,
  },
  {
    name: "alpha_stall",
    unit: "rad",
    meaning: "angle of attack at the stall",
    above: 0,
    max: 1.5708,
  },
  {
    name: "M",
    unit: "1/rad",
    meaning: "how sharply it stalls: 10 to 90 % within 4.39/M",
    min: 1,
    max: 100,
    default: 15,
  },
  { name: "k1", unit: "1", meaning: "drag of a flat plate: 2/(1 + exp(k1 + k2 AR))", default: -0.224 },
  { name: "k2", unit: "1", meaning: "the same, over aspect ratio", default: -0.115 },
];

/** What a control surface adds, per degree of its servo. */
export const CONTROL_PARAMETERS: readonly Field[] = [
  { name: "servo", unit: "1", meaning: "number of the servo that moves it", min: 1, max: 64 },
  {
    name: "direction",
    unit: "1",
    meaning: "deflection over servo angle: 1, or -1 where the servo turns the other way",
    min: -10,
    max: 10,
    default: 1,
  },
  ...Object.entries(COEFFICIENTS).map(
    ([C, what]): Field => ({
      name: `${C}_ctrl`,
      unit: "1/deg",
      meaning: `${what} coefficient per degree of deflection`,
      default: 0,
    }),
  ),
];

export interface ControlParameters {
  servo: number;
  direction: number;
  CD_ctrl: number;
  CY_ctrl: number;
  CL_ctrl: number;
  Cell_ctrl: number;
  Cem_ctrl: number;
  Cen_ctrl: number;
}

type Letter = "p" | "q" | "r";
export interface AdvancedParameters
  extends SurfaceAxes,
    Record<`C${"D" | "Y" | "L" | "ell" | "em" | "en"}${Letter}`, number>,
    Record<`C${"Y" | "L" | "ell" | "em" | "en"}${"a" | "b"}`, number> {
  area: number;
  AR: number;
  mac: number;
  eff: number;
  CD0: number;
  CL0: number;
  Cem0: number;
  Cema_stall: number;
  alpha_stall: number;
  M: number;
  k1: number;
  k2: number;
  controls: Record<number, ControlParameters>;
  /** Derived: span and chord, drag coefficient of a flat plate, one over pi AR e. */
  span: number;
  chord: number;
  CD_fp: number;
  induced: number;
  /** Derived: exp(-M alpha_stall), of the blending. */
  atStall: number;
  /** Derived: rate derivatives in the order of the outputs; number of controls, their servos (from 0) and, six by six, what they add per radian. */
  rates: Float64Array;
  count: number;
  servos: Int32Array;
  table: Float64Array;
}

export function deriveAdvanced(p: AdvancedParameters): void {
  deriveAxes(p);
  p.span = Math.sqrt(p.area * p.AR);
  p.chord = p.mac > 0 ? p.mac : p.area / p.span;
  p.CD_fp = 2 / (1 + exp(p.k1 + p.k2 * Math.max(p.AR, 1 / p.AR)));
  p.induced = 1 / (PI * p.AR * p.eff);
  p.atStall = exp(-p.M * p.alpha_stall);
  p.rates = Float64Array.from(NAMES.flatMap((C) => [p[`${C}p`], p[`${C}q`], p[`${C}r`]]));
  const controls = Object.values(p.controls ?? {});
  p.count = controls.length;
  p.servos = Int32Array.from(controls, (c) => c.servo - 1);
  p.table = Float64Array.from(
    controls.flatMap((c) => NAMES.map((C) => (c.direction * c[`${C}_ctrl`]) / DEGREE)),
  );
}

/** How a part stands in its coefficient; sigma is how far it is stalled. */
function symbolOf(C: string, part: string): string {
  const symbols: Readonly<Record<string, string>> = {
    "0": C === "Cem" ? "Cem0" : `(1 - sigma) ${C}0`,
    alpha: C === "CL" ? "(1 - sigma) CLa alpha" : `${C}a alpha`,
    beta: `${C}b beta`,
    induced: "(1 - sigma) CL^2/(pi AR eff)",
    stall: C === "CL" ? "sigma 2 sign(alpha) sin(alpha)^2 cos(alpha)" : "sigma CD_fp sin(alpha)^2",
    p: `${C}p p b/2V`,
    q: `${C}q q c/2V`,
    r: `${C}r r b/2V`,
  };
  return symbols[part] ?? `${C}_${part.replace("ctrl_", "ctrl delta_")}`;
}

/** Outputs of one set: angles, speed, stall, and the coefficients with all that adds up to them. */
export function advancedOutputs(k: number, controls: number): Field[] {
  const of = `of lifting surface ${k}`;
  const out: Field[] = [
    { name: `alpha_${k}`, unit: "rad", meaning: `angle of attack ${of}` },
    { name: `beta_${k}`, unit: "rad", meaning: `sideslip angle ${of}: atan2(v, u)` },
    { name: `speed_${k}`, unit: "m/s", meaning: `speed in the plane of symmetry ${of}` },
    { name: `stall_${k}`, unit: "1", meaning: `how far it is stalled (${of}): 0 not, 1 fully` },
  ];
  const numbers = Array.from({ length: controls }, (_, i) => `ctrl_${i + 1}`);
  NAMES.forEach((C, c) => {
    const name = `${C}_${k}`;
    out.push({ name, unit: "1", meaning: `${COEFFICIENTS[C]} coefficient ${of}` });
    for (const part of [...PARTS[c], "p", "q", "r", ...numbers])
      out.push({
        name: `${name}_${part}`,
        unit: "1",
        meaning: `its part by ${part}`,
        parent: name,
        symbol: symbolOf(C, part),
      });
  });
  return out;
}

/**
 * Loads of one set. `flow`: velocity of the reference point through the air (0-2) and turning rates (3-5), in the set's own
 * axes, and the air's density (6). `angles` holds the servos' from place `servos` on. `out`: force at the reference point (0-2)
 * and moment (3-5), same axes. Where y is given, outputs go there from place `at` on.
 */
export function advancedLiftDrag(
  s: AdvancedParameters,
  flow: Float64Array,
  angles: Float64Array,
  servos: number,
  out: Float64Array,
  y: Float64Array | undefined,
  at: number,
): void {
  const u = flow[0];
  const v = flow[1];
  const w = flow[2];
  const p = flow[3];
  const q = flow[4];
  const r = flow[5];
  const V = Math.sqrt(u * u + w * w);
  const perV = V > 0 ? 1 / V : 0;
  const sinA = w * perV;
  const cosA = V > 0 ? u * perV : 1;
  const alpha = atan2(w, u);
  const beta = atan2(v, u);

  // Lift fades from its line to that of a flat plate; sigma is how much, on both sides (errata A1, A2).
  // 1 - sigma = 1/((1 + e^M(a - as)) (1 + e^-M(a + as))), with one exponential E = e^Ma and one division.
  const E = exp(s.M * alpha);
  const k = s.atStall;
  const per = 1 / ((1 + E * k) * (E + k));
  const attached = E * per;
  const sigma = k * (E * E + 1 + k * E) * per;

  let ctrlD = 0;
  let ctrlY = 0;
  let ctrlL = 0;
  let ctrlEll = 0;
  let ctrlM = 0;
  let ctrlN = 0;
  for (let i = 0; i < s.count; i++) {
    const angle = angles[servos + s.servos[i]];
    ctrlD += angle * s.table[6 * i];
    ctrlY += angle * s.table[6 * i + 1];
    ctrlL += angle * s.table[6 * i + 2];
    ctrlEll += angle * s.table[6 * i + 3];
    ctrlM += angle * s.table[6 * i + 4];
    ctrlN += angle * s.table[6 * i + 5];
  }

  const plate = sigma * 2 * (alpha > 0 ? 1 : alpha < 0 ? -1 : 0) * sinA * sinA * cosA;
  const CL = attached * (s.CL0 + s.CLa * alpha) + plate + s.CLb * beta + ctrlL;
  // The lift that induces drag has no rate terms.
  const CD = attached * (s.CD0 + CL * CL * s.induced) + sigma * s.CD_fp * sinA * sinA + ctrlD;
  const CY = s.CYa * alpha + s.CYb * beta + ctrlY;
  const Cell = s.Cella * alpha + s.Cellb * beta + ctrlEll;
  // Beyond the stall pitch goes on with another slope.
  const inside = alpha > s.alpha_stall ? s.alpha_stall : alpha < -s.alpha_stall ? -s.alpha_stall : alpha;
  const pitching = s.Cema * inside + s.Cema_stall * (alpha - inside);
  const Cem = s.Cem0 + pitching + s.Cemb * beta + ctrlM;
  const Cen = s.Cena * alpha + s.Cenb * beta + ctrlN;

  // Rates are made dimensionless by length/2V; the speed cancels against that of the dynamic pressure.
  const rates = s.rates;
  const quarter = 0.25 * flow[6] * V * s.area;
  const still = 2 * quarter * V;
  const pb = p * s.span;
  const qc = q * s.chord;
  const rb = r * s.span;
  const L = still * CL + quarter * (rates[6] * pb + rates[7] * qc + rates[8] * rb);
  const D = still * CD + quarter * (rates[0] * pb + rates[1] * qc + rates[2] * rb);
  out[0] = L * sinA - D * cosA;
  out[1] = still * CY + quarter * (rates[3] * pb + rates[4] * qc + rates[5] * rb);
  out[2] = -L * cosA - D * sinA;
  out[3] = s.span * (still * Cell + quarter * (rates[9] * pb + rates[10] * qc + rates[11] * rb));
  out[4] = s.chord * (still * Cem + quarter * (rates[12] * pb + rates[13] * qc + rates[14] * rb));
  out[5] = s.span * (still * Cen + quarter * (rates[15] * pb + rates[16] * qc + rates[17] * rb));

  if (y !== undefined) {
    parts[0] = attached * s.CD0;
    parts[1] = attached * CL * CL * s.induced;
    parts[2] = sigma * s.CD_fp * sinA * sinA;
    parts[3] = s.CYa * alpha;
    parts[4] = s.CYb * beta;
    parts[5] = attached * s.CL0;
    parts[6] = attached * s.CLa * alpha;
    parts[7] = plate;
    parts[8] = s.CLb * beta;
    parts[9] = s.Cella * alpha;
    parts[10] = s.Cellb * beta;
    parts[11] = s.Cem0;
    parts[12] = pitching;
    parts[13] = s.Cemb * beta;
    parts[14] = s.Cena * alpha;
    parts[15] = s.Cenb * beta;
    // At rest rates have no dimensionless form; nothing acts then.
    const half = V > 1e-9 ? 0.5 * perV : 0;
    hats[0] = pb * half;
    hats[1] = qc * half;
    hats[2] = rb * half;
    y[at] = alpha;
    y[at + 1] = beta;
    y[at + 2] = V;
    y[at + 3] = sigma;
    tellCoefficients(s, angles, servos, y, at + 4);
  }
}

/** What does not come from rates and controls, in the order of `PARTS`, and the dimensionless rates. */
const parts = new Float64Array(16);
const hats = new Float64Array(3);

/** Each coefficient and, after it, all that adds up to it. */
function tellCoefficients(
  s: AdvancedParameters,
  angles: Float64Array,
  servos: number,
  y: Float64Array,
  at: number,
): void {
  let i = at;
  let part = 0;
  for (let c = 0; c < NAMES.length; c++) {
    const total = i++;
    const last = part + PARTS[c].length;
    while (part < last) y[i++] = parts[part++];
    for (let k = 0; k < 3; k++) y[i++] = s.rates[3 * c + k] * hats[k];
    for (let k = 0; k < s.count; k++) y[i++] = angles[servos + s.servos[k]] * s.table[6 * k + c];
    y[total] = 0;
    for (let k = total + 1; k < i; k++) y[total] += y[k];
  }
}
