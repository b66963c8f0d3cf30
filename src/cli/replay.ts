/** `sideslip replay`: plays back a log, or converts it to another format. */
import { readFileSync, statSync } from "node:fs";
import type { Command } from "commander";
import { readChannels } from "../formats/mcap-channels.ts";
import { plainSource } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import type { TopicSettings } from "../model/topics.ts";
import { openLog } from "../session/open-log.ts";
import { FASTEST, SLOWEST } from "../session/protocol.ts";
import { readScenario } from "../simulation/scenario.ts";
import { topicSettings } from "../topics/settings-schema.ts";
import { OutputError, reason } from "./files.ts";
import { readParquetLog } from "./parquet-log.ts";
import { openOutputs } from "./run-outputs.ts";
import { addServeFlags, numberFlag, type ServeFlags } from "./serve-flags.ts";
import { print, say } from "./terminal.ts";

const LARGEST_LOG = 2e9;

export function addReplay(program: Command): void {
  const command = program
    .command("replay")
    .description("play back a log to ROS 2, Foxglove or the Studio, or convert it; recovers truncated logs")
    .argument(
      "<log>",
      "an .mcap, .csv or .parquet file as sideslip run --out and sideslip serve --out write it",
    );
  addServeFlags(command)
    .addHelpText(
      "after",
      `
Examples:
  sideslip replay flight.mcap --foxglove
  sideslip replay flight.mcap --ros2 --speed 2
  sideslip replay flight.mcap.part --out recovered.mcap
  sideslip replay flight.parquet.part --out recovered.parquet
  sideslip replay flight.mcap --out flight.csv --out flight.html
`,
    )
    .action(replay);
}

async function readLog(path: string) {
  let bytes: Buffer;
  try {
    const { size } = statSync(path);
    if (size > LARGEST_LOG)
      throw new InputError(`is ${(size / 1e9).toFixed(1)} GB long`, {
        file: path,
        allowed: "logs up to 2 GB",
      });
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot be read: ${reason(error)}`, { file: path });
  }
  const magic = bytes.toString("latin1", 0, 5);
  if (bytes.length === 0)
    throw new InputError("is empty", { file: path, allowed: ".mcap, .csv or .parquet" });
  if (magic.startsWith("PAR1")) {
    const log = await readParquetLog(path, bytes.toString("latin1", bytes.length - 4) !== "PAR1");
    return { log, ...openLog(log, path) };
  }
  const isMcap = magic.slice(1) === "MCAP" || /\.mcap(\.part(-\d+)?)?$/i.test(path);
  const log = isMcap
    ? readChannels(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), path)
    : bytes.toString("utf8");
  return { log, ...openLog(log, path) };
}

/** Topic settings stored in a log; invalid ones are ignored. */
function settingsIn(text: string | undefined): TopicSettings {
  if (text === undefined) return {};
  try {
    return topicSettings.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

async function replay(path: string, flags: ServeFlags): Promise<void> {
  const log = await readLog(path);
  const { vehicle, problem } = log;
  const notes = problem === undefined ? [] : [`${path} ${problem}`];
  const isServed = flags.ros2 || flags.foxglove !== undefined || flags.studio !== undefined;
  if (!isServed && flags.out.length === 0)
    throw new InputError("replay needs an output", {
      allowed: "at least one of --ros2, --foxglove, --studio and --out x.mcap, .csv, .parquet, .html, .svg",
    });
  numberFlag("--speed", flags.speed ?? "1", SLOWEST, FASTEST);
  const limit = flags.duration === undefined ? Infinity : numberFlag("--duration", flags.duration, 0, 1e9);
  const settings = settingsIn(log.settings);
  if (flags.out.length > 0) {
    for (const note of notes.splice(0)) say(`note: ${note}\n`);
    await convert(flags.out, { ...log, rows: log.rows.filter(([t]) => t <= limit + 1e-9) }, settings);
  }
  if (!isServed) return;
  const { serveShow } = await import("./serving.ts");
  await serveShow(
    {
      vehicle,
      order: { type: "openLog", name: path, log: log.log },
      settings,
      notes,
      // Studio pages may seek back, so it does not end by itself.
      endsItself: flags.studio === undefined,
    },
    { ...flags, out: [] },
  );
}

async function convert(
  paths: readonly string[],
  { vehicle, channels, rows }: Awaited<ReturnType<typeof readLog>>,
  settings: TopicSettings,
): Promise<void> {
  const scenario = readScenario(plainSource({ vehicle: vehicle.name }, "log"), vehicle);
  const outputs = await openOutputs(paths, { channels, scenario, settings });
  try {
    for (const { sink } of outputs) sink.open(channels);
    for (let i = 0; i < rows.length; i++) {
      for (const { sink } of outputs) sink.write(rows[i]);
      if (i % 256 === 255) for (const output of outputs) await output.flush?.();
    }
    for (const output of outputs) await output.finish(vehicle.name, [["samples", String(rows.length)]]);
  } catch (error) {
    // After a write error the partial files stay; after any other error they are removed.
    if (!(error instanceof OutputError)) for (const output of outputs) output.discard();
    throw error;
  }
  print(`wrote ${paths.join(", ")}: ${rows.length} samples\n`);
}
