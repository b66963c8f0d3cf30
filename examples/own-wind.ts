// A thermal as a wind of one's own: a column of rising air 30 m ahead. Run: npx tsx examples/own-wind.ts
import { createSimulation, plainSource, preset, readScenario, run, type Wind } from "sideslip";
import { elementary } from "sideslip/math";

const CORE = 2.5; // m/s of lift in the middle
const RADIUS = 15; // m

/** Gaussian updraught around north = 30 m; the state tells where the vehicle is. */
const thermal: Wind = {
  at(_t, x, out) {
    const dn = x[0] - 30;
    const de = x[1];
    out[0] = 0;
    out[1] = 0;
    out[2] = -CORE * elementary.exp(-(dn * dn + de * de) / (RADIUS * RADIUS));
  },
};

const scenario = readScenario(
  plainSource({ vehicle: "parafoil", duration: 20 }, "thermal"),
  preset("parafoil"),
);
const still = run(createSimulation(scenario), scenario.duration);
const lifted = run(createSimulation(scenario, { wind: thermal }), scenario.duration);

console.log(`still air:     ${still.final.altitude.toFixed(2)} m after ${still.duration} s`);
console.log(`with thermal:  ${lifted.final.altitude.toFixed(2)} m`);
console.log(`height gained: ${(lifted.final.altitude - still.final.altitude).toFixed(2)} m`);
