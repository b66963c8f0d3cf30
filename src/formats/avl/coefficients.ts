/**
 * AVL's derivatives as the coefficients of an AdvancedLiftDrag set: lift and drag in stability axes, all else in body axes
 * (forward, right, down), rates about body axes, controls per degree. Each number remembers where it came from.
 */
import { cos, sin } from "../../math/elementary.ts";
import { InputError } from "../../model/input-error.ts";
import type { AvlOutput } from "./output.ts";

const PI = 3.141592653589793;

export interface Coefficients {
  /** Angle of attack of the run [rad]. */
  readonly alpha: number;
  /** By the names of a vehicle file: CL0, CLa, Cellp ... */
  readonly numbers: Readonly<Record<string, number>>;
  readonly controls: readonly { readonly name: string; readonly numbers: Readonly<Record<string, number>> }[];
  /** Where each number came from, as text; controls as `elevator.Cem_ctrl`. */
  readonly origins: Readonly<Record<string, string>>;
  /** Span efficiency from lift and drag of the run, and as AVL prints it from the Trefftz plane. */
  readonly efficiency: { readonly computed: number; readonly printed?: number };
  /** Part of AVL's run that these coefficients cannot represent: side force, roll and yaw of a symmetric state. */
  readonly leftOver: Readonly<Record<"CY" | "Cell" | "Cen", number>>;
}

/** Both outputs must be of one run. */
function refuseMixture(st: AvlOutput, sb: AvlOutput): void {
  const differ = (what: string, a: unknown, b: unknown) =>
    new InputError(`${what} is ${b} here and ${a} in ${st.file}: two different run cases`, {
      file: sb.file,
      ...(sb.lines[what] === undefined ? {} : { line: sb.lines[what] }),
      field: what,
      allowed: "ST and SB written one after the other from one run (X, ST, SB)",
    });
  if (st.configuration !== sb.configuration)
    throw differ("Configuration", `"${st.configuration}"`, `"${sb.configuration}"`);
  const shared = Object.keys(st.values).filter((name) => /ref$|tot$|^Alpha|^Beta|^Mach|2V$/.test(name));
  for (const name of shared) {
    const [a, b] = [st.values[name], sb.values[name]];
    if (!(Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a)))) throw differ(name, a, b);
  }
  st.controls.forEach(({ name, deflection }, i) => {
    const other = sb.controls[i];
    if (other?.name !== name) throw differ(`control ${i + 1}`, name, other?.name ?? "missing");
    if (other.deflection !== deflection) throw differ(name, deflection, other.deflection);
  });
}

function refuseKind({ file, kind }: AvlOutput, wanted: "ST" | "SB"): void {
  const words = { FT: "total forces (FT)", ST: "stability-axis (ST)", SB: "geometry-axis (SB)" };
  if (kind !== wanted)
    throw new InputError(`this is AVL's ${words[kind]} output`, {
      file,
      allowed: `the ${words[wanted]} output${kind === "FT" ? "" : `; give this file with --${kind.toLowerCase()}`}`,
    });
}

/** A file's name without its folders. */
export const short = ({ file }: { file: string }) => file.replace(/^.*[/\\]/, "");

/** AVL prints many zeros with a minus sign. */
const plain = (value: number) => (value === 0 ? 0 : value);

/** Derivatives of a body-axis quantity by turning rates about body axes, from those about stability axes. */
const turned = (byP: number, byR: number, ca: number, sa: number) => ({
  p: ca * byP - sa * byR,
  r: sa * byP + ca * byR,
});

