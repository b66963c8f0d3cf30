/**
 * AVL's mass file: units, then point masses and bodies `mass x y z [Ixx Iyy Izz [Ixy Ixz Iyz]]` in AVL's axes (x back, y right,
 * z up), with lines that begin with * or + scaling and shifting those after them.
 */
import { InputError } from "../../model/input-error.ts";
import { parseUnit } from "../../model/units.ts";
import { readAvlNumber } from "./output.ts";

export interface AvlMass {
  /** Metres in AVL's unit of length. */
  readonly length: number;
  readonly mass: number;
  /** Centre of mass in AVL's axes [m]. */
  readonly centre: readonly [number, number, number];
  /** Tensor about the centre of mass in body axes (forward, right, down) [kg m^2]. */
  readonly inertia: Readonly<Record<"xx" | "yy" | "zz" | "xy" | "xz" | "yz", number>>;
  readonly g?: number;
  readonly rho?: number;
}

type Numbers = number[];

export function readAvlMass(text: string, file: string): AvlMass {
  // `Lunit = 0.0254 m`: the table's numbers are in 0.0254 m, gravity and density in m.
  const units: Record<string, number> = { Lunit: 1, Munit: 1, Tunit: 1 };
  const named: Record<string, number> = { Lunit: 1, Munit: 1, Tunit: 1 };
  const given: Record<string, number> = {};
  const items: Numbers[] = [];
  let scale: Numbers = new Array(10).fill(1);
  let shift: Numbers = new Array(10).fill(0);
  text.split(/\r?\n/).forEach((raw, i) => {
    const line = i + 1;
    const content = raw.replace(/[#!].*$/, "").trim();
    if (content === "") return;
    const unit = /^(Lunit|Munit|Tunit|g|rho)\s*=\s*(\S+)\s*(\S*)/.exec(content);
    if (unit) {
      const value = readAvlNumber(unit[2], { file, line, field: unit[1] });
      if (unit[1] in units) {
        named[unit[1]] = unitOf(unit[3], { file, line, field: unit[1] });
        units[unit[1]] = value * named[unit[1]];
      } else given[unit[1]] = value;
      return;
    }
    const kind = /^[*+]/.exec(content)?.[0];
    const words = content.replace(/^[*+]\s*/, "").split(/[\s,]+/);
    const numbers = words.map((word) => readAvlNumber(word, { file, line, field: kind ?? "mass" }));
    const padded = (fill: number) => [...numbers, ...new Array(10).fill(fill)].slice(0, 10);
    if (kind === "*") scale = padded(1);
    else if (kind === "+") shift = padded(0);
    else if (numbers.length < 4)
      throw new InputError(`holds ${numbers.length} numbers`, {
        file,
        line,
        field: "mass",
        allowed: "mass x y z [Ixx Iyy Izz [Ixy Ixz Iyz]]",
      });
    else items.push(padded(0).map((v, k) => v * scale[k] + shift[k]));
  });
  const mass = items.reduce((sum, [m]) => sum + m, 0);
  if (!(mass > 0))
    throw new InputError("has no mass", { file, allowed: "lines with mass x y z [Ixx Iyy Izz ...]" });
  const L = units.Lunit;
  const M = units.Munit;
  const centre = [1, 2, 3].map((k) => items.reduce((sum, item) => sum + item[0] * item[k], 0) / mass);
  // Tensor in AVL's axes about the common centre; its products of inertia are integrals of xy, xz, yz.
  const I = { xx: 0, yy: 0, zz: 0, xy: 0, xz: 0, yz: 0 };
  for (const [m, px, py, pz, Ixx, Iyy, Izz, Ixy, Ixz, Iyz] of items) {
    const [x, y, z] = [px - centre[0], py - centre[1], pz - centre[2]];
    I.xx += Ixx + m * (y * y + z * z);
    I.yy += Iyy + m * (x * x + z * z);
    I.zz += Izz + m * (x * x + y * y);
    I.xy -= Ixy + m * x * y;
    I.xz -= Ixz + m * x * z;
    I.yz -= Iyz + m * y * z;
  }
  const k = M * L * L;
  const { Lunit: l, Munit: m, Tunit: t } = named;
  return {
    length: L,
    mass: mass * M,
    centre: [centre[0] * L, centre[1] * L, centre[2] * L],
    // x and z turn round, so the elements with y and one of them change sign.
    inertia: { xx: I.xx * k, yy: I.yy * k, zz: I.zz * k, xy: -I.xy * k, xz: I.xz * k, yz: -I.yz * k },
    ...(given.g === undefined ? {} : { g: (given.g * l) / (t * t) }),
    ...(given.rho === undefined ? {} : { rho: (given.rho * m) / (l * l * l) }),
  };
}

function unitOf(word: string, place: { file: string; line: number; field: string }): number {
  if (word === "") return 1;
  const known = parseUnit(word.toLowerCase());
  if (known === undefined)
    throw new InputError(`"${word}" is not a unit that is known here`, {
      ...place,
      allowed: "m, cm, mm, ft, in; kg, g, lb, slug; s",
    });
  return known.factor / known.divisor;
}
