import type { RosParameters } from "../formats/ros-params.ts";
import { plainSource } from "../model/document.ts";
import { initialState } from "../vehicles/initial-state.ts";
import type { Scenario } from "./scenario.ts";
import { drawnSeed } from "./seed.ts";

const drawn = (seed?: number) => (seed === undefined ? undefined : drawnSeed(seed));

/** A scenario with a ROS 2 parameter file laid over it. */
export function withRosParameters(scenario: Scenario, ros: RosParameters): Scenario {
  const { model } = scenario.vehicle;
  const named = Object.fromEntries(model.states.map((f, i) => [f.name, scenario.initial[i]]));
  return {
    ...scenario,
    dt: ros.dt ?? scenario.dt,
    controlDt: ros.controlDt ?? scenario.controlDt,
    integrator: ros.integrator ?? scenario.integrator,
    initial: initialState(model, [named, ros.initial], plainSource(undefined, "ROS parameters"), ["initial"]),
    parameters: { ...scenario.parameters, ...ros.parameters },
    wind: { ...ros.wind, seed: drawn(ros.wind.seed) },
    sensors: { ...ros.sensors, seed: drawn(ros.sensors.seed) },
  };
}
