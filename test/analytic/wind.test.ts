import { describe, expect, it } from "vitest";
import { drydenScales } from "../../src/environment/dryden.ts";
import { GRID } from "../../src/environment/turbulence.ts";
import { createWind, type WindSpecification } from "../../src/environment/wind.ts";

const X = new Float64Array(15);

/** n grid points of the three components. */
function realise(specification: WindSpecification, seed: number, n: number): Float64Array[] {
  const wind = createWind(specification, seed, 1);
  const out = new Float64Array(3);
  const axes = [0, 1, 2].map(() => new Float64Array(n));
  for (let k = 0; k < n; k++) {
    wind.begin?.(k * GRID, (k + 1) * GRID);
    wind.at(k * GRID, X, out);
    axes.forEach((axis, i) => {
      axis[k] = out[i];
    });
  }
  return axes;
}
const mean = (a: Float64Array) => a.reduce((s, v) => s + v, 0) / a.length;
const covariance = (a: Float64Array, lag: number) => {
  let sum = 0;
  for (let i = 0; i + lag < a.length; i++) sum += a[i] * a[i + lag];
  return sum / (a.length - lag);
};

describe("coloured wind", () => {
  const tau = 0.5;
  const sigma = 1.3;
  const n = 400_000; // 4000 s: 8000 correlation times, 4000 independent ones
  const axes = realise({ colored: { tau, sigma } }, 11, n);
  // Bartlett: the variance of a sample covariance of this process is about 2 sigma^4 tau / T.
  const allowed = 5 * sigma ** 2 * Math.sqrt((2 * tau) / (n * GRID));
  it("has the stationary variance and the exponential autocorrelation", () => {
    for (const axis of axes)
      for (const lag of [0, 10, 50, 100])
        expect(Math.abs(covariance(axis, lag) - sigma ** 2 * Math.exp((-lag * GRID) / tau))).toBeLessThan(
          allowed,
        );
  });
  it("is independent between axes", () => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += axes[0][i] * axes[1][i];
    expect(Math.abs(sum / n)).toBeLessThan(allowed);
  });
  it("is stationary from its first point", () => {
    const first = Float64Array.from(
      { length: 4000 },
      (_, seed) => realise({ colored: { tau, sigma } }, seed, 1)[0][0],
    );
    expect(Math.abs(covariance(first, 0) / sigma ** 2 - 1)).toBeLessThan(5 * Math.sqrt(2 / 4000));
  });
});

describe("gusts", () => {
  const gust = { interval: 4, duration: 2, magnitude: 3 };
  const n = 600_000;
  const [north, east, down] = realise({ gust }, 5, n);
  const speed = north.map((v, i) => Math.hypot(v, east[i], down[i]));
  // Starts and ends of the gusts, from the recorded speed.
  const gusts: { start: number; end: number; peak: number; direction: number[] }[] = [];
  for (let i = 1; i < n; i++) {
    if (speed[i] > 0 && speed[i - 1] === 0) gusts.push({ start: i, end: i, peak: 0, direction: [] });
    const g = gusts.at(-1);
    if (g && speed[i] > 0) {
      g.end = i;
      if (speed[i] > g.peak)
        Object.assign(g, {
          peak: speed[i],
          direction: [north[i], east[i], down[i]].map((v) => v / speed[i]),
        });
    }
  }
  const whole = gusts.slice(1, -1);
  const standardError = 5 / Math.sqrt(whole.length);
  it("wait exponentially from the end of one to the start of the next", () => {
    const waits = whole.slice(1).map((g, i) => (g.start - whole[i].end) * GRID);
    const m = waits.reduce((a, b) => a + b, 0) / waits.length;
    expect(Math.abs(m / gust.interval - 1)).toBeLessThan(standardError);
    const variance = waits.reduce((a, b) => a + (b - m) ** 2, 0) / waits.length;
    expect(Math.abs(Math.sqrt(variance) / gust.interval - 1)).toBeLessThan(2 * standardError);
  });
  it("last as long as told, with a Hann window", () => {
    // Two gusts less than a grid step apart look like one: rare.
    const single = whole.filter((g) => (g.end - g.start) * GRID < 1.5 * gust.duration);
    expect(single.length).toBeGreaterThan(0.98 * whole.length);
    for (const g of single) {
      expect(Math.abs((g.end - g.start) * GRID - gust.duration)).toBeLessThan(0.03);
      const part = (f: number) => speed[Math.round(g.start + (g.end - g.start) * f)] / g.peak;
      for (const f of [0.1, 0.25, 0.6, 0.9])
        expect(Math.abs(part(f) - Math.sin(Math.PI * f) ** 2)).toBeLessThan(0.03);
    }
  });
  it("have peaks uniform up to the magnitude and directions uniform on the sphere", () => {
    const peaks = whole.map((g) => g.peak);
    expect(Math.max(...peaks)).toBeLessThanOrEqual(gust.magnitude);
    expect(Math.abs(peaks.reduce((a, b) => a + b, 0) / peaks.length - 1.5)).toBeLessThan(
      1.5 * 0.58 * standardError,
    );
    for (const axis of [0, 1, 2]) {
      const c = whole.map((g) => g.direction[axis]);
      expect(Math.abs(c.reduce((a, b) => a + b, 0) / c.length)).toBeLessThan(0.577 * standardError);
      // A component of a uniform direction is uniform in [-1, 1]: its mean square is 1/3.
      expect(Math.abs(c.reduce((a, b) => a + b * b, 0) / c.length - 1 / 3)).toBeLessThan(0.3 * standardError);
    }
  });
});

