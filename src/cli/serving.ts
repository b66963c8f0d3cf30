/** A deck with its bridges, from the first sample to Ctrl-C. */
import { FoxgloveBridge } from "../bridges/foxglove/bridge.ts";
import { ros2Bridge } from "../bridges/ros2/bridge.ts";
import { checkNamespace } from "../bridges/ros2/names.ts";
import { addressOf } from "../bridges/ros2/rtps/udp.ts";
import { type Bridge, SimulationServer } from "../bridges/server.ts";
import { StudioBridge } from "../bridges/studio/bridge.ts";
import { interfaceFor, type Surroundings } from "../bridges/topics/interface-for.ts";
import { Deck } from "../deck/deck.ts";
import type { Begun, Order } from "../deck/protocol.ts";
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../model/model.ts";
import { RunError } from "../simulation/divergence.ts";
import type { Scenario } from "../simulation/scenario.ts";
import { serveStudio } from "./fly.ts";
import { Progress } from "./progress.ts";
import { type Output, openOutput } from "./run-outputs.ts";
import { domainOf, gidSizeOf, numberFlag, originOf, portOf, type ServeFlags } from "./serve-flags.ts";
import type { Served } from "./static-server.ts";

const FOXGLOVE_PORT = 8765;
const STUDIO_PORT = 8770;

export interface Show {
  readonly vehicle: Vehicle;
  /** How it begins. */
  readonly order: Order;
  readonly surroundings: Surroundings;
  /** Of what is written to files, where it is not a log itself. */
  readonly scenario?: Scenario;
  readonly notes: readonly string[];
  /** Frame of the IMU's messages, unless a flag says otherwise. */
  readonly imuFrame?: string;
  /** Over when its samples are; what flies waits to be reset. */
  readonly endsItself?: boolean;
}

/** What goes on: a line for a person, or the words of `--json`. */
const tell = (words: string): void => {
  process.stderr.write(`${words}\n`);
};

/** For programs that read line by line. */
const printLine = (value: object): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

export async function serveShow(show: Show, flags: ServeFlags): Promise<void> {
  const { vehicle, order, surroundings, notes } = show;
  const speed = numberFlag("--speed", flags.speed, 0.01, 100);
  const limit = flags.duration === undefined ? Infinity : numberFlag("--duration", flags.duration, 0, 1e9);
  const foxglovePort = portOf("--foxglove", flags.foxglove, FOXGLOVE_PORT);
  const studioPort = portOf("--studio", flags.studio, STUDIO_PORT);
  if (!flags.ros2 && foxglovePort === undefined && studioPort === undefined)
    throw new InputError("to whom?", { allowed: "--ros2, --foxglove, --studio, or several of them" });
  const host = addressOf(flags.interface);
  const namespace =
    flags.namespace === undefined ? undefined : checkNamespace(flags.namespace, "--namespace");
  for (const note of notes) tell(`note: ${note}`);

  const studio = studioPort === undefined ? undefined : new StudioBridge();
  let begun: Begun | undefined;
  let refusal: string | undefined;
  let server: SimulationServer | undefined;
  const ended = promise();
  const onEnd = (t: number) => {
    if (show.endsItself || limit < Infinity) ended.resolve();
    else server?.report(`it is over at t = ${Number(t.toFixed(3))} s: a reset begins anew`);
  };
  const deck = new Deck(
    (news) => {
      if (news.news === "begun") begun = news.flight;
      else if (news.news === "refused") refusal = news.message;
      else if (news.news === "instant" && news.instant.isOver) onEnd(news.instant.row[0]);
      else if (news.news === "stopped") server?.report(`the simulation stopped: ${news.message}`);
      else if (news.news === "opened") for (const note of news.notes) tell(`note: ${note}`);
      studio?.tell(news);
    },
    () => performance.now(),
  );
  deck.order({ do: "speed", value: speed });
  deck.order(order);
  if (begun === undefined) throw new InputError(refusal ?? "nothing flies");
  deck.order({ do: "pause" });
  const { channels } = begun;
  const options = { namespace, imuFrame: flags.imuFrame ?? show.imuFrame, origin: originOf(flags) };
  const spoken = interfaceFor(vehicle, channels, surroundings, options);
  server = new SimulationServer({ deck, spoken, report: tell });
  const opened: Bridge[] = [];
  const outputs: Output[] = [];
  let page: Served | undefined;
  try {
    const facts: Record<string, unknown> = { vehicle: vehicle.name, control_dt: begun.controlDt };
    if (flags.ros2) {
      const bridge = await ros2Bridge(server, {
        node: "sideslip",
        domain: domainOf(flags),
        interface: flags.interface,
        peers: flags.peer,
        multicast: flags.multicast,
        gidSize: gidSizeOf(flags),
      });
      opened.push(bridge);
      facts.ros2 = { domain: bridge.domain, address: bridge.address };
    }
    if (foxglovePort !== undefined) {
      const bridge = await FoxgloveBridge.open(server, { deck, begun, host, port: foxglovePort });
      opened.push(bridge);
      facts.foxglove = bridge.address;
    }
    if (studio && studioPort !== undefined) {
      studio.show(deck);
      server.isHeld = () => studio.isPiloted;
      page = await serveStudio(studioPort, host, studio.upgrade);
      opened.push(studio);
      facts.studio = `${page.address}#deck=${studio.token}`;
    }
    for (const path of flags.out) {
      const { scenario } = show;
      if (scenario === undefined || !/\.(csv|parquet|mcap)$/i.test(path))
        throw new InputError(`${path} cannot be written here`, {
          field: "--out",
          value: path,
          allowed: ".mcap, .csv, .parquet, of what flies",
        });
      const output = await openOutput(path, { channels, scenario });
      outputs.push(output);
      output.sink.open(channels);
      server.add({
        sampled: (row) => output.sink.write(row),
        status: () => ({ bridge: path }),
        close: async () => {},
      });
    }
    for (const bridge of opened) server.add(bridge);
    announce(flags, facts, server);
  } catch (error) {
    for (const output of outputs) output.discard();
    page?.close();
    for (const bridge of opened) await bridge.close();
    throw error;
  }
  await run(deck, server, outputs, limit, ended, flags);
  page?.close();
}

