import { exp } from "../math/elementary.ts";
import { stream } from "../math/random.ts";
import { GRID, type Turbulence } from "./turbulence.ts";

/**
 * Exact first-order (Ornstein-Uhlenbeck) process on the grid: stationary standard deviation sigma, correlation
 * sigma^2 exp(-|dt|/tau). Starts in its stationary distribution.
 */
export function ornsteinUhlenbeck(tau: number, sigma: number, seed: number, name: string) {
  const noise = stream(seed, name);
  const keep = exp(-GRID / tau);
  const kick = sigma * Math.sqrt(1 - keep * keep);
  return (k: number, last: number): number =>
    k === 0 ? sigma * noise.normal(0) : keep * last + kick * noise.normal(k);
}

const AXES = ["north", "east", "down"];

/** The same process independently along each axis. */
export function coloredNoise({ tau, sigma }: { tau: number; sigma: number }, seed: number): Turbulence {
  const [north, east, down] = AXES.map((axis) => ornsteinUhlenbeck(tau, sigma, seed, `wind.colored.${axis}`));
  const memory = new Float64Array(3);
  return {
    memory,
    next(k, out, offset) {
      memory[0] = north(k, memory[0]);
      memory[1] = east(k, memory[1]);
      memory[2] = down(k, memory[2]);
      for (let i = 0; i < 3; i++) out[offset + i] += memory[i];
    },
  };
}
