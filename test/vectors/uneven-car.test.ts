/**
 * A car whose centre of mass is not in the middle, against a program of its own: the equations of docs/car.md written down again in
 * Python and integrated with Runge and Kutta's method at 1e-4 and 5e-5 s, which agree to 1e-11.
 */
import { describe, expect, it } from "vitest";
import { preset } from "../../src/vehicle-types/index.ts";
import { simulate } from "../support/simulate.ts";

const STATES = ["X", "Y", "phi", "v_x", "v_y", "omega", "delta", "tau_FL", "tau_FR", "tau_RL", "tau_RR"];
const INPUTS = ["u_delta", "u_tau_FL", "u_tau_FR", "u_tau_RL", "u_tau_RR"];
const named = (names: readonly string[], values: readonly number[]) =>
  Object.fromEntries(names.map((name, i) => [name, values[i]]));

interface Sample {
  readonly t: number;
  readonly state: readonly number[];
  /** a_x, a_y, loads and side forces in the wheels' order, where tyres slip. */
  readonly outputs?: Readonly<Record<string, number>>;
}
const outputs = (a_x: number, a_y: number, F_z: readonly number[], F_y: readonly number[]) => ({
  a_x,
  a_y,
  ...named(["F_z_FL", "F_z_FR", "F_z_RL", "F_z_RR"], F_z),
  ...named(["F_y_FL", "F_y_FR", "F_y_RL", "F_y_RR"], F_y),
});

interface Drive {
  readonly initial: readonly number[];
  /** Until the next sample. */
  readonly inputs: readonly (readonly number[])[];
  readonly samples: readonly Sample[];
}

const SLALOM: Drive = {
  initial: [0, 0, 0.3, 6, 0.2, -0.3, 0, 0, 0, 0, 0],
  inputs: [
    [0.12, 0.2, 0.25, 0.1, 0.15],
    [-0.08, 0.3, 0.1, 0.3, 0.2],
    [0.1, -0.2, -0.25, -0.15, -0.1],
  ],
  samples: [
    {
      t: 0.3,
      state: [
        1.722626473267, 0.813855759745, 0.713181642022, 6.684418306606, -0.576249264261, 1.527790866653,
        0.11970254974, 0.2, 0.25, 0.1, 0.15,
      ],
      outputs: outputs(
        2.620926034421,
        9.348172084624,
        [3.451371904778, 13.40214154378, 4.94255845622, 14.893328095222],
        [3.406098169498, 13.168019175729, 4.432863471737, 13.015959169443],
      ),
    },
    {
      t: 0.8,
      state: [
        4.945533508496, 2.723405162558, 0.152305094873, 8.244574015304, 0.964650551393, -1.139962208651,
        -0.079990933518, 0.3, 0.1, 0.3, 0.2,
      ],
      outputs: outputs(
        3.760124517381,
        -9.503347914399,
        [13.007316339994, 2.891367998497, 15.453332001503, 5.337383660006],
        [-12.872996641626, -2.874614863261, -14.234646287868, -4.981440345378],
      ),
    },
    {
      t: 1.4,
      state: [
        9.015702562425, 3.184939265742, 0.707748949195, 4.704467094915, -2.139166484148, 5.423336039156,
        0.099998894097, -0.2, -0.25, -0.15, -0.1,
      ],
      outputs: outputs(
        -4.705295232825,
        9.861503024423,
        [6.248429400056, 16.745620080976, 1.599079919024, 12.096270599944],
        [6.472107412339, 17.5334130243, 1.588144003314, 12.292621449158],
      ),
    },
  ],
};

const CREEP: Drive = {
  initial: [0, 0, 0.3, 0.049566264222384436, 0.006571563819729138, 0.038329331115363886, 0.25, 0, 0, 0, 0],
  inputs: [
    [0.35, 0.009, 0.01, 0.009, 0.01],
    [-0.3, 0.0062, 0.0062, 0.0082, 0.0082],
  ],
  samples: [
    {
      t: 0.2,
      state: [
        0.010334148042, 0.005385461322, 0.311816599395, 0.066281855426, 0.012491281176, 0.072856699771,
        0.348168436111, 0.008999999981, 0.009999999979, 0.008999999981, 0.009999999979,
      ],
    },
    {
      t: 0.5,
      state: [
        0.031606703009, 0.009770277996, 0.298625784584, 0.075928718084, -0.012126067206, -0.070726551219,
        -0.298393351078, 0.0062, 0.0062, 0.0082, 0.0082,
      ],
    },
  ],
};

describe("f1tenth, whose axles are at different distances (RK4 in Python, 1e-11)", () => {
  it.each([
    ["slides and brakes through a slalom", SLALOM],
    ["creeps with its wheels turning over", CREEP],
  ])("%s", (_, { initial, inputs, samples }) => {
    const simulation = simulate(
      {
        initial: named(STATES, initial),
        inputs: inputs.map((u, i) => ({ t: samples[i - 1]?.t ?? 0, ...named(INPUTS, u) })),
        duration: samples[samples.length - 1].t,
        control_dt: 0.1,
        integrator: "radau",
        tolerance: { relative: 1e-10, absolute: 1e-10 },
        parameters: {
          friction_ellipse: "off",
          longitudinal_limit: "off",
          steering_rate_max: Number.POSITIVE_INFINITY,
        },
      },
      preset("f1tenth"),
    );
    for (const { t, state, outputs: wanted = {} } of samples) {
      for (let n = 0; simulation.t < t - 1e-9 && n < 1000; n++) simulation.step();
      const row = simulation.sample();
      const at = (name: string) => row[simulation.channels.findIndex((c) => c.name === name)];
      for (const [name, value] of Object.entries({ ...named(STATES, state), ...wanted })) {
        // At an input's jump a torque is the old one's end.
        const error = Math.abs(at(name) - value) / Math.max(1, Math.abs(value));
        expect(error, `${name} at ${t} s`).toBeLessThan(1e-8);
      }
    }
  });
});
