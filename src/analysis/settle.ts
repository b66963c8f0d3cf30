/** Steady flight by settling: fly with constant inputs until nothing changes, then average. */
import { parseYaml } from "../model/document.ts";
import type { Vehicle } from "../model/model.ts";
import { createSimulation } from "../simulation/create.ts";
import { readScenario } from "../simulation/scenario.ts";

/** Long enough for the slowest mode of the shipped vehicles, far above the ground. */
const SETTLE = 120;
const AVERAGE = 20;
const STEP = 0.02;

/** Means of the named channels over the last seconds of a settling flight in still air. */
export function settle<K extends string>(
  vehicle: Vehicle,
  inputs: Readonly<Record<string, number>>,
  names: readonly K[],
): Record<K, number> {
  const text = JSON.stringify({
    vehicle: vehicle.name,
    duration: SETTLE,
    dt: STEP,
    control_dt: STEP,
    initial: { down: -10000 },
    inputs: [{ t: 0, ...inputs }],
  });
  const simulation = createSimulation(readScenario(parseYaml(text, "settling flight"), vehicle));
  const columns = names.map((name) => simulation.channels.findIndex((c) => c.name === name));
  const sums = new Float64Array(names.length);
  let n = 0;
  while (simulation.t < SETTLE - 1e-9) {
    simulation.step();
    if (simulation.t <= SETTLE - AVERAGE) continue;
    const row = simulation.sample();
    columns.forEach((c, i) => {
      sums[i] += row[c];
    });
    n++;
  }
  return Object.fromEntries(names.map((name, i) => [name, sums[i] / n])) as Record<K, number>;
}
