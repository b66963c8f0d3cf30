import { describe, expect, it } from "vitest";
import * as m from "../../src/math/elementary.ts";
import { uniform } from "../../src/math/random.ts";
import {
  atanF,
  cosF,
  divF,
  expF,
  fixed,
  logF,
  mulF,
  ONE,
  PI_F,
  sinF,
  sqrtF,
  ulpError,
} from "../support/precise.ts";

const N = process.env.SIDESLIP_SOAK ? 200_000 : 10_000;
/** n seeded numbers spread over [low, high], evenly or over the orders of magnitude, with both signs if low < 0. */
function spread(name: string, low: number, high: number, n = N): number[] {
  return Array.from({ length: n }, (_, i) => low + (high - low) * uniform(7, name, i));
}
function magnitudes(name: string, low: number, high: number, n = N): number[] {
  return Array.from({ length: n }, (_, i) => {
    const a = low * Math.pow(high / low, uniform(8, name, i));
    return i % 2 ? a : -a;
  });
}
/** Doubles closest to multiples of pi/2, where the reduction cancels most. */
const nearQuarterTurns = Array.from({ length: 400 }, (_, i) => {
  const k = i < 200 ? i + 1 : Math.floor(1e6 * uniform(9, "turns", i));
  return (k * Math.PI) / 2;
});
const worst = (xs: number[], error: (x: number) => number) => {
  let max = 0;
  let at = 0;
  for (const x of xs) {
    const e = error(x);
    if (!(e <= max)) {
      max = e;
      at = x;
    }
  }
  return { max, at };
};
const within = (limit: number, xs: number[], error: (x: number) => number) => {
  const { max, at } = worst(xs, error);
  expect(max, `worst at x = ${at}`).toBeLessThan(limit);
};

const angles = [
  ...spread("angle", -1e5, 1e5),
  ...spread("large", -1.6e6, 1.6e6),
  ...spread("small", -4, 4),
  ...magnitudes("tiny", 1e-20, 1),
  ...nearQuarterTurns,
];

describe("elementary functions against 320-bit arithmetic", () => {
  it("sin and cos within 1 ulp up to 1.6e6 rad", () => {
    within(1, angles, (x) => ulpError(m.sin(x), sinF(fixed(x))));
    within(1, angles, (x) => ulpError(m.cos(x), cosF(fixed(x))));
  });
  it("cosSin, sinEach and atanEach are cos, sin and atan, bit for bit", () => {
    const values = [0, -0, 1e-9, 0.3, 0.8, -1.2, 2, 3.5, -4, 5.3, 6.5, 700.1, -1.5e6, 2e6, Number.NaN];
    const out = new Float64Array(2);
    for (const x of values) {
      m.cosSin(x, out, 0);
      expect([...out]).toEqual([m.cos(x), m.sin(x)]);
    }
    const all = Float64Array.from(values);
    m.sinEach(all);
    expect([...all]).toEqual(values.map(m.sin));
    all.set(values);
    m.atanEach(all);
    expect([...all]).toEqual(values.map(m.atan));
  });
  it("tan within 2 ulp", () => {
    within(2, angles, (x) => ulpError(m.tan(x), divF(sinF(fixed(x)), cosF(fixed(x)))));
  });
  it("exp within 1 ulp and expm1 within 2", () => {
    const xs = [...spread("exp", -700, 709.7), ...spread("exp1", -2, 2), ...magnitudes("expt", 1e-18, 1)];
    within(1, xs, (x) => ulpError(m.exp(x), ...expF(fixed(x))));
    const ys = [...spread("expm1", -50, 50), ...spread("expm1s", -1, 1), ...magnitudes("expm1t", 1e-18, 1)];
    within(2, ys, (x) => {
      const [mantissa, k] = expF(fixed(x));
      const e = k >= 0 ? mantissa << BigInt(k) : mantissa >> BigInt(-k);
      return ulpError(m.expm1(x), e - ONE);
    });
  });
  it("log within 1 ulp", () => {
    const xs = [...magnitudes("log", 1e-60, 1e60).map(Math.abs), ...spread("log1", 0.5, 2)];
    within(1, xs, (x) => ulpError(m.log(x), logF(fixed(x))));
    for (const x of [1e300, Number.MAX_VALUE]) expect(ulpError(m.log(x), logF(fixed(x)))).toBeLessThan(1);
  });
  it("tanh within 2 ulp", () => {
    const xs = [...spread("tanh", -25, 25), ...spread("tanh1", -1, 1), ...magnitudes("tanht", 1e-16, 1)];
    within(2, xs, (x) => {
      const [mantissa, k] = expF(2n * fixed(x));
      const e = k >= 0 ? mantissa << BigInt(k) : mantissa >> BigInt(-k);
      return ulpError(m.tanh(x), divF(e - ONE, e + ONE));
    });
  });
  it("atan and atan2 within 2 ulp in all four quadrants", () => {
    const xs = [...spread("atan", -4, 4), ...magnitudes("atanm", 1e-20, 1e20)];
    within(2, xs, (x) => ulpError(m.atan(x), atanF(fixed(x))));
    xs.forEach((y, i) => {
      const x = xs[(i * 7 + 3) % xs.length];
      const q = atanF(divF(fixed(y), fixed(x)));
      const exact = x > 0 ? q : y > 0 ? q + PI_F : q - PI_F;
      if (Math.abs(y / x) > 1e-40)
        expect(ulpError(m.atan2(y, x), exact), `atan2(${y}, ${x})`).toBeLessThan(2);
    });
  });
  it("asin and acos within 2 ulp", () => {
    const xs = [
      ...spread("asin", -1, 1),
      ...magnitudes("asint", 1e-16, 1),
      ...magnitudes("edge", 1e-16, 1).map((d) => (d > 0 ? 1 - d : -1 - d)),
    ];
    const exactAsin = (x: number) => {
      const a = fixed(x);
      return 2n * atanF(divF(a, ONE + sqrtF(ONE - mulF(a, a))));
    };
    within(2, xs, (x) => ulpError(m.asin(x), exactAsin(x)));
    within(2, xs, (x) => ulpError(m.acos(x), PI_F / 2n - exactAsin(x)));
  });
  it("pow within 2 ulp from the smallest normal to the largest double", () => {
    for (let i = 0; i < N; i++) {
      const x = i % 3 ? Math.pow(10, 60 * uniform(1, "x", i) - 30) : 1 + (uniform(1, "x", i) - 0.5) * 1e-3;
      const lnx = Math.abs(Math.log(x));
      const y = ((uniform(1, "y", i) * 2 - 1) * 700) / lnx;
      const [mantissa, k] = expF(mulF(fixed(y), logF(fixed(x))));
      expect(ulpError(m.pow(x, y), mantissa, k), `pow(${x}, ${y})`).toBeLessThan(2);
    }
  });
  it("hypot within 2 ulp", () => {
    const xs = magnitudes("hypot", 1e-20, 1e20);
    xs.forEach((x, i) => {
      const y = xs[(i * 5 + 1) % xs.length];
      expect(
        ulpError(m.hypot(x, y), sqrtF(mulF(fixed(x), fixed(x)) + mulF(fixed(y), fixed(y)))),
      ).toBeLessThan(2);
    });
    expect(m.hypot(3e200, 4e200)).toBeCloseTo(5e200, -190);
    expect(m.hypot(3e-200, 4e-200) / 5e-200).toBeCloseTo(1, 14);
  });
});

