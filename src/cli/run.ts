import type { Command } from "commander";
import { trackMap } from "../analysis/track-map.ts";
import { INTEGRATORS } from "../integrators/index.ts";
import { createSimulation } from "../simulation/create.ts";
import { RunError } from "../simulation/divergence.ts";
import { lapTimes } from "../simulation/lap-timer.ts";
import { Run } from "../simulation/run.ts";
import { withParameters } from "../vehicles/vehicle.ts";
import { withKernels } from "./derivatives.ts";
import { collect } from "./inputs.ts";
import { exitCodeOf, SIGNALS, type Signal } from "./interrupted.ts";
import { Progress } from "./progress.ts";
import { type RunOptions, scenarioOf } from "./run-options.ts";
import { openOutputs } from "./run-outputs.ts";
import { facts, otherSeeds, summary } from "./run-summary.ts";
import { printJson } from "./table.ts";
import { print, say } from "./terminal.ts";

export function addRun(program: Command): void {
  program
    .command("run")
    .description("simulate a scenario, or a vehicle in still air, and write the result")
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
    .option(
      "--out <file>",
      "write samples (.csv, .parquet), a log for Foxglove and other viewers (.mcap) or a picture (.html, .svg); repeatable",
      collect,
      [],
    )
    .option("--fields <names>", "columns of a table besides t, comma-separated (default: all)")
    .option("--index <n>", "one run of a campaign: <scenario> is its specification or its result (.parquet)")
    .option("--plain", "without WebAssembly kernels: slower, bit-identical results")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  sideslip run parafoil --out flight.csv --out flight.html
  sideslip run x500 --out flight.mcap
  sideslip run examples/gusty.yaml --seed 7 --json
  sideslip run parafoil --wind 0,2,0 --set m=3 --duration "2 min"
`,
    )
    .action(runCommand);
}

/** Ticks between readings of the clock. */
const SLICE = 64;

async function runCommand(name: string, options: RunOptions): Promise<void> {
  const found =
    options.index === undefined
      ? undefined
      : await (await import("./campaign-source.ts")).plannedRun(name, options.index, options.plain);
  const { scenario: asked, notes } = scenarioOf(name, options, found);
  const scenario = options.plain ? asked : withKernels(asked);
  const simulation = createSimulation(scenario);
  const outputs = await openOutputs(options.out, {
    channels: simulation.channels,
    scenario,
    fields: options.fields,
    map: scenario.track && trackMap(scenario.track),
  });
  for (const note of notes) say(`note: ${note}\n`);
  const progress = new Progress();
  let interrupted: Signal | undefined;
  const interrupt = (signal: Signal) => {
    interrupted = signal;
  };
  for (const signal of SIGNALS) process.once(signal, interrupt);
  let job: Run | undefined;
  let failure: unknown;
  try {
    job = new Run(
      simulation,
      scenario.duration,
      outputs.map((o) => o.sink),
    );
    // Short slices, so that progress is shown and Ctrl-C is handled.
    for (let done = false; !done && !interrupted; ) {
      const sliceStart = performance.now();
      while (!done && performance.now() - sliceStart < 50) done = job.advance(SLICE);
      const speed = (simulation.t / progress.seconds).toFixed(0);
      progress.update(
        simulation.t,
        scenario.duration,
        `t = ${simulation.t.toFixed(1)} s, ${speed} x real time`,
      );
      for (const output of outputs) await output.flush?.();
      await new Promise((go) => setImmediate(go));
    }
  } catch (error) {
    failure = error;
  }
  for (const signal of SIGNALS) process.off(signal, interrupt);
  progress.clear();
  if (job === undefined) {
    for (const output of outputs) output.discard();
    throw failure;
  }
  // Results computed before a failure are written.
  const result = job.result();
  const ending =
    failure instanceof Error ? `stopped early: ${failure.message}` : interrupted ? "interrupted" : undefined;
  const changed = withParameters(scenario.vehicle, scenario.changedParameters);
  const title = `${scenario.vehicle.name}: ${scenario.description ?? changed.description}`;
  const rows = facts(scenario, result, progress.seconds, ending);
  for (const output of outputs)
    try {
      await output.finish(title, rows);
    } catch (error) {
      failure ??= error;
    }
  for (const { meaning, t, samples } of result.warnings)
    say(`warning: ${meaning}: first at t = ${Number(t.toFixed(6))} s, in ${samples} samples\n`);
  const driven = lapTimes(result.events).length;
  if (scenario.laps !== undefined && driven < scenario.laps && failure === undefined && !interrupted)
    say(
      `warning: ${driven} of ${scenario.laps} laps in ${Number(result.duration.toFixed(3))} s; a longer duration may be enough\n`,
    );
  if (failure instanceof RunError && options.out.length > 0)
    failure.message += ` Samples up to there are in ${options.out.join(", ")}.`;
  if (failure !== undefined) throw failure;
  if (options.json)
    printJson({
      vehicle: scenario.vehicle.name,
      seed: scenario.seed,
      ...otherSeeds(scenario),
      ...result,
      laps: scenario.track ? lapTimes(result.events) : undefined,
      warnings: result.warnings.length > 0 ? result.warnings : undefined,
      ...(interrupted ? { interrupted: true } : {}),
    });
  else print(summary(title, rows, options.out));
  if (interrupted) process.exitCode = exitCodeOf(interrupted);
}
