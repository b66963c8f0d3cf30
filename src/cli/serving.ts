/** A session with its bridges, from the first sample to Ctrl-C. */
import { FoxgloveBridge } from "../bridges/foxglove/bridge.ts";
import { ros2Bridge } from "../bridges/ros2/bridge.ts";
import { checkNamespace } from "../bridges/ros2/names.ts";
import { addressOf } from "../bridges/ros2/rtps/interfaces.ts";
import { type Bridge, SimulationServer } from "../bridges/server.ts";
import { StudioBridge } from "../bridges/studio/bridge.ts";
import type { Autopilot } from "../model/autopilots.ts";
import { InputError } from "../model/input-error.ts";
import type { TopicSettings } from "../model/topics.ts";
import type { Command, SessionInfo } from "../session/protocol.ts";
import { FASTEST, SLOWEST } from "../session/protocol.ts";
import { Session } from "../session/session.ts";
import type { Scenario } from "../simulation/scenario.ts";
import { topicsOf } from "../topics/topics-of.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { type OpenAutopilot, openAutopilot } from "./autopilots.ts";
import { serveStudio } from "./fly.ts";
import { SIGNALS } from "./interrupted.ts";
import { lasting } from "./lasting-output.ts";
import { Progress } from "./progress.ts";
import { type Output, openOutputs } from "./run-outputs.ts";
import { distroOf, domainOf, numberFlag, originOf, portOf, type ServeFlags } from "./serve-flags.ts";
import { announce, conclude, paceMessage } from "./serve-messages.ts";
import type { Served } from "./static-server.ts";
import { say } from "./terminal.ts";

const FOXGLOVE_PORT = 8765;
const STUDIO_PORT = 8770;
const NAMES: Readonly<Record<Autopilot, string>> = { px4: "PX4", ardupilot: "ArduPilot" };

export interface Show {
  readonly vehicle: Vehicle;
  /** The command that starts the session. */
  readonly order: Command;
  readonly settings: TopicSettings;
  /** The scenario, for files; absent when a log is replayed. */
  readonly scenario?: Scenario;
  readonly notes: readonly string[];
  /** The autopilot that controls it, in lockstep. */
  readonly autopilot?: Autopilot;
  /** Ends with its last sample; otherwise it waits for a reset. */
  readonly endsItself?: boolean;
}

const report = (message: string): void => {
  say(`${message}\n`);
};

