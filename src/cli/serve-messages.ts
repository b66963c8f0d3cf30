/** What `serve` and `replay` print: addresses and topics at the start, statistics at the end. */

import type { SimulationServer } from "../bridges/server.ts";
import type { GeodeticPosition } from "../environment/earth.ts";
import { print } from "./terminal.ts";

/** For programs that read line by line. */
const printLine = (value: object): void => {
  print(`${JSON.stringify(value)}\n`);
};

interface Facts {
  readonly vehicle?: string;
  readonly log?: string;
  readonly ros2?: { readonly domain: number; readonly address: string };
  readonly foxglove?: string;
  readonly foxglove_token?: string;
  readonly studio?: string;
  readonly px4?: string;
  readonly ardupilot?: string;
  readonly home?: GeodeticPosition;
}

export function announce(facts: Facts, { spoken }: SimulationServer, json = false): void {
  const topics = spoken.topics.map(({ name, type }) => ({ name, type }));
  const commands = spoken.subscriptions.map(({ name, type }) => ({ name, type }));
  const services = Object.values(spoken.services);
  if (json) {
    printLine({ ...facts, topics, commands, services });
    return;
  }
  const { vehicle, log, ros2, foxglove, studio, px4, ardupilot } = facts;
  const lines = [
    log === undefined ? `Sideslip serves ${vehicle}.` : `Sideslip replays ${log}, a flight of ${vehicle}.`,
  ];
  if (ros2) lines.push(`  ROS 2 domain ${ros2.domain} on ${ros2.address}`);
  if (foxglove)
    lines.push(
      `  Foxglove WebSocket at ${foxglove}`,
      `    for a viewer whose origin is refused: ${foxglove}/?token=${facts.foxglove_token}`,
    );
  if (studio) lines.push(`  Studio at ${studio}`);
  const { home } = facts;
  const place = home && `${home.latitude},${home.longitude},${home.altitude}`;
  if (px4) lines.push(`  PX4 connects to ${px4}; home ${place}`);
  if (ardupilot) lines.push(`  ArduPilot sends to ${ardupilot}; give it --home ${place},0`);
  const hasTopics = ros2 !== undefined || foxglove !== undefined;
  const widest = Math.max(
    ...[...topics, ...commands].map((t) => t.name.length),
    ...services.map((name) => name.length),
  );
  if (hasTopics) for (const { name, type } of topics) lines.push(`  out ${name.padEnd(widest)}  ${type}`);
  if (hasTopics) for (const { name, type } of commands) lines.push(`  in  ${name.padEnd(widest)}  ${type}`);
  if (hasTopics) for (const name of services) lines.push(`  srv ${name.padEnd(widest)}  std_srvs/Empty`);
  print(`${lines.join("\n")}\nCtrl-C stops it.\n`);
}

/** The pace in one line. */
export function paceMessage(server: SimulationServer, t: number): string {
  const { pace, ...others } = server.status();
  const { driver } = server;
  if (driver)
    return `t = ${t.toFixed(1)} s, ${driver.waitsFor() ?? `${others[driver.name ?? ""].real_time_factor} times real time`}`;
  return `t = ${t.toFixed(1)} s, late by ${pace.late_median_ms} ms (99 %: ${pace.late_99_ms} ms), ${pace.missed} ticks missed`;
}

/** Prints the statistics at the end; `hash` is given where lockstep makes runs repeatable. */
export function conclude(
  status: ReturnType<SimulationServer["status"]>,
  t: number,
  hash: string | undefined,
  json = false,
): void {
  if (json) {
    printLine({ ...status, t, hash });
    return;
  }
  const { pace, ...others } = status;
  const lateness =
    pace.missed === undefined
      ? ""
      : `, ${pace.missed} missed; late by ${pace.late_median_ms} ms (median), ` +
        `${pace.late_99_ms} ms at 99 %, ${pace.late_worst_ms} ms at worst`;
  print(`served ${t.toFixed(2)} s in ${pace.ticks} ticks${lateness}; ${pace.cpu_percent} % of a core\n`);
  if (hash) print(`  hash ${hash}\n`);
  for (const [name, facts] of Object.entries(others)) {
    // Names of topics stay as they are.
    const parts = Object.entries(facts).map(
      ([key, value]) => `${/[/]/.test(key) ? key : key.replaceAll("_", " ")} ${value}`,
    );
    if (parts.length > 0) print(`  ${name}: ${parts.join(", ")}\n`);
  }
}
