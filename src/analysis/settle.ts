/** Steady flight by settling: fly with constant inputs for two minutes, see that nothing changes any more, and average. */
import { plainSource } from "../model/document.ts";
import type { Vehicle } from "../model/model.ts";
import { pack } from "../model/parameters.ts";
import { createSimulation } from "../simulation/create.ts";
import { DivergenceError, RunError } from "../simulation/divergence.ts";
import { readScenario } from "../simulation/scenario.ts";

/** Long enough for the slowest mode of the shipped vehicles, far above the ground. */
const SETTLE = 120;
const AVERAGE = 20;
const STEP = 0.02;
/** A mean counts as steady when the channel stays this close to it, relative to its size or absolutely. */
const STEADY = 1e-4;

/** Means of the named channels over the last seconds of a settling flight in still air; actuators start at their commands. */
export function settle<K extends string>(
  vehicle: Vehicle,
  inputs: Readonly<Record<string, number>>,
  names: readonly K[],
): Record<K, number> {
  const { model } = vehicle;
  const lags = pack(model.parameters, vehicle.parameters).filter((v, i) => model.parameters[i].lag && v > 0);
  const actuators = Object.entries(inputs).map(([name, v]) => [name.replace(/_cmd$/, ""), v]);
  const words = {
    vehicle: vehicle.name,
    dt: Math.max(1e-5, Math.min(STEP, ...lags)),
    control_dt: STEP,
    initial: { down: -10000, ...Object.fromEntries(actuators) },
    inputs: [{ t: 0, ...inputs }],
  };
  const setting = Object.entries(inputs)
    .map(([name, v]) => `${name} = ${v}`)
    .join(", ");
  const simulation = createSimulation(
    readScenario(plainSource(words, `${vehicle.name} with ${setting}`), vehicle),
  );
  const columns = names.map((name) => simulation.channels.findIndex((c) => c.name === name));
  const sums = new Float64Array(names.length);
  const low = new Float64Array(names.length).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(names.length).fill(Number.NEGATIVE_INFINITY);
  let n = 0;
  try {
    while (simulation.t < SETTLE - 1e-9) {
      simulation.step();
      if (simulation.finished)
        throw new RunError(`${vehicle.name} with ${setting} reaches the ground from 10 km before it settles`);
      if (simulation.t <= SETTLE - AVERAGE) continue;
      const row = simulation.sample();
      columns.forEach((c, i) => {
        sums[i] += row[c];
        low[i] = Math.min(low[i], row[c]);
        high[i] = Math.max(high[i], row[c]);
      });
      n++;
    }
  } catch (error) {
    if (!(error instanceof DivergenceError)) throw error;
    throw new RunError(
      `${vehicle.name} has no steady flight with ${setting}: it diverges (${error.state} at t = ${error.t} s)`,
    );
  }
  names.forEach((name, i) => {
    const mean = sums[i] / n;
    if (high[i] - low[i] > STEADY * Math.max(1, Math.abs(mean)))
      throw new RunError(
        `${vehicle.name} has no steady flight with ${setting}: after ${SETTLE} s ${name} still varies between ` +
          `${low[i].toPrecision(4)} and ${high[i].toPrecision(4)}; is it stable?`,
      );
  });
  return Object.fromEntries(names.map((name, i) => [name, sums[i] / n])) as Record<K, number>;
}