export async function serveShow(show: Show, flags: ServeFlags): Promise<void> {
  const { vehicle, order, notes } = show;
  const { autopilot } = show;
  // ArduPilot keeps time itself, by its own speedup.
  const usualSpeed = autopilot === "ardupilot" ? FASTEST : 1;
  const speed = numberFlag("--speed", flags.speed ?? String(usualSpeed), SLOWEST, FASTEST);
  const limit = flags.duration === undefined ? Infinity : numberFlag("--duration", flags.duration, 0, 1e9);
  const ports = {
    foxglove: portOf("--foxglove", flags.foxglove, FOXGLOVE_PORT),
    studio: portOf("--studio", flags.studio, STUDIO_PORT),
  };
  if (!flags.ros2 && !autopilot && ports.foxglove === undefined && ports.studio === undefined)
    throw new InputError("serve needs a client interface", {
      allowed: "at least one of --ros2, --foxglove, --studio, --px4 and --ardupilot",
    });
  const host = addressOf(flags.interface);
  const settings = settingsBy(flags, show.settings);
  for (const note of notes) report(`note: ${note}`);

  const studio = ports.studio === undefined ? undefined : new StudioBridge();
  const ending = new Ending();
  let foxglove: FoxgloveBridge | undefined;
  let info: SessionInfo | undefined;
  let rejection: string | undefined;
  let server: SimulationServer | undefined;
  const session = new Session(
    (event) => {
      if (event.type === "started") info = event.info;
      else if (event.type === "rejected") rejection = event.message;
      else if (event.type === "changed") foxglove?.parametersChanged();
      else if (event.type === "stopped") server?.report(`the simulation stopped: ${event.message}`);
      else if (event.type === "opened") for (const note of event.notes) report(`note: ${note}`);
      else if (event.type === "frame" && event.frame.isOver) {
        if (show.endsItself || limit < Infinity) ending.come();
        else
          server?.report(
            `the run ended at t = ${Number(event.frame.row[0].toFixed(3))} s; a reset starts it again`,
          );
      }
      studio?.sendEvent(event);
    },
    () => performance.now(),
  );
  session.handle({ type: "setSpeed", value: speed });
  session.handle(order);
  if (info === undefined) throw new InputError(rejection ?? "the simulation did not start");
  session.handle({ type: "pause" });
  session.isShared = true;
  const { channels } = info;
  const isLog = order.type === "openLog";
  const spoken = topicsOf(vehicle, channels, settings);
  if (
    flags.namespace !== undefined &&
    !spoken.topics.some((t) => t.name.startsWith(`${settings.namespace}/`))
  )
    report(
      "note: --namespace has no effect: this vehicle's topics have the fixed names of its ROS 2 simulator",
    );
  // A log takes no commands.
  const offered = isLog ? { ...spoken, commands: [], services: {}, onRequest: undefined } : spoken;
  server = new SimulationServer({ session, spoken: offered, report });
  const opened: Bridge[] = [];
  let outputs: Output[] = [];
  let page: Served | undefined;
  let pilot: OpenAutopilot | undefined;
  try {
    const facts: Record<string, unknown> = {
      vehicle: vehicle.name,
      ...(isLog ? { log: info.name } : {}),
      control_dt: info.controlDt,
    };
    if (flags.ros2) {
      const bridge = await ros2Bridge(server, {
        node: "sideslip",
        domain: domainOf(flags),
        interface: flags.interface,
        peers: flags.peer,
        multicast: flags.multicast,
        gidSize: distroOf(flags).gidSize,
      });
      opened.push(bridge);
      facts.ros2 = { domain: bridge.domain, address: bridge.address };
    }
    if (ports.foxglove !== undefined) {
      const { name: distro } = distroOf(flags);
      const origins = flags.allowOrigin;
      foxglove = await FoxgloveBridge.open(server, {
        session,
        info,
        host,
        port: ports.foxglove,
        distro,
        origins,
      });
      opened.push(foxglove);
      facts.foxglove = foxglove.address;
      facts.foxglove_token = foxglove.token;
    }
    if (studio && ports.studio !== undefined) {
      studio.show(session);
      server.isHeld = () => studio.isPiloted;
      page = await serveStudio(ports.studio, host, studio.upgrade);
      opened.push(studio);
      facts.studio = `${page.address}#session=${studio.token}`;
    }
    if (autopilot && show.scenario) {
      pilot = await openAutopilot(
        autopilot,
        {
          session,
          channels,
          scenario: show.scenario,
          host,
          report: server.report,
          isPiloted: () => studio?.isPiloted ?? false,
        },
        flags,
      );
      server.driver = pilot.driver;
      session.drivenBy = NAMES[autopilot];
      opened.push(pilot.driver);
      facts[autopilot] = pilot.driver.address;
      facts.home = show.scenario.home;
    }
    outputs = await openLogs(show, flags, channels, settings, server, ending);
    for (const bridge of opened) server.add(bridge);
    announce(facts, server, flags.json);
    await run(session, server, outputs, limit, ending, flags);
  } catch (error) {
    for (const bridge of opened) await bridge.close();
    throw error;
  } finally {
    page?.close();
    pilot?.close();
  }
}

/** Topic settings: flags override those of a scenario or a log. */
function settingsBy(flags: ServeFlags, settings: TopicSettings): TopicSettings {
  return {
    ...settings,
    namespace:
      flags.namespace === undefined ? settings.namespace : checkNamespace(flags.namespace, "--namespace"),
    imuFrame: flags.imuFrame ?? settings.imuFrame,
    origin: originOf(flags) ?? settings.origin,
  };
}

