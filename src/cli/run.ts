import type { Command } from "commander";
import { FlightPlot } from "../analysis/flight-plot.ts";
import { csvHeader, csvRow } from "../formats/csv.ts";
import { readRosParameters } from "../formats/ros-params.ts";
import { INTEGRATORS, type IntegratorName } from "../integrators/index.ts";
import { parseYaml } from "../model/document.ts";
import type { Field } from "../model/field.ts";
import { closest, InputError } from "../model/input-error.ts";
import { createSimulation } from "../simulation/create.ts";
import type { Sink } from "../simulation/recorder.ts";
import { withRosParameters } from "../simulation/ros-scenario.ts";
import { Run, type RunResult } from "../simulation/run.ts";
import type { Scenario } from "../simulation/scenario.ts";
import { drawnSeed } from "../simulation/seed.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { OutputFile, readText } from "./files.ts";
import { findScenario, flagNumber } from "./inputs.ts";
import { Progress } from "./progress.ts";
import { printJson } from "./table.ts";

interface Options {
  duration?: string;
  dt?: string;
  integrator?: string;
  seed?: string;
  wind?: string;
  set: string[];
  params?: string;
  out: string[];
  fields?: string;
  json?: boolean;
}

const collect = (value: string, all: string[]) => [...all, value];