describe("special values are ECMAScript's", () => {
  const specials = [
    0,
    -0,
    1,
    -1,
    0.5,
    -0.5,
    2,
    -2,
    3,
    -3,
    Infinity,
    -Infinity,
    NaN,
    5e-324,
    -5e-324,
    1e308,
    -1e308,
    2 ** 53,
    2 ** 53 + 2,
  ];
  const isSpecial = (v: number) => v === 0 || !Number.isFinite(v) || v === 1 || v === -1;
  for (const name of ["exp", "expm1", "log", "tanh", "atan", "asin", "acos"] as const)
    it(name, () => {
      for (const x of specials) {
        const expected = Math[name](x);
        if (isSpecial(expected)) expect(m[name](x), `${name}(${x})`).toBe(expected);
        else expect(Math.abs(m[name](x) / expected - 1), `${name}(${x})`).toBeLessThan(1e-15);
      }
    });
  for (const name of ["sin", "cos", "tan"] as const)
    it(`${name}, NaN where an angle is absurd`, () => {
      for (const x of [0, -0, Infinity, -Infinity, NaN]) expect(m[name](x)).toBe(Math[name](x));
      expect(m[name](2e6)).toBeNaN();
      expect(m[name](-1e300)).toBeNaN();
    });
  for (const name of ["pow", "atan2", "hypot"] as const)
    it(name, () => {
      for (const x of specials)
        for (const y of specials) {
          const expected = Math[name](x, y);
          if (isSpecial(expected)) expect(m[name](x, y), `${name}(${x}, ${y})`).toBe(expected);
          else expect(Math.abs(m[name](x, y) / expected - 1), `${name}(${x}, ${y})`).toBeLessThan(1e-15);
        }
    });
  it("exp reaches the subnormal numbers and overflows where it must", () => {
    expect(m.exp(-745.1332191019411)).toBe(5e-324);
    expect(m.exp(-745.14)).toBe(0);
    expect(m.exp(709.782712893384)).toBeLessThan(Infinity);
    expect(m.exp(709.7827128933841)).toBe(Infinity);
    expect(m.log(5e-324)).toBe(-744.4400719213812);
  });
});
