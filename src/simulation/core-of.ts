import type { Simulation } from "./simulation.ts";
import { SimulationCore } from "./simulation-core.ts";

/** The simulation behind its public face. */
export function coreOf(simulation: Simulation): SimulationCore {
  if (simulation instanceof SimulationCore) return simulation;
  throw new TypeError("not a simulation made by createSimulation");
}