export function addRun(program: Command): void {
  program
    .command("run")
    .description("fly a scenario, or a vehicle in still air, and write the result")
    .argument("<scenario>", "scenario file, vehicle file, or a vehicle's name (see `sideslip list`)")
    .option("--duration <s>", "simulated time")
    .option("--dt <s>", "largest integration step")
    .option("--integrator <name>", INTEGRATORS.join(", "))
    .option("--seed <n>", "seed of all random numbers; -1 draws one")
    .option("--wind <n,e,d>", "steady wind, velocity of the air in m/s (blows to)")
    .option(
      "--set <name=value>",
      "change a parameter, as in --set m=3 or --set 'b=2.1 m' (repeatable)",
      collect,
      [],
    )
    .option("--params <file>", "ROS 2 parameter file of parafoil_ws, laid over the scenario")
    .option("--out <file>", "write samples (.csv) or a picture (.html, .svg); repeatable", collect, [])
    .option("--fields <names>", "columns of the CSV besides t, comma-separated (default: all)")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  sideslip run parafoil --out flight.csv --out flight.html
  sideslip run examples/gusty.yaml --seed 7 --json
  sideslip run parafoil --wind 0,2,0 --set m=3 --duration "2 min"
`,
    )
    .action(runCommand);
}

async function runCommand(name: string, options: Options): Promise<void> {
  const { scenario, notes } = applyOptions(findScenario(name), options);
  const simulation = createSimulation(scenario);
  const outputs = options.out.map((path) => openOutput(path, scenario, simulation, options.fields));
  for (const note of notes) process.stderr.write(`note: ${note}\n`);
  const progress = new Progress();
  const job = new Run(
    simulation,
    scenario.duration,
    outputs.map((o) => o.sink),
  );
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
  };
  process.once("SIGINT", interrupt);
  let failure: unknown;
  try {
    // Short slices, so that progress is shown and Ctrl-C is heard.
    for (let done = false; !done && !interrupted; ) {
      const slice = performance.now();
      while (!done && performance.now() - slice < 50) done = job.advance(64);
      const speed = simulation.t / progress.seconds;
      progress.update(
        simulation.t,
        scenario.duration,
        `t = ${simulation.t.toFixed(1)} s, ${speed.toFixed(0)} x real time`,
      );
      await new Promise((go) => setImmediate(go));
    }
  } catch (error) {
    failure = error;
  }
  process.off("SIGINT", interrupt);
  progress.clear();
  const result = job.result();
  // What was computed before a failure is kept.
  for (const output of outputs) output.finish(result, progress.seconds);
  if (failure !== undefined) {
    const written = options.out.length === 0 ? "" : ` Samples up to there are in ${options.out.join(", ")}.`;
    if (failure instanceof Error && failure.name === "DivergenceError") failure.message += written;
    throw failure;
  }
  if (options.json)
    printJson({
      vehicle: scenario.vehicle.name,
      seed: scenario.seed,
      ...seeds(scenario),
      ...result,
      ...(interrupted ? { interrupted } : {}),
    });
  else process.stdout.write(summary(scenario, simulation, result, progress.seconds, options, interrupted));
  if (interrupted) process.exitCode = 1;
}

/** Seeds that differ from the scenario's. */
function seeds(scenario: Scenario): Record<string, number> {
  const out: Record<string, number> = {};
  if (scenario.wind.seed !== undefined) out.wind_seed = scenario.wind.seed;
  if (scenario.sensors.seed !== undefined) out.sensor_seed = scenario.sensors.seed;
  return out;
}

function applyOptions(scenario: Scenario, options: Options): { scenario: Scenario; notes: string[] } {
  const notes: string[] = [];
  const { model } = scenario.vehicle;
  if (options.params !== undefined) {
    const ros = readRosParameters(parseYaml(readText(options.params), options.params), model);
    scenario = withRosParameters(scenario, ros);
    for (const key of ros.unused) notes.push(`${options.params}: not used: ${key}`);
  }
  const time = (flag: string, text: string | undefined, meaning: string, now: number) =>
    text === undefined ? now : flagNumber(flag, text, { unit: "s", meaning, above: 0 });
  const parameters: Record<string, number> = { ...scenario.parameters };
  for (const assignment of options.set) {
    const [name, ...value] = assignment.split("=");
    const field = model.parameters.find((f) => f.name === name);
    if (field === undefined) {
      const near = closest(
        name,
        model.parameters.map((f) => f.name),
      );
      throw new InputError(
        `${scenario.vehicle.name} has no parameter "${name}"${near ? `; did you mean "${near}"?` : ""}`,
        {
          field: "--set",
          value: assignment,
          allowed: "name=value with a name from `sideslip describe`",
        },
      );
    }
    parameters[name] = flagNumber(`--set ${name}`, value.join("="), field);
  }
  if (options.integrator !== undefined && !INTEGRATORS.includes(options.integrator as IntegratorName))
    throw new InputError(`"${options.integrator}" is not an integrator`, {
      field: "--integrator",
      allowed: INTEGRATORS.join(", "),
    });
  const seed =
    options.seed === undefined
      ? scenario.seed
      : drawnSeed(
          flagNumber("--seed", options.seed, {
            unit: "1",
            meaning: "whole number, -1 draws one",
            min: -1,
            max: 2 ** 53 - 1,
          }),
        );
  if (!Number.isInteger(seed)) throw new InputError(`${seed} is not a whole number`, { field: "--seed" });
  return {
    notes,
    scenario: {
      ...scenario,
      duration: time("--duration", options.duration, "simulated time", scenario.duration),
      dt: time("--dt", options.dt, "largest integration step", scenario.dt),
      integrator: (options.integrator as IntegratorName | undefined) ?? scenario.integrator,
      seed,
      parameters,
      wind: options.wind === undefined ? scenario.wind : { ...scenario.wind, steady: windFlag(options.wind) },
    },
  };
}

function windFlag(text: string): [number, number, number] {
  const parts = text.split(",");
  if (parts.length !== 3)
    throw new InputError(`"${text}" is not three numbers`, {
      field: "--wind",
      allowed: "north,east,down in m/s, as 0,2,0",
    });
  return parts.map((p) =>
    flagNumber("--wind", p, {
      unit: "m/s",
      meaning: "velocity of the air, north,east,down",
      min: -200,
      max: 200,
    }),
  ) as [number, number, number];
}

interface Output {
  readonly sink: Sink;
  finish(result: RunResult, seconds: number): void;
}

function openOutput(path: string, scenario: Scenario, simulation: Simulation, fields?: string): Output {
  const ending = /\.([^.]+)$/.exec(path)?.[1]?.toLowerCase();
  if (ending === "csv") return csvOutput(path, chosenColumns(simulation.channels, fields));
  if (ending !== "html" && ending !== "svg")
    throw new InputError("what kind of file is this?", {
      field: "--out",
      value: path,
      file: path,
      allowed: ".csv, .html, .svg",
    });
  const file = new OutputFile(path);
  const plot = new FlightPlot();
  return {
    sink: plot,
    finish(result, seconds) {
      plot.close();
      file.write(
        ending === "svg"
          ? plot.svg()
          : plot.html(title(scenario), facts(scenario, simulation, result, seconds)),
      );
      file.finish();
    },
  };
}

function chosenColumns(channels: readonly Field[], fields?: string): number[] {
  if (fields === undefined) return channels.map((_, i) => i);
  const wanted = fields.split(",").map((name) => {
    const i = channels.findIndex((c) => c.name === name.trim());
    if (i >= 0) return i;
    const near = closest(
      name,
      channels.map((c) => c.name),
    );
    throw new InputError(`there is no field "${name}"${near ? `; did you mean "${near}"?` : ""}`, {
      field: "--fields",
    });
  });
  return [0, ...wanted.filter((i) => i > 0)];
}

function csvOutput(path: string, columns: readonly number[]): Output {
  const file = new OutputFile(path);
  const chosen = new Float64Array(columns.length);
  return {
    sink: {
      open: (channels) => file.write(csvHeader(columns.map((c) => channels[c]))),
      write(row) {
        for (let i = 0; i < columns.length; i++) chosen[i] = row[columns[i]];
        file.write(csvRow(chosen));
      },
      close() {},
    },
    finish: () => file.finish(),
  };
}

const title = (scenario: Scenario) => `${scenario.vehicle.name}: ${scenario.vehicle.description}`;

/** What a person wants to know first. */
function facts(
  scenario: Scenario,
  simulation: Simulation,
  result: RunResult,
  seconds: number,
): [string, string][] {
  const { integrator, dt, seed } = scenario;
  const rows: [string, string][] = [
    [
      "run",
      `${result.duration.toFixed(2)} s in ${seconds.toFixed(2)} s of computing (${(result.duration / seconds).toFixed(0)} x real time), ${integrator}, dt ${dt} s, seed ${seed}`,
    ],
  ];
  for (const [name, value] of Object.entries(seeds(scenario)))
    rows.push([name.replace("_", " "), String(value)]);
  const changed = Object.entries(scenario.parameters).map(([k, v]) => `${k} = ${v}`);
  if (changed.length > 0) rows.push(["changed", changed.join(", ")]);
  for (const event of result.events) rows.push([event.name, `at t = ${event.t.toFixed(4)} s`]);
  for (const f of simulation.channels.slice(1)) {
    const shown =
      f.kind === "position" ||
      (f.parent === undefined && !f.vector && f.unit !== "1" && f.kind === undefined);
    const isInput = simulation.channels.indexOf(f) > scenario.vehicle.model.states.length;
    if (!shown || (isInput && /^(imu_)?(accel|gyro|position)_/.test(f.name))) continue;
    const v = result.final[f.name];
    const degrees =
      f.unit === "rad" || f.unit === "rad/s"
        ? `  (${((v * 180) / Math.PI).toFixed(2)} ${f.unit.replace("rad", "deg")})`
        : "";
    rows.push([f.name.replaceAll("_", " "), `${v.toFixed(4)} ${f.unit}${degrees}`]);
  }
  rows.push(["state hash", result.hash]);
  return rows;
}

function summary(
  scenario: Scenario,
  simulation: Simulation,
  result: RunResult,
  seconds: number,
  options: Options,
  interrupted: boolean,
): string {
  const rows = facts(scenario, simulation, result, seconds);
  const width = Math.max(...rows.map(([k]) => k.length));
  const lines = [
    title(scenario),
    ...(interrupted ? ["interrupted: this is the part that was flown"] : []),
    ...rows.map(([k, v]) => `  ${k.padEnd(width)}  ${v}`),
  ];
  if (options.out.length > 0) lines.push(`wrote ${options.out.join(", ")}`);
  return `${lines.join("\n")}\n`;
}
