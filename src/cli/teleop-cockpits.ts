/** What teleop controls: a simulation in this process, or one connected by ROS 2 topics. */

import { firstFlight } from "../analysis/default-flight.ts";
import { RosNode } from "../bridges/ros2/node.ts";
import { joinDomain } from "../bridges/ros2/rtps/udp.ts";
import { atan2 } from "../math/elementary.ts";
import { InputError } from "../model/input-error.ts";
import type { SessionInfo } from "../session/protocol.ts";
import { Session } from "../session/session.ts";
import { vehicleSpec } from "../vehicle-types/vehicle-spec.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { domainOf } from "./serve-flags.ts";
import type { TeleopOptions } from "./teleop.ts";

export interface Brakes {
  readonly left: number;
  readonly right: number;
}
export interface Cockpit {
  /** Called twenty times a second. */
  command(brakes: Brakes): void;
  /** The flight state as lines of text. */
  state(): readonly string[];
  close(): Promise<void>;
}

const heading = (north: number, east: number) => ((atan2(east, north) * 180) / Math.PI + 360) % 360;

function lines(t: number, altitude: number, north: number, east: number, down: number): string[] {
  const speed = Math.sqrt(north * north + east * east);
  return [
    `t ${t.toFixed(1)} s   altitude ${altitude.toFixed(1)} m   course ${heading(north, east).toFixed(0)} deg`,
    `speed over ground ${speed.toFixed(2)} m/s   sink ${down.toFixed(2)} m/s`,
  ];
}

export function localCockpit(vehicle: Vehicle): Cockpit {
  let info: SessionInfo | undefined;
  let problem = "";
  const session = new Session(
    (event) => {
      if (event.type === "started") info = event.info;
      else if (event.type === "rejected" || event.type === "stopped") problem = event.message;
    },
    () => performance.now(),
  );
  let row = new Float64Array(0);
  session.onSample = (sample) => {
    row = sample.slice();
  };
  session.handle({
    type: "start",
    vehicle: vehicleSpec(vehicle),
    scenario: firstFlight(vehicle),
    byHand: true,
  });
  if (info === undefined) throw new InputError(problem);
  const { channels } = info;
  const at = (field: string) => row[channels.findIndex((c) => c.name === field)];
  const timer = setInterval(() => session.turn(), 5);
  return {
    command: ({ left, right }) => {
      session.setInputs({ brake_left_cmd: left, brake_right_cmd: right });
    },
    state: () => [
      ...lines(row[0], -at("down"), at("v_north"), at("v_east"), at("v_down")),
      problem || (at("down") >= 0 ? "landed" : "flying"),
    ],
    close: async () => clearInterval(timer),
  };
}

interface Odometry {
  readonly header: { readonly stamp: { readonly sec: number; readonly nanosec: number } };
  readonly pose: { readonly pose: { readonly position: { readonly z: number } } };
  readonly twist: {
    readonly twist: { readonly linear: { readonly x: number; readonly y: number; readonly z: number } };
  };
}

export async function rosCockpit(options: TeleopOptions): Promise<Cockpit> {
  let problem = "";
  const joined = await joinDomain({
    name: "sideslip_teleop",
    domain: domainOf(options),
    interface: options.interface,
    peers: options.peer,
    multicast: options.multicast,
    report: (message) => {
      problem = message;
    },
  });
  const node = new RosNode(joined.participant, "sideslip_teleop");
  const publisher = node.advertise("/rockpara_actuators_node/auto_commands", "geometry_msgs/Vector3Stamped");
  let last: Odometry | undefined;
  let heard = 0;
  node.subscribe("/parafoil/odom", "nav_msgs/Odometry", { isReliable: false }, (message) => {
    last = message as Odometry;
    heard = performance.now();
    problem = "";
  });
  const command = ({ left, right }: Brakes) => {
    const now = Date.now();
    const stamp = { sec: Math.floor(now / 1000), nanosec: (now % 1000) * 1e6 };
    publisher.publish({ header: { stamp, frame_id: "" }, vector: { x: left, y: right, z: 0 } });
  };
  return {
    command,
    state() {
      const listeners = publisher.writer.readers.size;
      const subscribers = `${listeners} ${listeners === 1 ? "subscriber" : "subscribers"} to the commands`;
      if (last === undefined) return [subscribers, "no message on /parafoil/odom yet", problem];
      const { header, pose, twist } = last;
      // East, north, up.
      const { x, y, z } = twist.twist.linear;
      const t = header.stamp.sec + 1e-9 * header.stamp.nanosec;
      const silent = (performance.now() - heard) / 1000;
      const old = silent > 2 ? `no message for ${silent.toFixed(0)} s: these values are old` : problem;
      return [subscribers, ...lines(t, pose.pose.position.z, y, x, -z), old];
    },
    async close() {
      // Release the brakes.
      command({ left: 0, right: 0 });
      await new Promise((go) => setTimeout(go, 100));
      await joined.close();
    },
  };
}
