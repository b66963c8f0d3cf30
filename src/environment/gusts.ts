import { cos, sin } from "../math/elementary.ts";
import { stream } from "../math/random.ts";
import { GRID, type Turbulence } from "./turbulence.ts";

/**
 * Discrete gusts: after an exponential waiting time (mean `interval`, counted from the end of the last gust) a Hann window of
 * length `duration`, in a direction uniform on the sphere, with a peak uniform in [0, magnitude].
 */
export function gusts(
  { interval, duration, magnitude }: { interval: number; duration: number; magnitude: number },
  seed: number,
): Turbulence {
  const waits = stream(seed, "wind.gust.wait");
  const peaks = stream(seed, "wind.gust.peak");
  const heights = stream(seed, "wind.gust.direction.height");
  const azimuths = stream(seed, "wind.gust.direction.azimuth");
  // Number of the current gust and its start.
  const memory = new Float64Array([0, interval * waits.exponential(0)]);
  return {
    memory,
    next(first, count, out, offset) {
      for (let k = first, to = offset; k < first + count; k++, to += 3) {
        const t = k * GRID;
        while (t > memory[1] + duration) {
          memory[0]++;
          memory[1] += duration + interval * waits.exponential(memory[0]);
        }
        if (t < memory[1]) continue;
        const n = memory[0];
        const peak = magnitude * peaks.uniform(n);
        const window = 0.5 * (1 - cos((2 * Math.PI * (t - memory[1])) / duration));
        const down = 2 * heights.uniform(n) - 1;
        const level = Math.sqrt(1 - down * down);
        const azimuth = 2 * Math.PI * azimuths.uniform(n);
        out[to] += peak * window * level * cos(azimuth);
        out[to + 1] += peak * window * level * sin(azimuth);
        out[to + 2] += peak * window * down;
      }
    },
  };
}
