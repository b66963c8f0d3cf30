/**
 * An estimate of C_T(J) and C_P(J) from a blade's geometry: blade elements in balance with the momentum of their annuli, after
 * Ning (Wind Energy 17, 2014), with Prandtl's losses at tip and hub and one section polar for all small propellers. Speeds are
 * in units of n D, lengths in units of the radius.
 */
import { clamp } from "../math/clamp.ts";
import { acos, atan, cos, exp, pow, sin } from "../math/elementary.ts";

/** A propeller blade: radius, chord and twist by station. */
export interface Blade {
  /** r/R, c/R and blade angle [rad] from hub to tip. */
  readonly radius: readonly number[];
  readonly chord: readonly number[];
  readonly beta: readonly number[];
  readonly blades: number;
  /** Zero-lift angle of the sections against the line that beta is measured from [rad]. */
  readonly zeroLift: number;
}

const DEGREE = Math.PI / 180;
/** Moulded propellers; thin flat-bottomed research blades are nearer to -1.5 degrees. */
const ZERO_LIFT = -3.5 * DEGREE;
/** Where only diameter and pitch are known. */
const ZERO_LIFT_OF_TYPICAL = -3 * DEGREE;

/** A blade from its measured sections. */
export function bladeFrom(
  sections: readonly { readonly radius: number; readonly chord: number; readonly beta: number }[],
  blades: number,
): Blade {
  return {
    radius: sections.map((s) => s.radius),
    chord: sections.map((s) => s.chord),
    beta: sections.map((s) => s.beta),
    blades,
    zeroLift: ZERO_LIFT,
  };
}

/** Chord of a typical small propeller over r/R. */
const TYPICAL = {
  radius: [0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  chord: [0.13, 0.145, 0.175, 0.19, 0.19, 0.18, 0.165, 0.14, 0.11, 0.04],
};

/** A blade of constant pitch and typical chord. */
export function typicalBlade(pitchOverDiameter: number, blades: number): Blade {
  const beta = TYPICAL.radius.map((x) => atan(pitchOverDiameter / (Math.PI * x)));
  return { ...TYPICAL, beta, blades, zeroLift: ZERO_LIFT_OF_TYPICAL };
}

const ANNULI = 20;
const BISECTIONS = 40;
const HUB = 0.1;
const LIFT_SLOPE = 5.2;
const STALL = 21 * DEGREE;
const NEGATIVE_STALL = 15 * DEGREE;
const SHARPNESS = 15;
const PLATE = 1.2;
const REYNOLDS = 1e5;

/** Lift and drag of a section: straight, then blended into a flat plate on either side. */
function section(alpha: number, zeroLift: number, reynolds: number): { cl: number; cd: number } {
  const a = alpha - zeroLift;
  const stalled =
    1 / (1 + exp(clamp(-SHARPNESS * (a - STALL), -50, 50))) +
    1 / (1 + exp(clamp(SHARPNESS * (a + NEGATIVE_STALL), -50, 50)));
  const attached = LIFT_SLOPE * a;
  const s = sin(alpha);
  const skin = 0.015 * pow(clamp(reynolds / REYNOLDS, 0.05, 20), -0.4);
  return {
    cl: (1 - stalled) * attached + stalled * PLATE * s * cos(alpha),
    cd: skin + (1 - stalled) * 0.13 * (attached - 0.3) * (attached - 0.3) + stalled * PLATE * s * s,
  };
}

function interpolate(x: readonly number[], y: readonly number[], at: number): number {
  let i = 0;
  while (i < x.length - 2 && at > x[i + 1]) i++;
  const s = clamp((at - x[i]) / (x[i + 1] - x[i]), 0, 1);
  return y[i] + s * (y[i + 1] - y[i]);
}

/** Coefficients at one advance ratio; `reynolds` is rho n D^2 / mu. */
export function bladeElement(blade: Blade, J: number, reynolds: number): { CT: number; CP: number } {
  const { blades: B, zeroLift } = blade;
  const first = Math.max(0.15, blade.radius[0]);
  const dx = (1 - first) / ANNULI;
  let CT = 0;
  let CP = 0;
  for (let i = 0; i < ANNULI; i++) {
    const x = first + (i + 0.5) * dx;
    const c = interpolate(blade.radius, blade.chord, x);
    const beta = interpolate(blade.radius, blade.beta, x);
    const turning = Math.PI * x;
    const speed = Math.sqrt(J * J + turning * turning);
    const solidity = (B * c) / (2 * Math.PI * x);
    const Re = ((reynolds * c) / 2) * speed;
    const at = (phi: number) => {
      const s = sin(phi);
      const k = cos(phi);
      const S = Math.max(Math.abs(s), 1e-9);
      const tip = acos(exp(-Math.min(500, (B * (1 - x)) / (2 * x * S))));
      const hub = acos(exp(-Math.min(500, (B * (x - HUB)) / (2 * HUB * S))));
      const F = ((4 / Math.PI) * tip * hub) / Math.PI;
      const { cl, cd } = section(beta - phi, zeroLift, Re);
      const cn = cl * k - cd * s;
      const ct = cl * s + cd * k;
      const residual = 4 * F * S * (turning * s - J * k) - solidity * (cn * turning + ct * J);
      return { residual, F, S, k, cn, ct };
    };
    // The residual changes sign once on the side that its value at zero inflow tells.
    const isThrusting = at(0).residual < 0;
    let low = isThrusting ? 0 : -Math.PI / 2;
    let high = isThrusting ? Math.PI / 2 : 0;
    for (let n = 0; n < BISECTIONS; n++) {
      const middle = 0.5 * (low + high);
      if (at(middle).residual < 0) low = middle;
      else high = middle;
    }
    const { F, S, k, cn, ct } = at(0.5 * (low + high));
    const below = 4 * F * S * k + solidity * ct;
    const W = below > 1e-12 ? clamp((turning * 4 * F * S) / below, 0, 2 * speed) : 0;
    const q = (((B / 2) * W * W * c) / 2) * (dx / 2);
    CT += q * cn;
    CP += Math.PI * q * ct * x;
  }
  return { CT, CP };
}

/** The curve from rest until well into windmilling. */
export function bladeElementTable(
  blade: Blade,
  reynolds: number,
): { J: number[]; CT: number[]; CP: number[] } {
  const table = { J: [] as number[], CT: [] as number[], CP: [] as number[] };
  for (let i = 0; i <= 40; i++) {
    const J = 0.05 * i;
    const { CT, CP } = bladeElement(blade, J, reynolds);
    table.J.push(J);
    table.CT.push(CT);
    table.CP.push(CP);
    if (CT < 0) break;
  }
  return table;
}

/** Of air at sea level (ISA, 15 deg C) [kg/m^3, Pa s], and the default speed of small propellers [rpm]. */
const AIR = { density: 1.225, viscosity: 1.81e-5 };
export const TYPICAL_RPM = 5000;

/** The table of a blade of this diameter [m] at this speed: its Reynolds number is that of n D^2. */
export function estimatedTable(blade: Blade, diameter: number, rpm = TYPICAL_RPM) {
  return bladeElementTable(blade, (AIR.density * (rpm / 60) * diameter * diameter) / AIR.viscosity);
}