/** Files that are written while it is served. */
async function openLogs(
  { scenario, autopilot }: Show,
  { out, logRate = "100" }: ServeFlags,
  channels: SessionInfo["channels"],
  settings: TopicSettings,
  server: SimulationServer,
  ending: Ending,
): Promise<Output[]> {
  const other = out.find((path) => !/\.(csv|parquet|mcap)$/i.test(path));
  if (out.length === 0) return [];
  if (other !== undefined || scenario === undefined)
    throw new InputError(`${other ?? out[0]} cannot be written here`, {
      field: "--out",
      value: other,
      allowed: ".mcap, .csv or .parquet, of a simulation",
    });
  // An autopilot's ticks are more than a log wants.
  const every = autopilot ? 1 / numberFlag("--log-rate", logRate, 0.01, 10_000) : 0;
  const opened = await openOutputs(out, { channels, scenario, settings });
  const outputs = opened.map((output) =>
    lasting(output, (error) => {
      server.report(`${error.message}; the simulation goes on without this log`);
      process.exitCode = 1;
    }),
  );
  let next = Number.NEGATIVE_INFINITY;
  let isDue = true;
  server.add({
    sampled([t]) {
      isDue = t >= next - 1e-9;
      if (isDue) next = Math.max(next + every, t + 0.5 * every);
    },
    status: () => ({}),
    close: async () => {},
  });
  for (const { sink } of outputs) {
    sink.open(channels);
    server.add({
      sampled(row) {
        if (!isDue) return;
        try {
          sink.write(row);
        } catch (error) {
          ending.come(error);
        }
      },
      status: () => ({}),
      close: async () => {},
    });
  }
  return outputs;
}

/** When serving ends, and the first failure. */
class Ending {
  failure: unknown;
  come: (failure?: unknown) => void = () => {};
  readonly came = new Promise<void>((resolve) => {
    this.come = (failure) => {
      this.failure ??= failure;
      resolve();
    };
  });
}

/** Runs until the time limit, a signal or a failure. */
async function run(
  session: Session,
  server: SimulationServer,
  outputs: readonly Output[],
  limit: number,
  ending: Ending,
  flags: ServeFlags,
): Promise<void> {
  const progress = new Progress();
  const stop = () => ending.come();
  // Further signals are ignored: open files are completed first.
  for (const signal of SIGNALS) process.on(signal, stop);
  let t = 0;
  server.add({
    sampled(row) {
      [t] = row;
      if (t < limit - 1e-9) return;
      session.handle({ type: "pause" });
      ending.come();
    },
    status: () => ({}),
    close: async () => {},
  });
  let reported: string | undefined;
  let flushing: Promise<unknown> = Promise.resolve();
  const look = setInterval(() => {
    progress.update(t, limit, paceMessage(server, t));
    const waits = server.driver?.waitsFor();
    // Report messages with an explanation, and each kind only once.
    const kind = waits?.includes(": ") ? waits.replace(/[\d.]+/g, "") : undefined;
    if (waits && kind && kind !== reported) report(waits);
    reported = kind;
    flushing = flushing.then(() => Promise.all(outputs.map((o) => o.flush?.()))).catch(ending.come);
  }, 500);
  session.handle({ type: "play" });
  server.start();
  await ending.came;
  clearInterval(look);
  progress.clear();
  const status = server.status();
  const hash = server.driver && session.simulation.digest();
  await server.close();
  await flushing;
  // Files written before a failure are completed.
  for (const output of outputs)
    try {
      await output.finish("", []);
    } catch (error) {
      ending.failure ??= error;
    }
  for (const signal of SIGNALS) process.off(signal, stop);
  if (ending.failure !== undefined) throw ending.failure;
  conclude(status, t, hash, flags.json);
}
