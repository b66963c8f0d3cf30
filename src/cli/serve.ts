/** `sideslip serve`: a simulation in real time for ROS 2, Foxglove and the Studio. */
import type { Command } from "commander";
import { firstFlight } from "../analysis/first-flight.ts";
import { settingsOf } from "../bridges/topics/interface-for.ts";
import { overlay, plainSource } from "../model/document.ts";
import type { TextFile, Words } from "../simulation/flight/deeds.ts";
import { readScenario } from "../simulation/scenario.ts";
import { collect, findScenario, isVehicle, namedWords } from "./inputs.ts";
import { flagWords, openBeside, type ScenarioFlags, withRosParameters } from "./run-options.ts";
import { addServeFlags, numberFlag, type ServeFlags } from "./serve-flags.ts";
import type { Show } from "./serving.ts";

interface Options extends ServeFlags, Omit<ScenarioFlags, "duration"> {
  readonly rate?: string;
}

export function addServe(program: Command): void {
  const command = program
    .command("serve")
    .description("run in real time for others: ROS 2, Foxglove, the Studio, any of them together")
    .argument("<scenario>", "vehicle's name, vehicle file, or scenario file");
  addServeFlags(command)
    .option(
      "--rate <Hz>",
      "samples a second, which is how often topics are sent (default: the scenario's control_dt)",
    )
    .option("--dt <s>", "largest integration step")
    .option("--integrator <name>", "as in sideslip run")
    .option("--seed <n>", "seed of all random numbers")
    .option("--wind <n,e,d>", "steady wind, velocity of the air in m/s (blows to)")
    .option("--set <name=value>", "change a parameter (repeatable)", collect, [])
    .option("--params <file>", "ROS 2 parameter file of parafoil_ws, laid over the scenario")
    .addHelpText(
      "after",
      `
A vehicle alone begins in steady flight and flies until it is stopped; a scenario flies as it says until a command comes.
Everything stays on this machine unless --interface says otherwise.

Examples:
  sideslip serve parafoil --ros2
  sideslip serve x500 --foxglove --studio --out flight.mcap
  sideslip serve formula-student --ros2 --rate 200 --domain 7
  sideslip serve parafoil --ros2 --interface eth0 --params params.yaml
`,
    )
    .action(serve);
}

async function serve(name: string, options: Options): Promise<void> {
  const { serveShow } = await import("./serving.ts");
  await serveShow(showOf(name, options), options);
}

/** The parafoil's simulator has an IMU of its own unless told otherwise. */
const DEFAULTS: Readonly<Record<string, Words>> = { parafoil: { sensors: { imu: {} } } };

function showOf(name: string, options: Options): Show {
  const found = findScenario(name);
  const { vehicle } = found;
  const isAlone = isVehicle(name);
  const notes = isAlone ? [] : [...(found.notes ?? [])];
  const own = isAlone ? plainSource(firstFlight(vehicle), name) : found.words;
  const more =
    options.rate === undefined ? {} : { control_dt: 1 / numberFlag("--rate", options.rate, 1, 10_000) };
  const defaults = plainSource(DEFAULTS[vehicle.model.name] ?? {}, name);
  const { duration: _, ...flags } = options;
  const ros = withRosParameters(overlay(defaults, own), vehicle, options.params, notes);
  const words = overlay(ros.words, flagWords(flags, more));
  // Files that it names go along: the deck knows no folders.
  const files: TextFile[] = [];
  const open = openBeside(name);
  const scenario = readScenario(words, vehicle, (path) => {
    const file = open(path);
    files.push({ name: path.replace(/^.*[/\\]/, ""), text: file.text });
    return file;
  });
  return {
    vehicle,
    order: {
      do: "begin",
      vehicle: namedWords(vehicle),
      scenario: { ...(words.value as Words), seed: scenario.seed },
      byHand: isAlone,
      files,
    },
    settings: { ...settingsOf(scenario), imuFrame: ros.imuFrame },
    scenario,
    // That name is used here.
    notes: notes.filter((note) => !note.includes("imu.frame_id")),
  };
}
