/** What teleop steers: a simulation in this process, or one at the other end of ROS 2's topics. */

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
  /** Lines that say how it flies. */
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
  let begun: SessionInfo | undefined;
  let problem = "";
  const deck = new Session(
    (news) => {
      if (news.type === "started") begun = news.info;
      else if (news.type === "rejected" || news.type === "stopped") problem = news.message;
    },
    () => performance.now(),
  );
  let row = new Float64Array(0);
  deck.onSample = (sample) => {
    row = sample.slice();
  };
  deck.handle({ type: "start", vehicle: vehicleSpec(vehicle), scenario: firstFlight(vehicle), byHand: true });
  if (begun === undefined) throw new InputError(problem);
  const { channels } = begun;
  const at = (field: string) => row[channels.findIndex((c) => c.name === field)];
  const timer = setInterval(() => deck.turn(), 5);
  return {
    command: ({ left, right }) => {
      deck.setInputs({ brake_left_cmd: left, brake_right_cmd: right });
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
    report: (words) => {
      problem = words;
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
      const who = `${listeners} ${listeners === 1 ? "listens" : "listen"} to the commands`;
      if (last === undefined) return [who, "nothing on /parafoil/odom yet", problem];
      const { header, pose, twist } = last;
      // East, north, up.
      const { x, y, z } = twist.twist.linear;
      const t = header.stamp.sec + 1e-9 * header.stamp.nanosec;
      const silent = (performance.now() - heard) / 1000;
      const old = silent > 2 ? `nothing was heard for ${silent.toFixed(0)} s: this is old` : problem;
      return [who, ...lines(t, pose.pose.position.z, y, x, -z), old];
    },
    async close() {
      // Nobody holds the brakes any more.
      command({ left: 0, right: 0 });
      await new Promise((go) => setTimeout(go, 100));
      await joined.close();
    },
  };
}
