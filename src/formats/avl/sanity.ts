/** Plausibility of imported coefficients: findings as sentences. */
import type { Coefficients } from "./coefficients.ts";
import type { AvlOutput } from "./output.ts";

export interface Finding {
  /** `wrong`: do not fly it so. `look`: unusual, or something is missing. `note`: worth knowing. */
  readonly weight: "wrong" | "look" | "note";
  readonly sentence: string;
}

const number = (v: number, digits = 3) => String(Number(v.toPrecision(digits)));

/** What aeroplanes have, from gliders to flying wings: outside by an order of magnitude something is wrong. */
const USUAL: Readonly<Record<string, readonly [number, number]>> = {
  CLq: [0, 20],
  Cemq: [-60, -0.3],
  Cellp: [-1, -0.1],
  Cenr: [-1, -0.001],
  CYb: [-2, 0],
  Cenb: [0, 0.5],
  Cellb: [-0.5, 0.05],
};

/** `ahead` is how far the reference point is ahead of the centre of mass, in AVL's lengths: moments are judged about the latter. */
export function avlFindings(st: AvlOutput, c: Coefficients, ahead = 0): Finding[] {
  const { Cref, Bref } = st.values;
  const n = {
    ...c.numbers,
    Cema: c.numbers.Cema + (ahead / Cref) * c.numbers.CLa,
    Cenb: c.numbers.Cenb + (ahead / Bref) * c.numbers.CYb,
  } as Readonly<Record<string, number>>;
  const v = st.values;
  const out: Finding[] = [];
  const say = (weight: Finding["weight"], sentence: string) => {
    out.push({ weight, sentence });
  };
  const AR = (v.Bref * v.Bref) / v.Sref;

  // Stability and damping.
  const margin = -n.Cema / n.CLa;
  if (!(n.Cema < 0))
    say(
      "wrong",
      `It is statically unstable in pitch: Cema is ${number(n.Cema)}, so the neutral point is ${number(-margin * v.Cref)} (AVL lengths) ahead of the centre of mass; move the centre of mass forward.`,
    );
  else if (margin > 1)
    say(
      "look",
      `The centre of mass is ${number(margin)} chords ahead of the neutral point; usual are 0.05 to 0.5. AVL may have used the reference point of another aircraft: look at Xref = ${v.Xref}.`,
    );
  if (!(n.Cenb > 0))
    say(
      "wrong",
      `It is statically unstable in yaw: Cenb is ${number(n.Cenb)}, the nose turns away from the wind.`,
    );
  if (n.Cellb > 0)
    say("look", `Sideslip rolls it into the wind (Cellb = ${number(n.Cellb)}): negative dihedral effect.`);
  for (const [name, axis] of [
    ["Cellp", "roll"],
    ["Cemq", "pitch"],
    ["Cenr", "yaw"],
  ])
    if (!(n[name] < 0)) say("wrong", `It is undamped in ${axis}: ${name} is ${number(n[name])}.`);
  if (v.spiral !== undefined && v.spiral < 1)
    say(
      "note",
      `It is spirally unstable (Clb Cnr / Clr Cnb = ${number(v.spiral)}), as most aircraft are a little: it needs a pilot.`,
    );

  // Magnitudes.
  const thin = (2 * Math.PI * AR) / (2 + Math.sqrt(4 + AR * AR));
  if (!(n.CLa > 0.5 * thin && n.CLa < 1.8 * thin))
    say(
      "wrong",
      `CLa is ${number(n.CLa)}, and a wing of aspect ratio ${number(AR)} has about ${number(thin)}: Sref = ${v.Sref} or Bref = ${v.Bref} may be of another aircraft.`,
    );
  for (const [name, [low, high]] of Object.entries(USUAL)) {
    const value = n[name];
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (Math.abs(value) > 5 * size)
      say(
        "wrong",
        `${name} is ${number(value)}, far beyond the usual ${low} to ${high}: reference point (Xref = ${v.Xref}, Zref = ${v.Zref}) or reference lengths may be of another aircraft.`,
      );
    else if (value < low || value > high)
      if (!out.some(({ sentence }) => sentence.includes(`${name} is`)))
        say("look", `${name} is ${number(value)}; usual are ${low} to ${high}.`);
  }
  const chord = v.Sref / v.Bref;
  if (!(v.Cref > 0.5 * chord && v.Cref < 2 * chord))
    say(
      "look",
      `Cref = ${v.Cref} does not fit Sref/Bref = ${number(chord)}: one of the references may be of another aircraft.`,
    );
  if (v.Xnp !== undefined) {
    const expected = (v.Xnp - v.Xref - ahead) / v.Cref;
    if (Math.abs(expected - margin) > 0.02 + 0.05 * Math.abs(expected))
      say(
        "look",
        `Xnp = ${v.Xnp} makes a static margin of ${number(expected)} chords, -Cema/CLa one of ${number(margin)}.`,
      );
  }

  // Efficiency.
  const { computed, printed } = c.efficiency;
  if (Math.abs(v.CLtot) < 0.1)
    say(
      "look",
      `The run has little lift (CL = ${v.CLtot}): too little to determine the span efficiency; make a run near cruise.`,
    );
  else {
    if (printed !== undefined && Math.abs(computed - printed) > 0.03)
      say(
        "look",
        `CL^2/(pi AR CDi) is ${number(computed)} and AVL prints e = ${printed}; eff is ${number(n.eff)}.`,
      );
    if (computed > 1)
      say(
        "look",
        `A span efficiency of ${number(computed)} is too good for a planar wing: refine the lattice, unless there is a reason (winglets, box wing).`,
      );
  }

  // Controls.
  for (const { name, numbers } of c.controls) {
    const values = Object.entries(numbers);
    if (values.every(([, x]) => Math.abs(x) < 1e-6)) say("wrong", `The control ${name} has no effect.`);
    for (const [key, x] of values)
      if (Math.abs(x) > 0.2)
        say(
          "wrong",
          `${key} of ${name} is ${number(x)} per degree: its gain in the geometry file may be per radian.`,
        );
  }
  for (const left of c.controls) {
    const other = left.name.replace(/left|lft/i, "right").replace(/(^|[_-])l(?=$|[_-])/i, "$1r");
    const right = c.controls.find(
      ({ name }) => name !== left.name && name.toLowerCase() === other.toLowerCase(),
    );
    if (right === undefined) continue;
    for (const [key, l] of Object.entries(left.numbers)) {
      const mirrored = /^(CY|Cell|Cen)/.test(key) ? -right.numbers[key] : right.numbers[key];
      if (Math.abs(l - mirrored) > 2e-5 + 0.05 * Math.abs(l))
        say(
          "look",
          `${left.name} and ${right.name} are not mirror images: ${key} is ${number(l)} and ${number(right.numbers[key])}.`,
        );
    }
  }
  const turning = ["Beta", "pb/2V", "rb/2V"].filter((name) => Math.abs(v[name]) > 1e-4);
  if (turning.length > 0)
    say(
      "look",
      `The run is not straight (${turning.map((name) => `${name} = ${v[name]}`).join(", ")}): derivatives of a symmetric run are better.`,
    );
  for (const [name, value] of Object.entries(c.leftOver))
    if (Math.abs(value) > 5e-4)
      say(
        "look",
        `The run has ${name} = ${number(value)} that neither sideslip nor rates nor controls explain: the aircraft is not symmetric, and this part is left out.`,
      );
  if (v.Mach > 0.3)
    say("note", `The run is at Mach ${v.Mach}; the coefficients hold there, and here at all speeds.`);
  return out;
}
