/** Manual control of a VTOL: as a multirotor in hover, and a switch to the wings, on which the same sticks bank and climb. */

import type { ManualControl } from "../../../model/manual-control.ts";
import { indexOf, type Model } from "../../../model/model.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import { V_EAST, V_NORTH } from "../../../vehicles/rigid-body.ts";
import { transition } from "../vtol/transition.ts";
import { wingManualControl } from "./airplane.ts";
import { HOVER_ACTIONS, HOVER_STICKS, hoverManualControl, hoverSticksAt } from "./multirotor.ts";

/** What keys of the hover mean there and on wings. */
const BOTH: Readonly<Record<string, string>> = {
  forward: "forward; on wings faster",
  backward: "backward; on wings slower",
  "to the left": "left; on wings bank left",
  "to the right": "right; on wings bank right",
};

export function vtolManualControl(
  model: Model,
  p: AircraftParameters,
  lifters: readonly number[],
  interval: number,
): ManualControl {
  const hover = hoverManualControl(p, interval, lifters);
  const wings = wingManualControl(model, p, interval);
  const between = transition(p, lifters, interval, hover.pilot, wings.plane, 0);
  const airspeed = indexOf(model.outputs, "airspeed");
  const cruise = wings.stickFor(wings.plane.cruise);
  return {
    help: "holds its position in hover, height and airspeed on wings",
    sticks: [
      ...HOVER_STICKS,
      {
        name: "wings",
        meaning: "0 hovers, 1 flies on wings",
        min: 0,
        max: 1,
        rest: 0,
        springs: false,
        speed: 1,
      },
    ],
    actions: [
      ...HOVER_ACTIONS.map((a) => ({ ...a, meaning: BOTH[a.meaning] ?? a.meaning })),
      { keys: ["KeyT"], meaning: "fly on wings", puts: { wings: 1 } },
      { keys: ["KeyG"], meaning: "back to hover", puts: { wings: 0 } },
    ],
    sticksAt(x) {
      const V = Math.sqrt(x[V_NORTH] * x[V_NORTH] + x[V_EAST] * x[V_EAST]);
      if (V < wings.plane.stallSpeed) return [...hoverSticksAt(x), 0];
      const [bank, climb, speed] = wings.sticksAt(x);
      return [speed < cruise ? speed / cruise - 1 : (speed - cruise) / (1 - cruise), bank, climb, 0, 1];
    },
    memory: [between.memory, ...hover.memory, ...wings.memory],
    act({ t, x, y }, sticks, u) {
      const [forward, right, up, turn, wanted] = sticks;
      const now = { nav: x, airspeed: y[airspeed], x, u };
      between.fly(t, now, wanted > 0.5, wings.plane.cruise, {
        beginHover: hover.begin,
        hover: () => hover.act(x, sticks, u),
        beginWings: wings.begin,
        // The speed stick does not stop the engine here: the switch leads back to hover.
        wings: (instant) =>
          wings.act(
            instant,
            right,
            up,
            Math.max(0.05, cruise + forward * (forward < 0 ? cruise : 1 - cruise)),
            turn,
          ),
      });
    },
  };
}
