/** Units as text: "kg m^2", "1/rad", "N m", "rpm" read into a factor to SI and a dimension. */

/** Exponents of metre, kilogram, second, ampere, kelvin, radian. */
export type Dimension = readonly number[];
/** A unit: its factor to SI and its dimension. */
export interface Unit {
  /** One of it is factor/divisor in SI: two whole numbers where possible, so that 230 mm is 0.23 m to the last bit. */
  readonly factor: number;
  readonly divisor: number;
  readonly dimension: Dimension;
}

const dim = (m = 0, kg = 0, s = 0, A = 0, K = 0, rad = 0): Dimension => [m, kg, s, A, K, rad];
const unit = (factor: number, dimension: Dimension, divisor = 1): Unit => ({ factor, divisor, dimension });
const NONE = dim();
const LENGTH = dim(1);
const MASS = dim(0, 1);
const TIME = dim(0, 0, 1);
const ANGLE = dim(0, 0, 0, 0, 0, 1);
const SPEED = dim(1, 0, -1);
const SPIN = dim(0, 0, -1, 0, 0, 1);

const UNITS: Readonly<Record<string, Unit>> = {
  one: unit(1, NONE),
  "%": unit(1, NONE, 100),
  m: unit(1, LENGTH),
  km: unit(1000, LENGTH),
  cm: unit(1, LENGTH, 100),
  mm: unit(1, LENGTH, 1000),
  in: unit(254, LENGTH, 10000),
  ft: unit(3048, LENGTH, 10000),
  kg: unit(1, MASS),
  g: unit(1, MASS, 1000),
  lb: unit(0.45359237, MASS),
  slug: unit(14.593902937206364, MASS),
  s: unit(1, TIME),
  ms: unit(1, TIME, 1000),
  us: unit(1, TIME, 1e6),
  min: unit(60, TIME),
  h: unit(3600, TIME),
  Hz: unit(1, dim(0, 0, -1)),
  rad: unit(1, ANGLE),
  deg: unit(Math.PI, ANGLE, 180),
  rpm: unit(Math.PI, SPIN, 30),
  kt: unit(1852, SPEED, 3600),
  kHz: unit(1000, dim(0, 0, -1)),
  mph: unit(0.44704, SPEED),
  N: unit(1, dim(1, 1, -2)),
  lbf: unit(4.4482216152605, dim(1, 1, -2)),
  Pa: unit(1, dim(-1, 1, -2)),
  J: unit(1, dim(2, 1, -2)),
  W: unit(1, dim(2, 1, -3)),
  V: unit(1, dim(2, 1, -3, -1)),
  A: unit(1, dim(0, 0, 0, 1)),
  mAh: unit(3.6, dim(0, 0, 1, 1)),
  Ah: unit(3600, dim(0, 0, 1, 1)),
  ohm: unit(1, dim(2, 1, -3, -2)),
  K: unit(1, dim(0, 0, 0, 0, 1)),
};

const SUPERSCRIPTS: Readonly<Record<string, string>> = {
  "²": "^2",
  "³": "^3",
  "·": " ",
  "°": "deg",
  Ω: "ohm",
};

/** Reads "kg m^2/s" (everything after a slash divides). Undefined where a word is no unit. */
export function parseUnit(text: string): Unit | undefined {
  const plain = text.replace(/[²³·°Ω]/g, (c) => SUPERSCRIPTS[c]).trim();
  let factor = 1;
  let divisor = 1;
  const dimension = [0, 0, 0, 0, 0, 0];
  for (const [index, part] of plain.split("/").entries()) {
    for (const word of part.trim().split(/[\s*]+/)) {
      const [, name, power = "1"] =
        /^(?:([A-Za-z%]+)(?:\^?(-?\d{1,2}))?)$/.exec(word === "1" ? "one" : word) ?? [];
      const base = name === undefined || !Object.hasOwn(UNITS, name) ? undefined : UNITS[name];
      if (base === undefined) return undefined;
      const exponent = index === 0 ? Number(power) : -Number(power);
      for (let i = 0; i < Math.abs(exponent); i++) {
        factor *= exponent > 0 ? base.factor : base.divisor;
        divisor *= exponent > 0 ? base.divisor : base.factor;
      }
      base.dimension.forEach((d, i) => {
        dimension[i] += d * exponent;
      });
    }
  }
  return { factor, divisor, dimension };
}

const same = (a: Dimension, b: Dimension) => a.every((d, i) => d === b[i]);
const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*)$/;

/** "230 mm" for a field in metres gives 0.23; a string answer says what is wrong. */
export function parseQuantity(text: string, unit: string): number | { problem: string } {
  // As YAML writes it; whether a field allows it is for its range to say.
  if (/^\.inf$/i.test(text.trim())) return Number.POSITIVE_INFINITY;
  const [, digits, unitText = ""] = QUANTITY.exec(text.trim()) ?? [];
  if (digits === undefined) return { problem: `"${text}" is not a number with a unit` };
  if (unitText === "") return Number(digits);
  const given = parseUnit(unitText);
  const wanted = parseUnit(unit);
  if (given === undefined)
    return { problem: `"${unitText}" in "${text}" is not a unit (known: ${Object.keys(UNITS).join(" ")})` };
  if (wanted === undefined || !same(given.dimension, wanted.dimension))
    return { problem: `"${text}" has the wrong kind of unit` };
  return (Number(digits) * given.factor * wanted.divisor) / (given.divisor * wanted.factor);
}
