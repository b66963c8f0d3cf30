/** `serve --px4` and `serve --ardupilot`: scenario defaults for an autopilot, and its bridge. */
import { ARDUPILOT_PORT, ARDUPILOT_STEP, ArduPilotBridge } from "../bridges/ardupilot/bridge.ts";
import type { AutopilotOptions, Driver } from "../bridges/autopilot/autopilot.ts";
import { radioFromSticks } from "../bridges/autopilot/radio.ts";
import { PX4_PORT, Px4Bridge } from "../bridges/px4/bridge.ts";
import { ZURICH } from "../environment/earth.ts";
import type { Autopilot } from "../model/autopilots.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Session } from "../session/session.ts";
import type { Spec } from "../simulation/flight/action.ts";
import type { Scenario } from "../simulation/scenario.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { type Joystick, openJoystick, USUAL_JOYSTICK } from "./joystick-device.ts";
import { numberFlag, type ServeFlags } from "./serve-flags.ts";

/** Tick rates that they expect [Hz]. */
export const AUTOPILOT_RATES: Readonly<Record<Autopilot, number>> = { px4: 250, ardupilot: 1200 };
const MOST_INSTANCES = 99;

/** The autopilot that the flags select; throws where a flag would have no effect. */
export function autopilotOf(flags: ServeFlags): Autopilot | undefined {
  const { px4, ardupilot, joystick, layout, logRate, out } = flags;
  const idle = (["instance", "joystick", "layout", "logRate"] as const).find(
    (key) => flags[key] !== undefined,
  );
  const without = (flag: string, needed: string) =>
    new InputError("has no effect", { field: flag, allowed: `together with ${needed}` });
  if (!px4 && !ardupilot && idle !== undefined)
    throw without(idle === "logRate" ? "--log-rate" : `--${idle}`, "--px4 or --ardupilot");
  if (layout !== undefined && joystick === undefined) throw without("--layout", "--joystick");
  if (logRate !== undefined && out.length === 0) throw without("--log-rate", "--out");
  if (px4 && ardupilot)
    throw new InputError("a vehicle has one autopilot", {
      field: "--ardupilot",
      allowed: "--px4 or --ardupilot",
    });
  return px4 ? "px4" : ardupilot ? "ardupilot" : undefined;
}

const all = (value: number) => [value, value, value];
/**
 * Sensors of a small autopilot board. Densities and wander of the IMU, compass and barometer as in PX4's Gazebo models (random
 * walks of 0.006 m/s^2 and 3.9e-5 rad/s per square root of s over 300 s and 1000 s).
 */
const board = (rate: number) => ({
  accelerometer: { noise_density: all(1.86e-3), instability: { sigma: all(0.0735), tau: 300 } },
  gyro: { noise_density: all(1.8665e-4), instability: { sigma: all(8.7e-4), tau: 1000 } },
  magnetometer: { noise: all(4e-7), rate: Math.min(100, rate) },
  barometer: { noise: 1, rate: Math.min(50, rate) },
  gnss: {
    rate: Math.min(10, rate),
    delay: 0.12,
    noise: [0.05, 0.05, 0.1],
    velocity_noise: all(0.03),
    correlated: { sigma: [0.4, 0.4, 0.6], tau: 60 },
  },
});
const EXACT = { accelerometer: { noise: all(0) }, gyro: { noise: all(0) } };

/** Scenario defaults for flight under an autopilot: home position and sensors. */
export function autopilotDefaults({ model }: Vehicle, autopilot: Autopilot, rate: number): Spec {
  const hasWings = model.outputs.some((f) => f.name.startsWith("force_surface_"));
  const pitot = hasWings ? { pitot: autopilot === "px4" ? { noise: 1, rate: Math.min(50, rate) } : {} } : {};
  return {
    ...(model.stiff ? {} : { dt: Math.min(0.005, 1 / rate) }),
    home: ZURICH,
    // ArduPilot simulates sensor errors, compass, barometer and GNSS itself.
    sensors: { ...(autopilot === "px4" ? board(rate) : EXACT), ...pitot },
  };
}

