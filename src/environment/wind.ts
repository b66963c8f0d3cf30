/** Wind: velocity of the air in NED (where it blows to), as a steady part plus seeded turbulence on a time grid of its own. */
import { coloredNoise } from "./colored-noise.ts";
import { dryden } from "./dryden.ts";
import { gusts } from "./gusts.ts";
import { GRID, type Turbulence } from "./turbulence.ts";

/** Any wind: writes north, east, down into out[0..2]. The state gives the position for winds that vary in space. */
export interface Wind {
  /** Called before the instants of [t0, t1] are asked for, in any order within it. */
  begin?(t0: number, t1: number): void;
  at(t: number, x: Float64Array, out: Float64Array): void;
  /** As `at` for several instants, where the state does not matter: from `first` on, instants and components so many numbers apart. */
  along?(
    times: Float64Array,
    count: number,
    out: Float64Array,
    first: number,
    stride: number,
    gap: number,
  ): void;
  /** Everything that changes, for snapshots. */
  readonly memory?: readonly Float64Array[];
  /** The same everywhere: `at` does not look at the state. */
  readonly isUniform?: boolean;
  /** And at all times. */
  readonly isSteady?: boolean;
}

/** Wind of a scenario: steady, gusts, coloured noise, Dryden turbulence. Velocities of the air in NED [m/s]. */
export interface WindSpecification {
  readonly steady?: readonly [number, number, number];
  readonly gust?: { readonly interval: number; readonly duration: number; readonly magnitude: number };
  readonly colored?: { readonly tau: number; readonly sigma: number };
  readonly dryden?: {
    readonly turbulence: "light" | "moderate" | "severe";
    readonly height: number;
    readonly airspeed: number;
    readonly heading: number;
  };
}

/** Points of the grid that are made at once, beyond those that are needed. */
const AHEAD = 64;

/** `longest` is the longest interval that `begin` will announce. */
export function createWind(specification: WindSpecification, seed: number, longest: number): Wind {
  const [north, east, down] = specification.steady ?? [0, 0, 0];
  const { gust, colored, dryden: turbulence } = specification;
  const processes: Turbulence[] = [];
  if (gust) processes.push(gusts(gust, seed));
  if (colored) processes.push(coloredNoise(colored, seed));
  if (turbulence) processes.push(dryden(turbulence, seed));
  if (processes.length === 0)
    return {
      isUniform: true,
      isSteady: true,
      at(_t, _x, out) {
        out[0] = north;
        out[1] = east;
        out[2] = down;
      },
    };

  const capacity = Math.ceil(longest / GRID) + 3 + AHEAD;
  // First grid index held, how many are held, then their three components each.
  const held = new Float64Array(2 + 3 * capacity);
  /** Makes points of the grid, behind those that are held. */
  const more = (k: number, count: number) => {
    const offset = 2 + 3 * held[1];
    held.fill(0, offset, offset + 3 * count);
    for (const process of processes) process.next(k, count, held, offset);
  };
  /** Linear between grid points. */
  const write = (t: number, out: Float64Array, to: number, gap: number) => {
    const s = t / GRID - held[0];
    const i = Math.min(Math.max(Math.floor(s), 0), held[1] - 2);
    const f = s - i;
    const a = 2 + 3 * i;
    out[to] = north + held[a] + f * (held[a + 3] - held[a]);
    out[to + gap] = east + held[a + 1] + f * (held[a + 4] - held[a + 1]);
    out[to + 2 * gap] = down + held[a + 2] + f * (held[a + 5] - held[a + 2]);
  };
  return {
    isUniform: true,
    memory: [held, ...processes.map((p) => p.memory)],
    begin(t0, t1) {
      if (Math.floor(t1 / GRID) + 1 < held[0] + held[1] && t0 >= held[0] * GRID) return;
      const first = Math.floor(t0 / GRID);
      const drop = Math.max(0, Math.min(held[1], first - held[0]));
      if (drop > 0) held.copyWithin(2, 2 + 3 * drop, 2 + 3 * held[1]);
      held[0] += drop;
      held[1] -= drop;
      // What came before the first is of no interest, but for what follows from it.
      for (; held[1] === 0 && held[0] < first; held[0]++) more(held[0], 1);
      more(held[0] + held[1], capacity - held[1]);
      held[1] = capacity;
    },
    at: (t, _x, out) => write(t, out, 0, 1),
    along(times, count, out, first, stride, gap) {
      for (let k = 0; k < count; k++) write(times[k], out, first + k * stride, gap);
    },
  };
}
