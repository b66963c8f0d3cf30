/**
 * A pilot for what hovers on rotors and cruises on wings. Lines with an airspeed (and loiter) are flown on wings, all others in
 * hover; the transitions between the two are automatic.
 */

import type { Estimator } from "../../../control/estimator.ts";
import {
  lineAt,
  PILOT_COMMANDS,
  type PilotCommand,
  type PilotLine,
  validateCommands,
} from "../../../control/pilot-command.ts";
import type { InputSource } from "../../../model/input-source.ts";
import type { Model } from "../../../model/model.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import { refuseOnWings, wingPilot } from "../fixed-wing/pilot.ts";
import { hoverPilot } from "../multirotor/pilot.ts";
import { transition } from "./transition.ts";

/** Places of the memory. */
const LINE = 0;

const isOnWings = (command: PilotCommand) =>
  command.kind === "loiter" ||
  ("airspeed" in command && command.airspeed !== undefined && command.kind !== "takeoff");

/** A pilot for aircraft that hover and cruise on wings, with the transitions between. */
export function vtolPilot(
  model: Model,
  p: AircraftParameters,
  lifters: readonly number[],
  lines: readonly PilotLine[],
  interval: number,
  airspeedAt: (sensed: { y: Float64Array; z: Float64Array }) => number,
  estimator?: Estimator,
): InputSource {
  const N = Object.keys(p.rotors ?? {}).length;
  const hover = hoverPilot(p, interval, lifters);
  const wings = wingPilot(model, p, interval);
  const { plane } = wings;
  validateCommands(lines, "a VTOL aircraft", PILOT_COMMANDS, (command) => {
    if (isOnWings(command)) refuseOnWings(command, plane, p.g);
    if (isOnWings(command) && "speed" in command && command.speed !== undefined)
      return "speed applies to hover and airspeed to wings: give one of them";
    if (command.kind === "land" && command.airspeed !== undefined)
      return "it lands in hover: land without an airspeed";
    if (command.kind === "attitude" && command.airspeed === undefined && command.thrust === undefined)
      return "attitude needs a thrust in hover, or an airspeed on wings";
    return undefined;
  });
  const memory = Float64Array.of(-1);
  const between = transition(p, lifters, interval, hover, plane);
  return {
    memory: [
      memory,
      between.memory,
      ...hover.memory,
      ...wings.memory,
      ...(estimator ? [estimator.memory] : []),
    ],
    update(sensed, u) {
      const { t, x, z } = sensed;
      const nav = estimator ? estimator.update(z) : x;
      const line = lineAt(lines, t);
      if (line < 0) {
        u.fill(0, 0, N);
        return;
      }
      const { command } = lines[line];
      if (line !== memory[LINE]) {
        memory[LINE] = line;
        hover.begin(command, nav);
        wings.begin(command, nav);
      }
      const V = ("airspeed" in command ? command.airspeed : undefined) ?? plane.cruise;
      between.fly(t, { nav, airspeed: airspeedAt(sensed), x, u }, isOnWings(command), V, {
        beginHover: () => hover.begin(command, nav),
        hover: () => hover.fly(command, nav, x, u),
        beginWings: () => wings.begin(command, nav),
        wings: (now) => wings.fly(command, now),
      });
    },
  };
}
