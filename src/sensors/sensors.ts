/** Sensors of up to three components: what the vehicle does, plus bias and white noise, at their own rate. */
import { toBody } from "../math/quaternion.ts";
import { stream } from "../math/random.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";

type Triple = readonly [number, number, number];

export interface SensorSpecification {
  /** Standard deviation of each sample. */
  readonly noise: Triple;
  readonly bias: Triple;
}
export interface SensorsSpecification {
  readonly seed?: number;
  readonly position?: SensorSpecification;
  /** Over ground, as satellite receivers measure it. */
  readonly velocity?: SensorSpecification;
  /** The earth's field in body axes. */
  readonly magnetometer?: SensorSpecification & { readonly field: Triple };
  /** Specific force: level at rest it reads (0, 0, -g). */
  readonly accelerometer?: SensorSpecification;
  readonly gyro?: SensorSpecification;
  /** True airspeed; the first of noise and bias counts. */
  readonly airspeed?: SensorSpecification;
  readonly imu?: {
    /** Samples per second; between samples the last one is held. 0 switches it off. */
    readonly rate: number;
    readonly accelerometer: SensorSpecification;
    readonly gyro: SensorSpecification;
  };
}

/** All readings of one vehicle, side by side in z. */
export interface Sensors {
  readonly fields: readonly Field[];
  sample(tick: number, t: number, x: Float64Array, y: Float64Array, z: Float64Array): void;
  readonly memory: readonly Float64Array[];
}

interface Kind {
  readonly axes: readonly string[];
  /** States or outputs it measures. */
  readonly truth: readonly string[];
  readonly unit: string;
  readonly meaning: string;
}
const KINDS = {
  position: {
    axes: ["north", "east", "down"],
    truth: ["north", "east", "down"],
    unit: "m",
    meaning: "measured position",
  },
  velocity: {
    axes: ["north", "east", "down"],
    truth: ["v_north", "v_east", "v_down"],
    unit: "m/s",
    meaning: "measured velocity",
  },
  mag: {
    axes: ["x", "y", "z"],
    truth: ["q_w", "q_x", "q_y", "q_z"],
    unit: "T",
    meaning: "measured magnetic field, body axis",
  },
  accel: {
    axes: ["x", "y", "z"],
    truth: ["specific_force_x", "specific_force_y", "specific_force_z"],
    unit: "m/s^2",
    meaning: "measured specific force, body axis",
  },
  gyro: {
    axes: ["x", "y", "z"],
    truth: ["p", "q", "r"],
    unit: "rad/s",
    meaning: "measured angular rate, body axis",
  },
  airspeed: { axes: ["measured"], truth: ["airspeed"], unit: "m/s", meaning: "true airspeed," },
} satisfies Record<string, Kind>;

function sensor(
  model: Model,
  kind: keyof typeof KINDS,
  prefix: string,
  { noise, bias }: SensorSpecification,
  rate: number | undefined,
  seed: number,
  offset: number,
  field: Triple | undefined,
): Sensors {
  const { axes, truth, unit, meaning }: Kind = KINDS[kind];
  const fields = axes.map((axis) => ({
    name: `${prefix}${kind}_${axis}`,
    unit,
    meaning: `${meaning} ${axis}`,
  }));
  const streams = fields.map((f) => stream(seed, `sensor.${f.name}`));
  const inStates = truth.map((name) => model.states.findIndex((f) => f.name === name));
  const inOutputs = truth.map((name) => model.outputs.findIndex((f) => f.name === name));
  truth.forEach((name, i) => {
    if (inStates[i] < 0 && inOutputs[i] < 0)
      throw new InputError(
        `the sensor "${prefix}${kind}" needs "${name}", which the model ${model.name} does not have`,
        {
          field: "sensors",
        },
      );
  });
  // Number of the next sample.
  const memory = new Float64Array(1);
  const inWorld = field && Float64Array.from(field);
  const inBody = new Float64Array(3);
  return {
    fields,
    memory: [memory],
    sample(tick, t, x, y, z) {
      const due = rate === undefined ? tick : Math.floor(t * rate + 1e-9);
      if (due < memory[0]) return;
      memory[0] = due + 1;
      if (inWorld) toBody(x, inStates[0], inWorld, 0, inBody, 0);
      for (let i = 0; i < fields.length; i++) {
        const value = inWorld ? inBody[i] : inStates[i] >= 0 ? x[inStates[i]] : y[inOutputs[i]];
        z[offset + i] = value + bias[i] + (noise[i] === 0 ? 0 : noise[i] * streams[i].normal(due));
      }
    },
  };
}

export function createSensors(
  model: Model,
  specification: SensorsSpecification,
  scenarioSeed: number,
): Sensors {
  const seed = specification.seed ?? scenarioSeed;
  const parts: Sensors[] = [];
  const add = (
    kind: keyof typeof KINDS,
    prefix: string,
    part?: SensorSpecification & { readonly field?: Triple },
    rate?: number,
  ) => {
    const offset = parts.reduce((sum, p) => sum + p.fields.length, 0);
    if (part) parts.push(sensor(model, kind, prefix, part, rate, seed, offset, part.field));
  };
  add("position", "", specification.position);
  add("accel", "", specification.accelerometer);
  add("gyro", "", specification.gyro);
  add("velocity", "", specification.velocity);
  add("mag", "", specification.magnetometer);
  add("airspeed", "", specification.airspeed);
  const { imu } = specification;
  if (imu && imu.rate > 0) {
    add("accel", "imu_", imu.accelerometer, imu.rate);
    add("gyro", "imu_", imu.gyro, imu.rate);
  }
  return {
    fields: parts.flatMap((p) => p.fields),
    memory: parts.flatMap((p) => p.memory),
    sample(tick, t, x, y, z) {
      for (const part of parts) part.sample(tick, t, x, y, z);
    },
  };
}
