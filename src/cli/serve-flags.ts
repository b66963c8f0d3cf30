/** Flags that `serve` and `replay` share: clients, network, speed. */
import type { Command } from "commander";
import type { GidSize } from "../bridges/ros2/discovery-info.ts";
import { InputError } from "../model/input-error.ts";
import { collect } from "./inputs.ts";

export interface ServeFlags {
  readonly px4?: boolean;
  readonly ardupilot?: boolean;
  readonly instance?: string;
  readonly joystick?: string | boolean;
  readonly layout?: string;
  readonly logRate?: string;
  readonly ros2?: boolean;
  readonly foxglove?: string | boolean;
  readonly studio?: string | boolean;
  readonly domain?: string;
  readonly interface?: string;
  readonly peer: readonly string[];
  readonly multicast: boolean;
  readonly namespace?: string;
  readonly distro?: string;
  readonly imuFrame?: string;
  readonly allowOrigin: readonly string[];
  readonly origin?: string;
  readonly speed?: string;
  readonly duration?: string;
  readonly out: readonly string[];
  readonly json?: boolean;
}

export function addServeFlags(command: Command): Command {
  return command
    .option("--ros2", "as a ROS 2 node over DDS; ROS need not be installed")
    .option("--foxglove [port]", "for Foxglove, Lichtblick, PlotJuggler (port 8765)")
    .option(
      "--studio [port]",
      "for the Studio page: several viewers, one has control (port 8770, or the next free one)",
    )
    .option("--speed <n>", "simulated seconds per second (default: 1; with ArduPilot as fast as it asks)")
    .option("--duration <s>", "stop after this simulated time")
    .option("--domain <n>", "ROS 2 domain (default: ROS_DOMAIN_ID, or 0)")
    .option(
      "--interface <name>",
      "network interface or its address to listen on (default: reachable from this machine only)",
    )
    .option("--peer <host>", "look for ROS 2 participants there, without multicast (repeatable)", collect, [])
    .option("--no-multicast", "do not use multicast to find ROS 2 participants")
    .option(
      "--distro <name>",
      "ROS 2 distribution of the others, for `ros2 node list` (default: ROS_DISTRO, or jazzy)",
    )
    .option("--namespace <name>", "of an aircraft's topics (default: its name)")
    .option("--imu-frame <name>", "frame_id of the IMU's messages")
    .option("--origin <lat,lon,alt>", "origin of north, east and down, for NavSatFix (deg, deg, m)")
    .option(
      "--allow-origin <url>",
      "admit web pages of this origin to --foxglove (repeatable; this machine's and Foxglove's own are admitted)",
      collect,
      [],
    )
    .option("--out <file>", "also write a log (.mcap) or a table (.csv, .parquet); repeatable", collect, [])
    .option("--json", "print one line of JSON at the start and one at the end");
}

export function numberFlag(field: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= least && value <= most))
    throw new InputError(`"${text}" is not a number in range`, {
      field,
      value: text,
      allowed: `${least} to ${most}`,
    });
  return value;
}

/** The port of a flag that may stand alone. */
export function portOf(
  field: string,
  given: string | boolean | undefined,
  usual: number,
): number | undefined {
  if (given === undefined || given === false) return undefined;
  if (given === true) return usual;
  const port = numberFlag(field, given, 0, 65535);
  if (!Number.isInteger(port))
    throw new InputError(`"${given}" is not a port number`, { field, value: given, allowed: "0 to 65535" });
  return port;
}

export function domainOf({ domain = process.env.ROS_DOMAIN_ID || "0" }: Pick<ServeFlags, "domain">): number {
  const value = Number(domain);
  // The range is checked when the domain is joined; here only that it is a number.
  if (!/^\d+$/.test(domain.trim()))
    throw new InputError(`"${domain}" is not a ROS 2 domain`, {
      field: "--domain",
      value: domain,
      allowed: "0 to 232",
    });
  return value;
}

/** In their order; up to Humble identifiers had 24 bytes. */
const DISTROS = ["foxy", "galactic", "humble", "iron", "jazzy", "kilted", "lyrical", "rolling"];

export function distroOf({ distro = process.env.ROS_DISTRO || "jazzy" }: Pick<ServeFlags, "distro">): {
  name: string;
  gidSize: GidSize;
} {
  const name = distro.toLowerCase();
  if (!DISTROS.includes(name))
    throw new InputError(`"${distro}" is not a known distribution of ROS 2`, {
      field: "--distro",
      allowed: DISTROS.join(", "),
    });
  return { name, gidSize: DISTROS.indexOf(name) <= DISTROS.indexOf("humble") ? 24 : 16 };
}

export function originOf({ origin }: ServeFlags) {
  if (origin === undefined) return undefined;
  const parts = origin.split(",").map(Number);
  const [latitude, longitude, altitude = 0] = parts;
  if (
    parts.length < 2 ||
    parts.length > 3 ||
    parts.some(Number.isNaN) ||
    Math.abs(latitude) >= 90 ||
    Math.abs(longitude) > 180
  )
    throw new InputError(`"${origin}" is not a position`, {
      field: "--origin",
      value: origin,
      allowed: "latitude,longitude,altitude as 47.3977,8.5456,488, latitude between -90 and 90",
    });
  return { latitude, longitude, altitude };
}