function announce(
  flags: ServeFlags,
  facts: Readonly<Record<string, unknown>>,
  { spoken }: SimulationServer,
): void {
  const topics = spoken.topics.map(({ name, type }) => ({ name, type }));
  const commands = spoken.commands.map(({ name, type }) => ({ name, type }));
  const services = Object.values(spoken.services);
  if (flags.json) {
    printLine({ ...facts, topics, commands, services });
    return;
  }
  const { vehicle, ros2, foxglove, studio } = facts as Record<string, string> & {
    ros2?: { domain: number; address: string };
  };
  const lines = [`Sideslip serves ${vehicle}.`];
  if (ros2) lines.push(`  ROS 2 domain ${ros2.domain} on ${ros2.address}`);
  if (foxglove) lines.push(`  Foxglove WebSocket at ${foxglove}`);
  if (studio) lines.push(`  Studio at ${studio}`);
  const widest = Math.max(...[...topics, ...commands].map((t) => t.name.length));
  for (const { name, type } of topics) lines.push(`  out ${name.padEnd(widest)}  ${type}`);
  for (const { name, type } of commands) lines.push(`  in  ${name.padEnd(widest)}  ${type}`);
  for (const name of services) lines.push(`  srv ${name.padEnd(widest)}  std_srvs/Empty`);
  process.stdout.write(`${lines.join("\n")}\nCtrl-C ends it.\n`);
}

/** One that is kept from outside. */
function promise(): { readonly kept: Promise<void>; resolve(): void } {
  let resolve: () => void = () => {};
  const kept = new Promise<void>((keep) => {
    resolve = keep;
  });
  return { kept, resolve };
}

/** Until its time is over, somebody stops it, or it cannot go on. */
async function run(
  deck: Deck,
  server: SimulationServer,
  outputs: readonly Output[],
  limit: number,
  { kept: stopped, resolve: stop }: ReturnType<typeof promise>,
  flags: ServeFlags,
): Promise<void> {
  const progress = new Progress();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  let t = 0;
  server.add({
    sampled: (row) => {
      [t] = row;
      if (t >= limit - 1e-9) stop();
    },
    status: () => ({ bridge: "time", t }),
    close: async () => {},
  });
  let failure: unknown;
  const look = setInterval(() => {
    const { pace } = server.status();
    progress.update(
      t,
      limit,
      `t = ${t.toFixed(1)} s, late by ${pace.late_median_ms} ms (99 %: ${pace.late_99_ms} ms), ${pace.missed} ticks missed`,
    );
    Promise.all(outputs.map((o) => o.flush?.())).catch((error) => {
      failure ??= error;
      stop();
    });
  }, 500);
  deck.order({ do: "play" });
  server.start();
  await stopped;
  clearInterval(look);
  progress.clear();
  await server.close();
  for (const output of outputs) {
    try {
      await output.finish("", []);
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure instanceof Error ? failure : new RunError(String(failure));
  const status = server.status();
  if (flags.json) {
    printLine(status);
    return;
  }
  const { pace } = status;
  process.stdout.write(
    `served ${t.toFixed(2)} s in ${pace.ticks} ticks, ${pace.missed} missed; late by ${pace.late_median_ms} ms in the middle, ` +
      `${pace.late_99_ms} ms at 99 %, ${pace.late_worst_ms} ms at worst\n`,
  );
  for (const [name, facts] of Object.entries(status))
    if (name !== "pace" && name !== "time" && Object.keys(facts).length > 0)
      process.stdout.write(
        `  ${name}: ${Object.entries(facts)
          .filter(([key]) => key !== "bridge")
          .map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`)
          .join(", ")}\n`,
      );
}