export function avlCoefficients(st: AvlOutput, sb?: AvlOutput): Coefficients {
  refuseKind(st, "ST");
  if (sb) {
    refuseKind(sb, "SB");
    refuseMixture(st, sb);
  }
  const v = st.values;
  const alpha = (v.Alpha * PI) / 180;
  const beta = (v.Beta * PI) / 180;
  const ca = cos(alpha);
  const sa = sin(alpha);
  const numbers: Record<string, number> = {};
  const origins: Record<string, string> = {};
  const put = (name: string, value: number, origin: string) => {
    numbers[name] = plain(value);
    origins[name] = origin;
  };
  const at = (name: string, output: AvlOutput = st) => `${name} ${short(output)}:${output.lines[name]}`;

  // Moments of the stability axes x', z' turn into body axes by the run's angle of attack.
  const inBody = (name: "Cell" | "Cen", roll: number, yaw: number) =>
    name === "Cell" ? ca * roll - sa * yaw : sa * roll + ca * yaw;
  for (const c of ["a", "b"]) {
    for (const [ours, theirs] of [
      ["CL", "CL"],
      ["CY", "CY"],
      ["Cem", "Cm"],
    ])
      put(ours + c, v[theirs + c], at(theirs + c));
    for (const ours of ["Cell", "Cen"] as const)
      put(
        ours + c,
        inBody(ours, v[`Cl${c}`], v[`Cn${c}`]),
        `${at(`Cl${c}`)} and ${at(`Cn${c}`)}, turned to body axes`,
      );
  }

  // By rates: directly from SB; from ST turned, and then drag is only known to versions that print it.
  const hasDrag = v.CDq !== undefined;
  if (sb) {
    const w = sb.values;
    for (const c of ["p", "q", "r"]) {
      const [X, Z] = [w[`CX${c}`], w[`CZ${c}`]];
      const both = `${at(`CX${c}`, sb)} and ${at(`CZ${c}`, sb)}`;
      put(`CL${c}`, X * sa - Z * ca, `CX sin a - CZ cos a of ${both}`);
      put(`CD${c}`, -X * ca - Z * sa, `-CX cos a - CZ sin a of ${both}`);
      for (const [ours, theirs] of [
        ["CY", "CY"],
        ["Cell", "Cl"],
        ["Cem", "Cm"],
        ["Cen", "Cn"],
      ])
        put(ours + c, w[theirs + c], at(theirs + c, sb));
    }
  } else {
    for (const [ours, theirs] of [
      ["CL", "CL"],
      ["CY", "CY"],
      ["Cem", "Cm"],
      ...(hasDrag ? [["CD", "CD"]] : []),
    ]) {
      const by = turned(v[`${theirs}p`], v[`${theirs}r`], ca, sa);
      put(`${ours}p`, by.p, `${at(`${theirs}p`)} and ${theirs}r, turned to body axes`);
      put(`${ours}q`, v[`${theirs}q`], at(`${theirs}q`));
      put(`${ours}r`, by.r, `${at(`${theirs}p`)} and ${theirs}r, turned to body axes`);
    }
    for (const ours of ["Cell", "Cen"] as const) {
      const moment = (c: string) => inBody(ours, v[`Cl${c}`], v[`Cn${c}`]);
      const by = turned(moment("p"), moment("r"), ca, sa);
      put(`${ours}p`, by.p, `Cl and Cn by p' and r' of ${short(st)}, turned to body axes`);
      put(`${ours}q`, moment("q"), `Cl and Cn by q' of ${short(st)}, turned to body axes`);
      put(`${ours}r`, by.r, `Cl and Cn by p' and r' of ${short(st)}, turned to body axes`);
    }
    if (!hasDrag)
      for (const c of ["p", "q", "r"]) put(`CD${c}`, 0, "not in ST of this version; SB would give it");
  }

  const AR = (v.Bref * v.Bref) / v.Sref;
  const efficiency = {
    computed: (v.CLtot * v.CLtot) / (PI * AR * v.CDind),
    ...(v.e === undefined ? {} : { printed: v.e }),
  };
  const isSound = (e: number | undefined): e is number => e !== undefined && e > 0.3 && e <= 1.2;
  const eff =
    isSound(efficiency.computed) && !(efficiency.computed > 1 && isSound(efficiency.printed))
      ? efficiency.computed
      : isSound(efficiency.printed)
        ? efficiency.printed
        : 0.9;
  put(
    "eff",
    eff,
    eff === efficiency.computed
      ? `CL^2/(pi AR CDi) with ${at("CLtot")}, ${at("CDind")}`
      : eff === efficiency.printed
        ? `AVL's e ${at("e")}, because CL^2/(pi AR CDi) is ${efficiency.computed.toPrecision(3)}`
        : "assumed: this run's lift is too small to determine it",
  );

  // AVL's drag by a control holds the induced drag of the lift it makes, which the model adds itself.
  const induced = (2 * v.CLtot) / (PI * AR * eff);
  const controls = st.controls.map(({ name }, i) => {
    const d = `d${i + 1}`;
    const w = sb?.values ?? v;
    const own = sb ?? st;
    const CL = sb ? w[`CX${d}`] * sa - w[`CZ${d}`] * ca : v[`CL${d}`];
    const CD = sb ? -w[`CX${d}`] * ca - w[`CZ${d}`] * sa : v[`CD${d}`];
    // ST prints these about body axes up to 3.40, about stability axes from 3.50 on (which also print drag).
    const isTurned = !sb && hasDrag;
    const moment = (ours: "Cell" | "Cen") =>
      isTurned ? inBody(ours, v[`Cl${d}`], v[`Cn${d}`]) : w[`${ours === "Cell" ? "Cl" : "Cn"}${d}`];
    const made: Record<string, [number, string]> = {
      CD_ctrl:
        CD === undefined
          ? [0, "not in ST of this version; SB would give it"]
          : [CD - induced * CL, `drag of ${short(own)}, ${d}, less its induced drag 2 CL CL_ctrl/(pi AR e)`],
      CY_ctrl: [w[`CY${d}`], at(`CY${d}`, own)],
      CL_ctrl: [CL, sb ? `CX sin a - CZ cos a of ${at(`CX${d}`, sb)}` : at(`CL${d}`)],
      Cell_ctrl: [moment("Cell"), at(`Cl${d}`, own) + (isTurned ? ", turned to body axes" : "")],
      Cem_ctrl: [w[`Cm${d}`], at(`Cm${d}`, own)],
      Cen_ctrl: [moment("Cen"), at(`Cn${d}`, own) + (isTurned ? ", turned to body axes" : "")],
    };
    for (const [key, [, origin]] of Object.entries(made)) origins[`${name}.${key}`] = origin;
    return { name, numbers: Object.fromEntries(Object.entries(made).map(([key, [n]]) => [key, plain(n)])) };
  });

  // What is left of the run's totals when all that its state explains is taken away.
  const hats = { p: v["pb/2V"], q: v["qc/2V"], r: v["rb/2V"] };
  const explained = (C: string) =>
    numbers[`${C}a`] * alpha +
    numbers[`${C}b`] * beta +
    numbers[`${C}p`] * hats.p +
    numbers[`${C}q`] * hats.q +
    numbers[`${C}r`] * hats.r +
    st.controls.reduce((sum, { deflection }, i) => sum + controls[i].numbers[`${C}_ctrl`] * deflection, 0);
  const state = "less what angle of attack, sideslip, rates and controls of the run explain";
  put("CL0", v.CLtot - explained("CL"), `${at("CLtot")}, ${state}`);
  put("Cem0", v.Cmtot - explained("Cem"), `${at("Cmtot")}, ${state}`);
  const leftOver = {
    CY: v.CYtot - explained("CY"),
    Cell: v.Cltot - explained("Cell"),
    Cen: v.Cntot - explained("Cen"),
  };
  return { alpha, numbers, controls, origins, efficiency, leftOver };
}
