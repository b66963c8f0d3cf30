/**
 * A pilot for what hovers on rotors and cruises on wings. Lines with an airspeed (and loiter) are flown on wings, all others in
 * hover; between the two it changes over by itself.
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

const isOnWings = (wish: PilotCommand) =>
  wish.kind === "loiter" || ("airspeed" in wish && wish.airspeed !== undefined && wish.kind !== "takeoff");

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
  validateCommands(lines, "such an aircraft", PILOT_COMMANDS, (wish) => {
    if (isOnWings(wish)) refuseOnWings(wish, plane, p.g);
    if (isOnWings(wish) && "speed" in wish && wish.speed !== undefined)
      return "speed is for hover, airspeed for wings: say one of them";
    if (wish.kind === "land" && wish.airspeed !== undefined)
      return "it lands in hover: land without an airspeed";
    if (wish.kind === "attitude" && wish.airspeed === undefined && wish.thrust === undefined)
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
      const { command: wish } = lines[line];
      if (line !== memory[LINE]) {
        memory[LINE] = line;
        hover.begin(wish, nav);
        wings.begin(wish, nav);
      }
      const V = ("airspeed" in wish ? wish.airspeed : undefined) ?? plane.cruise;
      between.fly(t, { nav, airspeed: airspeedAt(sensed), x, u }, isOnWings(wish), V, {
        beginHover: () => hover.begin(wish, nav),
        hover: () => hover.fly(wish, nav, x, u),
        beginWings: () => wings.begin(wish, nav),
        wings: (now) => wings.fly(wish, now),
      });
    },
  };
}
