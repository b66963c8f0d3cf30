import { exp } from "../math/elementary.ts";
import { stream } from "../math/random.ts";
import { GRID, type Turbulence } from "./turbulence.ts";

/** What is left of a value after a step of the grid, and the deviation of what is new. */
function stepOf(tau: number, sigma: number): { keep: number; kick: number } {
  const keep = exp(-GRID / tau);
  return { keep, kick: sigma * Math.sqrt(1 - keep * keep) };
}

/**
 * Exact first-order (Ornstein-Uhlenbeck) process on the grid: stationary standard deviation sigma, correlation
 * sigma^2 exp(-|dt|/tau). Starts in its stationary distribution.
 */
export function ornsteinUhlenbeck(tau: number, sigma: number, seed: number, name: string) {
  const noise = stream(seed, name);
  const { keep, kick } = stepOf(tau, sigma);
  return (k: number, last: number): number =>
    k === 0 ? sigma * noise.normal(0) : keep * last + kick * noise.normal(k);
}

const AXES = ["north", "east", "down"];

/** The same process independently along each axis. */
export function coloredNoise({ tau, sigma }: { tau: number; sigma: number }, seed: number): Turbulence {
  const noise = AXES.map((axis) => stream(seed, `wind.colored.${axis}`));
  const { keep, kick } = stepOf(tau, sigma);
  const memory = new Float64Array(3);
  return {
    memory,
    next(k, count, out, offset) {
      for (let i = 0; i < 3; i++) {
        const axis = noise[i];
        let last = memory[i];
        for (let j = 0, to = offset + i; j < count; j++, to += 3) {
          const n = axis.normal(k + j);
          last = k + j === 0 ? sigma * n : keep * last + kick * n;
          out[to] += last;
        }
        memory[i] = last;
      }
    },
  };
}
