/** Builds programs on other DDS implementations from what Debian brings. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ros2jazzy } from "@foxglove/rosmsg-msgs-common";
import { definitionsOf } from "../../../src/bridges/messages/definitions.ts";
import { type Definitions, idlOf, printersOf } from "./idl.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../../node_modules/.cache/sideslip-peers/", import.meta.url));
const have = (command: string) => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;

export const hasCyclone = have("idlc") && have("gcc") && existsSync("/usr/include/dds/dds.h");
export const hasFast = have("g++") && existsSync("/usr/include/fastdds/dds/domain/DomainParticipant.hpp");

const TYPES = [
  "geometry_msgs/Vector3Stamped",
  "geometry_msgs/PoseStamped",
  "sensor_msgs/Imu",
  "sensor_msgs/Joy",
  "sensor_msgs/NavSatFix",
  "nav_msgs/Odometry",
  "nav_msgs/Path",
  "visualization_msgs/Marker",
  "visualization_msgs/MarkerArray",
  "tf2_msgs/TFMessage",
  "rosgraph_msgs/Clock",
  "diagnostic_msgs/DiagnosticArray",
  "std_msgs/UInt8MultiArray",
  "std_msgs/Float64MultiArray",
  "brains2/Pose",
  "brains2/Velocity",
  "brains2/Acceleration",
  "brains2/Controls",
  "std_srvs/Empty_Request",
  "std_srvs/Empty_Response",
  "rmw_dds_common/ParticipantEntitiesInfo",
];

/** Definitions that ROS 2 has and the message packages do not; services as Cyclone's middleware sends them. */
const ticket = ["guid:uint64", "seq:int64", "structure_needs_at_least_one_member:uint8"].map((f) => {
  const [name, type] = f.split(":");
  return { name, type };
});
const EXTRA: Definitions = {
  "std_srvs/Empty_Request": { name: "std_srvs/Empty_Request", definitions: ticket },
  "std_srvs/Empty_Response": { name: "std_srvs/Empty_Response", definitions: ticket },
  "rmw_dds_common/Gid": {
    name: "rmw_dds_common/Gid",
    definitions: [{ name: "data", type: "uint8", isArray: true, arrayLength: 16 }],
  },
  "rmw_dds_common/NodeEntitiesInfo": {
    name: "rmw_dds_common/NodeEntitiesInfo",
    definitions: [
      { name: "node_namespace", type: "string" },
      { name: "node_name", type: "string" },
      { name: "reader_gid_seq", type: "rmw_dds_common/Gid", isArray: true },
      { name: "writer_gid_seq", type: "rmw_dds_common/Gid", isArray: true },
    ],
  },
  "rmw_dds_common/ParticipantEntitiesInfo": {
    name: "rmw_dds_common/ParticipantEntitiesInfo",
    definitions: [
      { name: "gid", type: "rmw_dds_common/Gid" },
      { name: "node_entities_info_seq", type: "rmw_dds_common/NodeEntitiesInfo", isArray: true },
    ],
  },
};

const all: Definitions = {
  ...(ros2jazzy as Definitions),
  ...Object.fromEntries(
    TYPES.filter((t) => t.startsWith("brains2/")).map((t) => [t, definitionsOf(t)[0]] as const),
  ),
  ...EXTRA,
};

let built: string | undefined;
/** The peer's program; made once for as long as its sources stay the same. */
export function cyclonePeer(): string {
  if (built) return built;
  const idl = idlOf(all, TYPES);
  const printers = printersOf(all, TYPES);
  const program = readFileSync(join(here, "peer.c"), "utf8");
  const key = createHash("sha256").update(idl).update(printers).update(program).digest("hex").slice(0, 16);
  const folder = join(cache, key);
  const target = join(folder, "peer");
  if (!existsSync(target)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "types.idl"), idl);
    writeFileSync(join(folder, "printers.h"), printers);
    execFileSync("idlc", ["-l", "c", "types.idl"], { cwd: folder, stdio: "pipe" });
    const own = `${target}-${process.pid}`;
    execFileSync("gcc", ["-O1", "-I.", "-o", own, join(here, "peer.c"), "types.c", "-lddsc", "-lm"], {
      cwd: folder,
      stdio: "pipe",
    });
    execFileSync("mv", [own, target]);
  }
  built = target;
  return target;
}

let fast: string | undefined;
export function fastPeer(): string {
  if (fast) return fast;
  const source = join(here, "fast-peer.cpp");
  const key = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 16);
  const target = join(cache, `fast-${key}`);
  if (!existsSync(target)) {
    mkdirSync(cache, { recursive: true });
    const own = `${target}-${process.pid}`;
    execFileSync("g++", ["-O1", "-o", own, source, "-lfastrtps", "-lfastcdr"], { stdio: "pipe" });
    execFileSync("mv", [own, target]);
  }
  fast = target;
  return target;
}