/** Notes on scenario entries without effect under an autopilot; `rate` is the autopilot's tick rate [Hz]. */
export function notesOnIdleBlocks(
  { type }: Vehicle,
  said: Spec,
  autopilot: Autopilot,
  rate?: number,
): string[] {
  const deciding = ["inputs", ...Object.keys(type.scenarioBlocks?.schemas ?? {})].filter(
    (key) => said[key] !== undefined,
  );
  const made = ["gnss", "barometer", "magnetometer"].filter(
    (key) => autopilot === "ardupilot" && (said.sensors as Spec | undefined)?.[key] !== undefined,
  );
  return [
    ...(deciding.length > 0
      ? [`${deciding.join(", ")}: no effect, because the autopilot controls the vehicle`]
      : []),
    ...(made.length > 0
      ? [
          `sensors ${made.join(", ")}: logged, but not sent to ArduPilot, which simulates its own (SIM_ parameters)`,
        ]
      : []),
    ...(rate !== undefined && said.control_dt !== undefined
      ? [`control_dt: no effect, because the autopilot's tick rate is ${rate} Hz (--rate changes it)`]
      : []),
  ];
}

/** The scenario of a vehicle given without one: at rest on the ground. */
export const waiting = (vehicle: Vehicle): Spec => ({
  vehicle: vehicle.name,
  initial: { ...vehicle.initial, ...vehicle.type.groundStart?.(vehicle) },
});

export function instanceOf({ instance = "0" }: ServeFlags): number {
  const value = numberFlag("--instance", instance, 0, MOST_INSTANCES);
  if (!Number.isInteger(value))
    throw new InputError(`"${instance}" is not an instance number`, {
      field: "--instance",
      allowed: `0 to ${MOST_INSTANCES}`,
    });
  return value;
}

interface Opening {
  readonly session: Session;
  readonly channels: readonly Field[];
  readonly scenario: Scenario;
  readonly host: string;
  readonly report: (message: string) => void;
  /** A Studio page has control. */
  readonly isPiloted: () => boolean;
}

export interface OpenAutopilot {
  readonly driver: Driver & { readonly address: string };
  close(): void;
}

export async function openAutopilot(
  autopilot: Autopilot,
  { session, channels, scenario, host, report, isPiloted }: Opening,
  flags: ServeFlags,
): Promise<OpenAutopilot> {
  const instance = instanceOf(flags);
  const { vehicle } = scenario;
  const lines = vehicle.autopilots?.[autopilot];
  const controls = (vehicle.model.controls?.(vehicle.parameters) ?? []).map(({ name }) => name);
  const idle = controls.filter((name) => lines && !lines.some((line) => line[name]));
  if (idle.length > 0)
    report(
      `note: no output drives ${idle.join(", ")}: autopilots.${autopilot} of ${vehicle.name} does not name it`,
    );
  if (lines === undefined)
    report(
      `note: ${vehicle.name} has no autopilots.${autopilot} in its file: outputs drive ` +
        `${controls.join(", ")}, in this order`,
    );
  let joystick: Joystick | undefined;
  const options: AutopilotOptions = {
    session,
    vehicle,
    channels,
    home: scenario.home ?? ZURICH,
    interval: scenario.controlDt,
    host,
    port: autopilot === "px4" ? PX4_PORT + instance : ARDUPILOT_PORT + ARDUPILOT_STEP * instance,
    report,
    radio: () => {
      if (joystick) return joystick.sticks();
      return isPiloted() && session.isTakenOver ? radioFromSticks(session.stickPositions()) : undefined;
    },
    now: () => performance.now(),
  };
  const driver =
    autopilot === "px4"
      ? await Px4Bridge.open({ ...options, beams: scenario.sensors.rangefinders ?? [] })
      : await ArduPilotBridge.open(options);
  try {
    if (flags.joystick)
      joystick = openJoystick(
        flags.joystick === true ? USUAL_JOYSTICK : flags.joystick,
        flags.layout,
        report,
      );
  } catch (error) {
    await driver.close();
    throw error;
  }
  return { driver, close: () => joystick?.close() };
}
