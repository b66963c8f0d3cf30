/** Manual control from a timeline: sticks, through a mixer, to servos and rotors. */

import { STICKS, type Sticks } from "../../control/joystick.ts";
import { type Mixer, mix, outputsOf } from "../../control/mixer.ts";
import { lineAt } from "../../control/pilot-command.ts";
import type { Field } from "../../model/field.ts";
import { InputError } from "../../model/input-error.ts";
import type { InputSource } from "../../model/input-source.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";

export interface StickLine {
  readonly t: number;
  readonly sticks: Sticks;
}
export interface StickTimeline {
  readonly mixers: readonly Mixer[];
  /** Which actuator each output moves: servo_1, rotor_1, or none. */
  readonly outputs: readonly string[];
  readonly lines: readonly StickLine[];
}

/** Maps an output of -1 to 1 to an actuator's range: angles between the stops, speeds from zero to the maximum. */
function commandFor(name: string, p: AircraftParameters): (output: number) => number {
  const servo = /^servo_(\d+)$/.exec(name);
  if (servo) {
    const { min, max } = p.servos[Number(servo[1])];
    return (output) => (output < 0 ? -output * min : output * max);
  }
  const rotor = p.rotors[Number(/^rotor_(\d+)$/.exec(name)?.[1])];
  const top = p.battery === undefined ? rotor.maxRotVelocity : 1;
  return (output) => 0.5 * (output + 1) * top;
}

export function stickTimelineSource(
  inputs: readonly Field[],
  p: AircraftParameters,
  manual: StickTimeline,
): InputSource {
  const { mixers, outputs, lines } = manual;
  const made = mixers.reduce((sum, mixer) => sum + outputsOf(mixer), 0);
  if (outputs.length !== made)
    throw new InputError(`names ${outputs.length} actuators, and the mixer has ${made} outputs`, {
      field: "manual.outputs",
      allowed: `${made} names, "none" for outputs that move nothing`,
    });
  if (mixers.some((m) => m.kind === "simple" && m.inputs.some(({ group }) => group === 2)))
    throw new InputError("its mixer reads control group 2, which no stick moves", {
      field: "manual.mixer",
      allowed: "groups 0 and 1 (the sticks) and 3 (the same, passed through)",
    });
  const wires = outputs.flatMap((name, i) => {
    if (name === "none") return [];
    if (outputs.indexOf(name) !== i)
      throw new InputError(`${name} is moved by two outputs`, {
        field: `manual.outputs.[${i}]`,
        allowed: "each actuator once",
      });
    const place = inputs.findIndex((f) => f.name === `${name}_cmd`);
    if (place < 0)
      throw new InputError(`there is no actuator "${name}"`, {
        field: `manual.outputs.[${i}]`,
        allowed: [...inputs.flatMap((f) => /^(.*)_cmd$/.exec(f.name)?.[1] ?? []), "none"].join(", "),
      });
    return [{ place, from: i, command: commandFor(name, p) }];
  });
  return {
    update({ t }, u) {
      const line = lineAt(lines, t);
      // PX4's controls 0 to 4; groups 1 (a VTOL's wings) and 3 (passed through) read the same sticks.
      const positions = line < 0 ? [] : STICKS.map((name) => lines[line].sticks[name]);
      const out = mix(mixers, (_group, index) => positions[index] ?? 0);
      for (const { place, from, command } of wires) u[place] = command(out[from]);
    },
  };
}
