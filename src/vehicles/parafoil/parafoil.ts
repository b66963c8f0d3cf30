/** The parafoil as a model: its fields, controls and the end of a flight. */
import { AIR } from "../../environment/fields.ts";
import type { Field } from "../../model/field.ts";
import { indexOf, type Model } from "../../model/model.ts";
import { DOWN, RIGID_BODY } from "../rigid-body.ts";
import { EQUATIONS } from "./equations.ts";
import { OUTPUTS } from "./outputs.ts";
import { PARAMETERS, type ParafoilParameters } from "./parameters.ts";

const BRAKE_LEFT = RIGID_BODY.length;
const BRAKE_RIGHT = BRAKE_LEFT + 1;
const ALPHA = indexOf(OUTPUTS, "alpha");

const BRAKES: readonly Field[] = [
  {
    name: "brake_left",
    unit: "1",
    meaning: "left brake, 0 free to 1 full",
    kind: "actuator",
    follows: "brake_left_cmd",
    min: 0,
    max: 1,
  },
  {
    name: "brake_right",
    unit: "1",
    meaning: "right brake, 0 free to 1 full",
    kind: "actuator",
    follows: "brake_right_cmd",
    min: 0,
    max: 1,
  },
];
const COMMANDS: readonly Field[] = [
  {
    name: "brake_left_cmd",
    unit: "1",
    meaning: "left brake command, 0 free to 1 full",
    min: 0,
    max: 1,
    default: 0,
  },
  {
    name: "brake_right_cmd",
    unit: "1",
    meaning: "right brake command, 0 free to 1 full",
    min: 0,
    max: 1,
    default: 0,
  },
];

/** The parafoil: a rigid body of canopy and payload with two brakes. */
export const parafoil: Model<ParafoilParameters> = {
  name: "parafoil",
  meaning: "gliding parachute with two brakes, six degrees of freedom",
  states: [...RIGID_BODY, ...BRAKES],
  inputs: COMMANDS,
  outputs: OUTPUTS,
  environment: AIR,
  parameters: PARAMETERS,
  ...EQUATIONS,
  source: { file: "vehicles/parafoil/equations.ts", name: "EQUATIONS" },
  validate: (p) =>
    p.m_payload > p.m
      ? {
          field: "m_payload",
          problem: `${p.m_payload} kg is more than the whole vehicle, m = ${p.m} kg`,
          allowed: "up to m, which it is part of",
        }
      : undefined,
  controls: () =>
    ["brake_left", "brake_right"].map((name) => ({
      name,
      inputs: [`${name}_cmd`],
      min: 0,
      max: 1,
      neutral: 0,
    })),
  stallMargin: (x, p, y) =>
    p.alpha_stall - p.alpha_stall_brake * 0.5 * (x[BRAKE_LEFT] + x[BRAKE_RIGHT]) - y[ALPHA],
  modeNames: {
    "short period": "pitch pendulum",
    "short period, aperiodic": "pitch pendulum, aperiodic",
    "roll and spiral": "roll pendulum",
    roll: "roll pendulum, aperiodic",
    spiral: "roll pendulum, aperiodic",
  },
  events: [{ name: "landing", terminal: true, guard: (x) => x[DOWN] }],
};
