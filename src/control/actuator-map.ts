/**
 * What an autopilot's outputs move. Each output is a line of weights by control: of an actuator with two ends from -1 to 1, of
 * one that only pushes (a rotor) from 0 to 1. Lines that move the same control add up: a mixer, for an autopilot that has none.
 */
import { clamp } from "../math/clamp.ts";
import type { OutputLine } from "../model/autopilots.ts";
import type { Control } from "../model/model.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";

/** An output's number as its autopilot writes it, from -1 to 1 or, for what only pushes, from 0 to 1. */
export type Reading = (raw: number, onlyPushes: boolean) => number;

const onlyPushes = ({ min, neutral }: Control) => neutral === min;

/** Rotors first, then servos, in their order: for a vehicle whose file does not say. */
export function usualLines({ model, parameters }: Vehicle): OutputLine[] {
  return (model.controls?.(parameters) ?? []).map(({ name }) => ({ [name]: 1 }));
}

/** Inputs by name from the numbers of an autopilot; a NaN counts as no command. */
export function actuatorMap(
  vehicle: Vehicle,
  lines: readonly OutputLine[],
  read: Reading,
): (outputs: ArrayLike<number>) => Record<string, number> {
  const controls = vehicle.model.controls?.(vehicle.parameters) ?? [];
  const wires = controls.flatMap((control) => {
    const from = lines.flatMap((line, i) => (line[control.name] ? [[i, line[control.name]] as const] : []));
    return from.length === 0 ? [] : [{ control, from, pushes: onlyPushes(control) }];
  });
  return (outputs) => {
    const inputs: Record<string, number> = {};
    for (const { control, from, pushes } of wires) {
      let sum = 0;
      for (const [i, weight] of from) {
        const value = read(outputs[i], pushes);
        if (Number.isFinite(value)) sum += weight * value;
      }
      const part = clamp(sum, pushes ? 0 : -1, 1);
      const { min, max, neutral } = control;
      const value = neutral + part * (part < 0 ? neutral - min : max - neutral);
      for (const input of control.inputs) inputs[input] = value;
    }
    return inputs;
  };
}

/** PX4: motors 0 to 1, servos -1 to 1. */
export const readPx4: Reading = (raw) => raw;

/** ArduPilot: a pulse of 1000 to 2000 us, 0 for none. */
export const readPulse: Reading = (raw, pushes) =>
  raw === 0 ? 0 : pushes ? (raw - 1000) / 1000 : (raw - 1500) / 500;
