/** Manual control without stability augmentation. */

import type { ManualControl } from "../../model/manual-control.ts";
import type { Model } from "../../model/model.ts";

const PAIRS = [
  ["KeyA", "KeyD"],
  ["KeyS", "KeyW"],
  ["KeyQ", "KeyE"],
  ["ArrowDown", "ArrowUp"],
  ["ArrowLeft", "ArrowRight"],
  ["KeyF", "KeyG"],
  ["KeyJ", "KeyK"],
  ["KeyN", "KeyM"],
] as const;

/** Manual control without stability augmentation: each control is a stick that stays where it is put. */
export function directManualControl(model: Model, p: unknown): ManualControl {
  const place = (name: string) => model.inputs.findIndex((f) => f.name === name);
  const controls =
    model.controls?.(p) ??
    model.inputs.map((f) => ({
      name: f.name,
      inputs: [f.name],
      min: f.min ?? -1,
      max: f.max ?? 1,
      neutral: f.default ?? 0,
    }));
  const wires = controls.map((c) => c.inputs.map(place));
  return {
    help: "no augmentation: each stick moves one control",
    sticks: controls.map((c) => ({
      name: c.name,
      meaning: c.inputs.join(", "),
      min: c.min,
      max: c.max,
      rest: c.neutral,
      springs: false,
      speed: 0.3,
    })),
    actions: controls.flatMap(({ name }, i) =>
      i >= PAIRS.length
        ? []
        : PAIRS[i].map((key, side) => ({
            keys: [key],
            meaning: `${name} ${side === 0 ? "less" : "more"}`,
            pushes: { [name]: 2 * side - 1 },
          })),
    ),
    memory: [],
    sticksAt: (_, u) => wires.map((places) => u[places[0]]),
    act(_, sticks, u) {
      wires.forEach((places, i) => {
        for (const place of places) u[place] = sticks[i];
      });
    },
  };
}
