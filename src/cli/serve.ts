/** `sideslip serve`: a simulation in real time for ROS 2, Foxglove and the Studio. */

import type { Command } from "commander";
import { firstFlight } from "../analysis/default-flight.ts";
import type { Autopilot } from "../model/autopilots.ts";
import { overlay, plainSource } from "../model/document.ts";
import type { Spec, TextFile } from "../simulation/flight/action.ts";
import { readScenario } from "../simulation/scenario.ts";
import { settingsOf } from "../topics/topics-of.ts";
import { vehicleSpec } from "../vehicle-types/vehicle-spec.ts";
import { AUTOPILOT_RATES, autopilotDefaults, autopilotOf, notesOnIdleBlocks, waiting } from "./autopilots.ts";
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
    .description("run in real time for ROS 2, Foxglove, the Studio, PX4 or ArduPilot, in any combination")
    .argument("<scenario>", "vehicle's name, vehicle file, or scenario file");
  addServeFlags(command)
    .option("--rate <Hz>", "sample rate, at which topics are sent (default: 1 / control_dt of the scenario)")
    .option("--px4", "for PX4: its simulator interface, MAVLink by TCP port 4560 + instance, in lockstep")
    .option("--ardupilot", "for ArduPilot: its JSON interface by UDP port 9002 + 10 instance, in lockstep")
    .option("--instance <n>", "instance number, for several vehicles with one command each (default: 0)")
    .option(
      "--joystick [device]",
      "radio control from a joystick (/dev/input/js0); or use a gamepad in the Studio",
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
A vehicle without a scenario starts in steady flight. A scenario runs its own inputs until a command arrives.
With an autopilot, a vehicle without a scenario starts on the ground; time advances in lockstep (docs/sitl.md).
Without --interface, Sideslip can be reached from this machine only.

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

/** The tick rate [Hz]: of the flag, or as the autopilot expects. */
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
  const own = isAlone
    ? plainSource(autopilot ? waiting(vehicle) : firstFlight(vehicle), name)
    : found.document;
  const rate = rateOf(options, autopilot);
  const usual = autopilot
    ? autopilotDefaults(vehicle, autopilot, rate ?? 1)
    : (vehicle.type.servedDefaults ?? {});
  const said = (own.value ?? {}) as Spec;
  // A home position is replaced as a whole.
  const defaults = plainSource(said.home === undefined ? usual : { ...usual, home: undefined }, name);
  if (autopilot)
    notes.push(...notesOnIdleBlocks(vehicle, said, autopilot, options.rate === undefined ? rate : undefined));
  const { duration: _, ...flags } = options;
  const ros = withRosParameters(overlay(defaults, own), vehicle, options.params, notes);
  const origin = originOf(options);
  const document = overlay(
    ros.document,
    flagSpec(flags, { ...(rate ? { control_dt: 1 / rate } : {}), ...(origin ? { home: origin } : {}) }),
  );
  // Files that the scenario names are sent along: a session cannot read folders.
  const files: TextFile[] = [];
  const open = openBeside(name);
  const scenario = readScenario(document, vehicle, (path) => {
    const file = open(path);
    files.push({ name: path.replace(/^.*[/\\]/, ""), text: file.text });
    return file;
  });
  return {
    vehicle,
    order: {
      type: "start",
      vehicle: vehicleSpec(vehicle),
      scenario: { ...(document.value as Spec), seed: scenario.seed },
      byHand: isAlone && autopilot === undefined,
      files,
    },
    settings: { ...settingsOf(scenario), imuFrame: ros.imuFrame },
    scenario,
    autopilot,
    // The IMU's frame_id has an effect here.
    notes: notes.filter((note) => !note.includes("imu.frame_id")),
  };
}