describe("Dryden turbulence", () => {
  it("has the scales of MIL-HDBK-1797 at 200 ft, moderate (worked by hand)", () => {
    // h = 200 ft: base 0.177 + 0.1646 = 0.3416; base^1.2 = 0.27557; base^0.4 = 0.65075; W20 = 30 kt = 15.4333 m/s.
    const s = drydenScales("moderate", 200 * 0.3048);
    expect(s.sigma_w).toBeCloseTo(1.54333, 4);
    expect(s.sigma_u).toBeCloseTo(1.54333 / 0.65075, 3);
    expect(s.L_u).toBeCloseTo((200 / 0.27557) * 0.3048, 1);
    expect(s.L_v).toBeCloseTo(s.L_u / 2, 10);
    expect(s.L_w).toBeCloseTo(100 * 0.3048, 6);
  });

  // Short scales (low, fast) so that many correlation times fit into the run.
  const dryden = { turbulence: "light", height: 6, airspeed: 60, heading: 0 } as const;
  const scales = drydenScales(dryden.turbulence, dryden.height);
  const n = 1 << 19;
  const [u, v, w] = realise({ dryden }, 21, n);
  const T = n * GRID;
  it("has the variances sigma^2 and zero mean", () => {
    for (const [axis, sigma, L] of [
      [u, scales.sigma_u, scales.L_u],
      [v, scales.sigma_v, scales.L_v],
      [w, scales.sigma_w, scales.L_w],
    ] as const) {
      const correlationTime = (2 * L) / dryden.airspeed;
      expect(Math.abs(covariance(axis, 0) / sigma ** 2 - 1)).toBeLessThan(
        5 * Math.sqrt((2 * correlationTime) / T),
      );
      expect(Math.abs(mean(axis))).toBeLessThan(5 * sigma * Math.sqrt((2 * correlationTime) / T));
    }
  });
  it("has the Dryden autocorrelations: exp(-t/Tu) along, (1 - t/4Tv) exp(-t/2Tv) across and down", () => {
    const cases = [
      [u, scales.sigma_u, (t: number) => Math.exp((-t * dryden.airspeed) / scales.L_u)],
      [
        v,
        scales.sigma_v,
        (t: number) => ((s) => (1 - s / 2) * Math.exp(-s))((t * dryden.airspeed) / (2 * scales.L_v)),
      ],
      [
        w,
        scales.sigma_w,
        (t: number) => ((s) => (1 - s / 2) * Math.exp(-s))((t * dryden.airspeed) / (2 * scales.L_w)),
      ],
    ] as const;
    for (const [axis, sigma, expected] of cases)
      for (const lag of [1, 3, 10, 20, 50]) {
        const error = covariance(axis, lag) / sigma ** 2 - expected(lag * GRID);
        expect(Math.abs(error), `lag ${lag}`).toBeLessThan(
          5 * Math.sqrt((4 * scales.L_u) / dryden.airspeed / T),
        );
      }
  });
  it("has the transverse spectrum 2 sigma^2 L/(pi V) (1 + 12 (L O)^2)/(1 + 4 (L O)^2)^2", () => {
    // Averaged periodograms of slow turbulence, where the grid is fine against the spectrum.
    const slow = { ...dryden, airspeed: 15 };
    const { sigma_w, L_w } = drydenScales(slow.turbulence, slow.height);
    const [, , axis] = realise({ dryden: slow }, 8, n);
    const block = 2048;
    const blocks = n / block;
    const Tw = L_w / slow.airspeed;
    for (const k of [4, 8, 20, 40]) {
      const omega = (2 * Math.PI * k) / (block * GRID);
      let power = 0;
      for (let b = 0; b < blocks; b++) {
        let re = 0;
        let im = 0;
        for (let i = 0; i < block; i++) {
          // Hann window against leakage.
          const h = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / block);
          re += h * axis[b * block + i] * Math.cos(omega * i * GRID);
          im += h * axis[b * block + i] * Math.sin(omega * i * GRID);
        }
        power += re * re + im * im;
      }
      // One-sided density per rad/s: variance is its integral from 0 to infinity. Window power 3/8.
      const density = (power * GRID) / (blocks * block * 0.375) / Math.PI;
      const s = 4 * (Tw * omega) ** 2;
      const expected = ((2 * sigma_w ** 2 * Tw) / Math.PI) * ((1 + 3 * s) / (1 + s) ** 2);
      expect(Math.abs(density / expected - 1), `omega ${omega}`).toBeLessThan(5 / Math.sqrt(blocks) + 0.02);
    }
  });
  it("is stationary from its first point, its axes are independent, and its classes are 15, 30 and 45 kt", () => {
    const first = Array.from({ length: 4000 }, (_, seed) =>
      realise({ dryden }, seed, 1).map((axis) => axis[0]),
    );
    const product = (i: number, j: number) => first.reduce((s, v) => s + v[i] * v[j], 0) / first.length;
    const sigma = [scales.sigma_u, scales.sigma_v, scales.sigma_w];
    for (const i of [0, 1, 2])
      for (const j of [0, 1, 2])
        expect(Math.abs(product(i, j) / (sigma[i] * sigma[j]) - (i === j ? 1 : 0))).toBeLessThan(
          5 * Math.sqrt(2 / 4000),
        );
    const kt = 1852 / 3600;
    for (const [name, speed] of [
      ["light", 15],
      ["moderate", 30],
      ["severe", 45],
    ] as const)
      expect(drydenScales(name, 50).sigma_w).toBeCloseTo(0.1 * speed * kt, 12);
  });
  it("turns with its heading", () => {
    const [north, east] = realise({ dryden: { ...dryden, heading: Math.PI / 2 } }, 21, 50);
    for (let i = 0; i < 50; i++) {
      expect(east[i]).toBeCloseTo(u[i], 12);
      expect(north[i]).toBeCloseTo(-v[i], 12);
    }
  });
});

