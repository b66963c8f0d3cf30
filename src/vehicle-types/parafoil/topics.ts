/** The parafoil's ROS 2 interface, exactly as its simulator has it (seed 001). */
import type { Field } from "../../model/field.ts";
import type { Subscription, TopicInterface, TopicSettings } from "../../model/topics.ts";
import { type BodyNames, bodyTopics } from "../../topics/body.ts";
import { box, type Lines, type Triple } from "../../topics/markers.ts";
import { markerTopic } from "../../topics/rigid-body.ts";
import { clock, SENSOR } from "../../topics/topic.ts";
import type { ParafoilParameters } from "../../vehicles/parafoil/parameters.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";

interface VectorMessage {
  readonly vector: { readonly x: number; readonly y: number };
}

export function parafoilTopics(
  vehicle: Vehicle<ParafoilParameters>,
  channels: readonly Field[],
  settings: TopicSettings,
): TopicInterface {
  const names: BodyNames = {
    namespace: "/parafoil",
    sensors: "",
    world: "world",
    body: "parafoil_body",
    imu: settings.imuFrame ?? "parafoil_body",
    axes: "frd",
    imuRate: settings.imuRate,
  };
  const { b, c } = vehicle.parameters;
  const command: Subscription = {
    name: "/rockpara_actuators_node/auto_commands",
    type: "geometry_msgs/Vector3Stamped",
    qos: SENSOR,
    receive: (message) => {
      const { x, y } = (message as VectorMessage).vector;
      return { inputs: { brake_left_cmd: x, brake_right_cmd: y } };
    },
  };
  return {
    topics: [
      clock,
      ...bodyTopics(channels, names, settings.noise),
      markerTopic(channels, names, parafoilLines(b, c, 1.5)),
    ],
    subscriptions: [command],
    services: { reset: "/parafoil/reset" },
  };
}

/** Canopy, payload and the lines between them. */
function parafoilLines(span: number, chord: number, height: number): Lines {
  const cells = 8;
  // The canopy bends down towards its tips.
  const rib = (k: number): Triple => {
    const s = (2 * k) / cells - 1;
    return [0, (s * span) / 2, -height + 0.15 * span * s * s];
  };
  const lines: Lines = [];
  for (let k = 0; k <= cells; k++) {
    const [, y, z] = rib(k);
    lines.push([
      [chord / 2, y, z],
      [-chord / 2, y, z],
    ]);
    if (k % 2 === 0) lines.push([rib(k), [0, 0, 0.3]]);
    if (k === 0) continue;
    const [, y0, z0] = rib(k - 1);
    for (const x of [chord / 2, -chord / 2])
      lines.push([
        [x, y0, z0],
        [x, y, z],
      ]);
  }
  return [...lines, ...box(0.15, 0.3)];
}
