/** `sideslip serve`: a simulation in real time for ROS 2, Foxglove and the Studio. */

import type { Command } from "commander";
import { firstFlight } from "../analysis/default-flight.ts";
import type { Autopilot } from "../model/autopilots.ts";
import { overlay, plainSource } from "../model/document.ts";
import type { Spec, TextFile } from "../simulation/flight/action.ts";
import { readScenario } from "../simulation/scenario.ts";
import { settingsOf } from "../topics/topics-of.ts";
import { vehicleSpec } from "../vehicle-types/vehicle-spec.ts";
import { AUTOPILOT_RATES, autopilotMessage, autopilotOf, idleMessage, waiting } from "./autopilots.ts";
import { collect, findScenario, isVehicle } from "./inputs.ts";
import { flagSpec, openBeside, type ScenarioFlags, withRosParameters } from "./run-options.ts";
import { addServeFlags, numberFlag, originOf, type ServeFlags } from "./serve-flags.ts";
import type { Show } from "./serving.ts";

interface Options extends ServeFlags, Omit<ScenarioFlags, "duration"> {
  readonly rate?: string;
}

export function addServe(program: Command): void {
  const command = program
    .command("serve")
    .description(
      "run in real time for others: ROS 2, Foxglove, the Studio, PX4 or ArduPilot, any of them together",
    )
    .argument("<scenario>", "vehicle's name, vehicle file, or scenario file");
  addServeFlags(command)
    .option(
      "--rate <Hz>",
      "samples a second, which is how often topics are sent (default: the scenario's control_dt)",
    )
    .option("--px4", "for PX4: its simulator interface, MAVLink by TCP port 4560 + instance, in lockstep")
    .option("--ardupilot", "for ArduPilot: its JSON interface by UDP port 9002 + 10 instance, in lockstep")
    .option("--instance <n>", "of several vehicles, each with its own command (default: 0)")
    .option(
      "--joystick [device]",
      "radio control from a joystick (/dev/input/js0); a gamepad in the Studio does it too",
    )
    .option("--layout <file>", "the joystick's layout (docs/sitl.md)")
    .option("--log-rate <Hz>", "with an autopilot, how often --out is written (default: 100)")
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
With an autopilot a vehicle alone stands on the ground, and time goes on as the autopilot answers (docs/sitl.md).
Everything stays on this machine unless --interface says otherwise.

Examples:
  sideslip serve parafoil --ros2
  sideslip serve x500 --foxglove --studio --out flight.mcap
  sideslip serve formula-student --ros2 --rate 200 --domain 7
  sideslip serve parafoil --ros2 --interface eth0 --params params.yaml
  sideslip serve x500 --px4 --studio
  sideslip serve iris --ardupilot --out flight.mcap
`,
    )
    .action(serve);
}

async function serve(name: string, options: Options): Promise<void> {
  const { serveShow } = await import("./serving.ts");
  await serveShow(showOf(name, options), options);
}

/** Ticks a second: as a flag says, or as the autopilot expects. */
function rateOf({ rate }: Options, autopilot?: Autopilot): number | undefined {
  if (rate !== undefined) return numberFlag("--rate", rate, 1, 10_000);
  return autopilot && AUTOPILOT_RATES[autopilot];
}

function showOf(name: string, options: Options): Show {
  const found = findScenario(name);
  const { vehicle } = found;
  const isAlone = isVehicle(name);
  const notes = isAlone ? [] : [...(found.notes ?? [])];
  const autopilot = autopilotOf(options);
  const own = isAlone ? plainSource(autopilot ? waiting(vehicle) : firstFlight(vehicle), name) : found.words;
  const rate = rateOf(options, autopilot);
  const usual = autopilot
    ? autopilotMessage(vehicle, autopilot, rate ?? 1)
    : (vehicle.type.servedDefaults ?? {});
  const said = (own.value ?? {}) as Spec;
  // Half a place is none.
  const defaults = plainSource(said.home === undefined ? usual : { ...usual, home: undefined }, name);
  if (autopilot) notes.push(...idleMessage(said, autopilot, options.rate === undefined ? rate : undefined));
  const { duration: _, ...flags } = options;
  const ros = withRosParameters(overlay(defaults, own), vehicle, options.params, notes);
  const origin = originOf(options);
  const words = overlay(
    ros.words,
    flagSpec(flags, { ...(rate ? { control_dt: 1 / rate } : {}), ...(origin ? { home: origin } : {}) }),
  );
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
      type: "start",
      vehicle: vehicleSpec(vehicle),
      scenario: { ...(words.value as Spec), seed: scenario.seed },
      byHand: isAlone && autopilot === undefined,
      files,
    },
    settings: { ...settingsOf(scenario), imuFrame: ros.imuFrame },
    scenario,
    autopilot,
    // That name is used here.
    notes: notes.filter((note) => !note.includes("imu.frame_id")),
  };
}
