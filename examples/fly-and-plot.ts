// Flies the parafoil into a spiral and draws it. Run: npx tsx examples/fly-and-plot.ts [picture.svg]
import { writeFileSync } from "node:fs";
import { createSimulation, FlightPlot, parseYaml, preset, Recorder, readScenario, run } from "sideslip";

const scenario = readScenario(
  parseYaml(
    `
vehicle: parafoil
duration: 40
wind: { steady: { from: 270 deg, speed: 1.5 m/s } }
inputs:
  - { t: 5, brake_left_cmd: 60 % }
  - { t: 25, brake_left_cmd: 0 }
`,
    "spiral",
  ),
  preset("parafoil"),
);

const plot = new FlightPlot();
const recorder = new Recorder(["altitude", "turn_rate"]);
const result = run(createSimulation(scenario), scenario.duration, [plot, recorder]);

const path = process.argv[2] ?? "spiral.svg";
writeFileSync(path, plot.svg());
const rate = recorder.column("turn_rate").reduce((a, b) => Math.min(a, b), 0);
console.log(`fastest turn ${((rate * 180) / Math.PI).toFixed(1)} deg/s (negative is left)`);
console.log(
  `height lost ${(recorder.column("altitude")[0] - result.final.altitude).toFixed(1)} m, picture in ${path}`,
);
