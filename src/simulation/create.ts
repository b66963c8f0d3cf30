import type { Source } from "../control/source.ts";
import { timeline } from "../control/timeline.ts";
import { createEnvironment } from "../environment/environment.ts";
import { createWind, type Wind } from "../environment/wind.ts";
import { createIntegrator } from "../integrators/index.ts";
import { pack, unpack } from "../model/parameters.ts";
import { createSensors } from "../sensors/sensors.ts";
import type { Scenario } from "./scenario.ts";
import { Simulation } from "./simulation.ts";

/** A scenario made ready to run; a program may bring its own wind and its own source of inputs. */
export function createSimulation(scenario: Scenario, own: { wind?: Wind; source?: Source } = {}): Simulation {
  const { vehicle, seed, controlDt } = scenario;
  const { model } = vehicle;
  const values = pack(model.parameters, vehicle.parameters);
  model.parameters.forEach((f, i) => {
    values[i] = scenario.parameters[f.name] ?? values[i];
  });
  const wind = own.wind ?? createWind(scenario.wind, scenario.wind.seed ?? seed, controlDt);
  return new Simulation({
    vehicle: { ...vehicle, parameters: unpack(model.parameters, values) },
    initial: scenario.initial,
    environment: createEnvironment(model.environment, model.states, wind, scenario.air),
    source: own.source ?? timeline(model.inputs, scenario.inputs),
    sensors: createSensors(model, scenario.sensors, seed),
    integrator: createIntegrator(scenario.integrator, model.states, scenario.tolerance),
    dt: scenario.dt,
    controlDt,
  });
}
