/** A deck with its bridges, from the first sample to Ctrl-C. */
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
  /** How it begins. */
  readonly order: Command;
  readonly settings: TopicSettings;
  /** Of what is written to files, where it is not a log itself. */
  readonly scenario?: Scenario;
  readonly notes: readonly string[];
  /** Who flies it, in lockstep. */
  readonly autopilot?: Autopilot;
  /** Over when its samples are; what flies waits to be reset. */
  readonly endsItself?: boolean;
}

const tell = (words: string): void => {
  say(`${words}\n`);
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
    throw new InputError("to whom?", {
      allowed: "--ros2, --foxglove, --studio, --px4, --ardupilot, or several of them",
    });
  const host = addressOf(flags.interface);
  const settings = settingsBy(flags, show.settings);
  for (const note of notes) tell(`note: ${note}`);

  const studio = ports.studio === undefined ? undefined : new StudioBridge();
  const ending = new Ending();
  let foxglove: FoxgloveBridge | undefined;
  let begun: SessionInfo | undefined;
  let refusal: string | undefined;
  let server: SimulationServer | undefined;
  const deck = new Session(
    (news) => {
      if (news.type === "started") begun = news.info;
      else if (news.type === "rejected") refusal = news.message;
      else if (news.type === "changed") foxglove?.parametersChanged();
      else if (news.type === "stopped") server?.report(`the simulation stopped: ${news.message}`);
      else if (news.type === "opened") for (const note of news.notes) tell(`note: ${note}`);
      else if (news.type === "frame" && news.frame.isOver) {
        if (show.endsItself || limit < Infinity) ending.come();
        else
          server?.report(`it is over at t = ${Number(news.frame.row[0].toFixed(3))} s: a reset begins anew`);
      }
      studio?.tell(news);
    },
    () => performance.now(),
  );
  deck.handle({ type: "setSpeed", value: speed });
  deck.handle(order);
  if (begun === undefined) throw new InputError(refusal ?? "nothing flies");
  deck.handle({ type: "pause" });
  deck.isShared = true;
  const { channels } = begun;
  const isLog = order.type === "openLog";
  const spoken = topicsOf(vehicle, channels, settings);
  if (
    flags.namespace !== undefined &&
    !spoken.topics.some((t) => t.name.startsWith(`${settings.namespace}/`))
  )
    tell("note: --namespace has no effect: these topics have the names of the vehicle's own ROS 2 simulator");
  // A log can only be looked at.
  const offered = isLog ? { ...spoken, commands: [], services: {}, onRequest: undefined } : spoken;
  server = new SimulationServer({ deck, spoken: offered, report: tell });
  const opened: Bridge[] = [];
  let outputs: Output[] = [];
  let page: Served | undefined;
  let pilot: OpenAutopilot | undefined;
  try {
    const facts: Record<string, unknown> = {
      vehicle: vehicle.name,
      ...(isLog ? { log: begun.name } : {}),
      control_dt: begun.controlDt,
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
        deck,
        begun,
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
      studio.show(deck);
      server.isHeld = () => studio.isPiloted;
      page = await serveStudio(ports.studio, host, studio.upgrade);
      opened.push(studio);
      facts.studio = `${page.address}#session=${studio.token}`;
    }
    if (autopilot && show.scenario) {
      pilot = await openAutopilot(
        autopilot,
        {
          deck,
          channels,
          scenario: show.scenario,
          host,
          report: server.report,
          isPiloted: () => studio?.isPiloted ?? false,
        },
        flags,
      );
      server.driver = pilot.driver;
      deck.drivenBy = NAMES[autopilot];
      opened.push(pilot.driver);
      facts[autopilot] = pilot.driver.address;
      facts.home = show.scenario.home;
    }
    outputs = await openLogs(show, flags, channels, settings, server, ending);
    for (const bridge of opened) server.add(bridge);
    announce(facts, server, flags.json);
    await run(deck, server, outputs, limit, ending, flags);
  } catch (error) {
    for (const bridge of opened) await bridge.close();
    throw error;
  } finally {
    page?.close();
    pilot?.close();
  }
}

/** What flags say of topics goes before what a scenario or a log says. */
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
      allowed: ".mcap, .csv, .parquet, of what flies",
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

/** Why it ends, and when: the first one counts. */
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

/** Until its time is over, somebody stops it, or it cannot go on. */
async function run(
  deck: Session,
  server: SimulationServer,
  outputs: readonly Output[],
  limit: number,
  ending: Ending,
  flags: ServeFlags,
): Promise<void> {
  const progress = new Progress();
  const stop = () => ending.come();
  // However often somebody asks: what is open is completed first.
  for (const signal of SIGNALS) process.on(signal, stop);
  let t = 0;
  server.add({
    sampled(row) {
      [t] = row;
      if (t < limit - 1e-9) return;
      deck.handle({ type: "pause" });
      ending.come();
    },
    status: () => ({}),
    close: async () => {},
  });
  let told: string | undefined;
  let flushing: Promise<unknown> = Promise.resolve();
  const look = setInterval(() => {
    progress.update(t, limit, paceMessage(server, t));
    const waits = server.driver?.waitsFor();
    // Only what explains itself, and not again with every second that it lasts.
    const kind = waits?.includes(": ") ? waits.replace(/[\d.]+/g, "") : undefined;
    if (waits && kind && kind !== told) tell(waits);
    told = kind;
    flushing = flushing.then(() => Promise.all(outputs.map((o) => o.flush?.()))).catch(ending.come);
  }, 500);
  deck.handle({ type: "play" });
  server.start();
  await ending.came;
  clearInterval(look);
  progress.clear();
  const status = server.status();
  const hash = server.driver && deck.simulation.digest();
  await server.close();
  await flushing;
  // What was written before a failure is kept.
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