describe("a realisation", () => {
  const all: WindSpecification = {
    steady: [1, -2, 0.5],
    gust: { interval: 1, duration: 1, magnitude: 3 },
    colored: { tau: 1, sigma: 1 },
    dryden: { turbulence: "light", height: 50, airspeed: 5, heading: 0.3 },
  };
  it("is the sum of its parts", () => {
    const sum = realise(all, 3, 500);
    const parts = [
      { steady: all.steady },
      { gust: all.gust },
      { colored: all.colored },
      { dryden: all.dryden },
    ].map((s) => realise(s, 3, 500));
    for (let i = 0; i < 500; i++)
      for (const axis of [0, 1, 2])
        expect(sum[axis][i]).toBeCloseTo(
          parts.reduce((s, p) => s + p[axis][i], 0),
          12,
        );
  });
  it("does not depend on the interval between ticks nor on the order of looking within one", () => {
    const out = new Float64Array(3);
    const look = (tick: number, order: readonly number[]) => {
      const wind = createWind(all, 3, tick);
      const seen = new Map<number, number[]>();
      for (let k = 0; k * tick < 2 - 1e-9; k++) {
        wind.begin?.(k * tick, (k + 1) * tick);
        for (const f of order) {
          const t = Math.round((k + f) * tick * 1000) / 1000;
          if (Math.abs(t * 40 - Math.round(t * 40)) > 1e-9) continue; // compare at multiples of 25 ms
          wind.at(t, X, out);
          seen.set(t, [...out]);
        }
      }
      return seen;
    };
    const reference = look(0.025, [0]);
    for (const seen of [look(0.05, [0.5, 0, 1]), look(0.5, [0.95, 0.3, 0.05, 0.5]), look(0.005, [0])]) {
      let compared = 0;
      for (const [t, value] of seen) {
        const expected = reference.get(t);
        if (!expected) continue;
        compared++;
        value.forEach((v, i) => {
          expect(v).toBeCloseTo(expected[i], 10);
        });
      }
      expect(compared).toBeGreaterThan(10);
    }
  });
});
