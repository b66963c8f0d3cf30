/** One sensor: the true value with its errors, at its own rate, and its faults. */
import { exp } from "../math/elementary.ts";
import { stream } from "../math/random.ts";
import type { Field } from "../model/field.ts";
import { faultOf, type SensorFault } from "./fault.ts";

/** What there is to see at an instant. */
export interface Truth {
  t: number;
  x: Float64Array;
  y: Float64Array;
  e: Float64Array;
  /** As in motion.ts. */
  readonly motion: Float64Array;
}

/** A bias that wanders: a first-order Gauss-Markov process, the same along every axis or not. */
export interface Wander {
  readonly sigma: readonly number[];
  readonly tau: number;
}

export interface Errors {
  /** Standard deviation of each sample. */
  readonly noise: readonly number[];
  readonly bias: readonly number[];
  /** White noise by its density [unit/sqrt(Hz)], on top. */
  readonly density?: readonly number[];
  readonly wander?: Wander;
  /** Relative error of the scale. */
  readonly scale?: readonly number[];
}

export interface SensorMaking {
  /** As scenarios and faults call it. */
  readonly name: string;
  readonly fields: readonly Field[];
  /** Names the streams of noise: one for each number that is measured. */
  readonly axes: readonly string[];
  readonly errors: Errors;
  /** Samples a second; with every tick unless said otherwise. */
  readonly rate?: number;
  /**
   * Of a faulty one unless the fault says otherwise: the noise that is multiplied where it has none (the last counts for more
   * axes), and a bias of its first number.
   */
  readonly faulty: { readonly noise: readonly number[]; readonly bias: number };
  /** Looks at every tick, whether a sample is due or not. */
  watch?(truth: Truth): void;
  /** The part of a motion that it measures, from and up to a place. */
  readonly sees?: readonly [number, number];
  /** What it sees before its errors. */
  measure(truth: Truth, out: Float64Array): void;
  /** Its reading, from the measured value with errors; the same unless given. */
  express?(measured: Float64Array, z: Float64Array, offset: number): void;
  readonly memory?: readonly Float64Array[];
  /** Forgets what it has seen. */
  reset?(): void;
}

export interface Sensor {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly memory: readonly Float64Array[];
  /** Samples that it has delivered. */
  readonly count: () => number;
  sample(tick: number, truth: Truth, z: Float64Array): void;
  /** The vehicle is somewhere else: what it saw before does not count. */
  reset(): void;
}

/** Of a noisy sensor, unless the fault says otherwise. */
const NOISIER = 10;
const DROPPED = 0.5;

export function makeSensor(
  making: SensorMaking,
  seed: number,
  interval: number,
  faults: readonly SensorFault[],
  offset: number,
): Sensor {
  const { name, fields, axes, errors, rate, faulty, watch, measure, express } = making;
  const { bias, density, wander, scale } = errors;
  const n = axes.length;
  const every = rate === undefined ? interval : 1 / rate;
  const noise = errors.noise.map((sigma, i) => {
    const white = (density?.[i] ?? 0) / Math.sqrt(every);
    return white === 0 ? sigma : Math.sqrt(sigma * sigma + white * white);
  });
  const streams = axes.map((axis) => stream(seed, `sensor.${axis}`));
  const drifts = wander ? axes.map((axis) => stream(seed, `sensor.${axis}.wander`)) : [];
  const loudness = (i: number) => faulty.noise[Math.min(i, faulty.noise.length - 1)];
  const drops = stream(seed, `sensor.${name}.dropped`);
  const faultAt = faultOf(faults, name);
  const keeps = wander ? exp(-every / wander.tau) : 0;
  const moves = Math.sqrt(1 - keeps * keeps);
  // Number of the next sample, samples delivered, wandering biases.
  const memory = new Float64Array(2 + n);
  const measured = new Float64Array(n);
  return {
    name,
    fields,
    memory: [memory, ...(making.memory ?? [])],
    count: () => memory[1],
    reset() {
      memory[0] = Math.max(0, memory[0] - 1);
      making.reset?.();
    },
    sample(tick, truth, z) {
      watch?.(truth);
      const due = rate === undefined ? tick : Math.floor(truth.t * rate + 1e-9);
      if (due < memory[0]) return;
      const isFirst = memory[0] === 0;
      memory[0] = due + 1;
      if (wander)
        for (let i = 0; i < n; i++) {
          const draw = wander.sigma[i] * drifts[i].normal(due);
          memory[2 + i] = isFirst ? draw : keeps * memory[2 + i] + moves * draw;
        }
      measure(truth, measured);
      const { mode, amount } = faultAt(truth.t);
      if (mode === "off") return;
      if (mode === "dropped" && drops.uniform(due) < (amount?.[0] ?? DROPPED)) return;
      memory[1]++;
      // A stuck sensor repeats its last reading.
      if (mode === "stuck" && memory[1] > 1) return;
      for (let i = 0; i < n; i++) {
        let value = measured[i];
        if (scale) value += scale[i] * value;
        value += bias[i];
        if (mode === "biased") value += amount ? (amount[i] ?? 0) : i === 0 ? faulty.bias : 0;
        if (wander) value += memory[2 + i];
        const sigma = mode === "noisy" ? (amount?.[0] ?? NOISIER) * (noise[i] || loudness(i)) : noise[i];
        measured[i] = sigma === 0 ? value : value + sigma * streams[i].normal(due);
      }
      if (express) express(measured, z, offset);
      else for (let i = 0; i < n; i++) z[offset + i] = measured[i];
    },
  };
}
