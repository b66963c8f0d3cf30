/** Topics of a vehicle that is a rigid body: those of the parafoil's ROS 2 simulator, by the rules of REP 103 and REP 105. */

import { type GeodeticPosition, toGeodetic, ZURICH } from "../environment/earth.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Subscription, Topic, TopicInterface, TopicSettings } from "../model/topics.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { Body, type BodyNames, bodyTopics } from "./body.ts";
import { fluOfFrd } from "./frames.ts";
import { box, type Lines, marker, SHAPES } from "./markers.ts";
import { namespaceOf } from "./namespace.ts";
import { clock, headerOf, RELIABLE, Row, SENSOR } from "./topic.ts";

const ORANGE = [1, 0.5, 0.1] as const;

export function markerTopic(channels: readonly Field[], names: BodyNames, lines: Lines): Topic {
  const body = new Body(new Row(channels), names);
  const inBody = (p: readonly [number, number, number]) =>
    names.axes === "flu" ? fluOfFrd(...p) : { x: p[0], y: p[1], z: p[2] };
  const points = lines.flatMap(([a, b]) => [inBody(a), inBody(b)]);
  const ns = names.namespace.slice(1);
  return {
    name: `${names.namespace}/marker`,
    type: "visualization_msgs/Marker",
    qos: RELIABLE,
    message: (r) =>
      marker(r[0], names.world, {
        ns,
        id: 0,
        type: SHAPES.lines,
        pose: body.pose(r),
        scale: { x: 0.04, y: 0, z: 0 },
        color: ORANGE,
        points,
      }),
  };
}

/** In the vehicle's own namespace; `outline` is its picture. */
export function rigidBodyTopics(
  vehicle: Vehicle,
  channels: readonly Field[],
  settings: TopicSettings,
  outline: Lines = box(0.2, -0.2),
): TopicInterface {
  const namespace = namespaceOf(vehicle, settings);
  const frame = `${namespace.slice(1)}/base_link`;
  const names: BodyNames = {
    namespace,
    sensors: namespace,
    world: "world",
    body: frame,
    imu: settings.imuFrame ?? frame,
    axes: "flu",
    imuRate: settings.imuRate,
  };
  return {
    topics: [
      clock,
      ...bodyTopics(channels, names, settings.noise),
      markerTopic(channels, names, outline),
      navsatTopic(channels, namespace, frame, settings.origin ?? ZURICH),
      ...windTopic(channels, namespace),
    ],
    subscriptions: [joyCommand(namespace), inputsCommand(vehicle, namespace)],
    services: { reset: `${namespace}/reset` },
  };
}

function navsatTopic(
  channels: readonly Field[],
  namespace: string,
  frame: string,
  origin: GeodeticPosition,
): Topic {
  const row = new Row(channels);
  const place = ["north", "east", "down"].map((n) => row.at(`position_${n}`, n));
  const none = new Float64Array(9);
  return {
    name: `${namespace}/navsat`,
    type: "sensor_msgs/NavSatFix",
    qos: SENSOR,
    message: (r) => ({
      header: headerOf(r[0], frame),
      status: { status: 0, service: 1 },
      ...toGeodetic(origin, r[place[0]], r[place[1]], r[place[2]]),
      position_covariance: none,
      position_covariance_type: 0,
    }),
  };
}

/** The velocity of the air over ground, north east down: where it blows to. */
function windTopic(channels: readonly Field[], namespace: string): Topic[] {
  const row = new Row(channels);
  if (!row.has("wind_north")) return [];
  const [n, e, d] = row.all("wind_north", "wind_east", "wind_down");
  return [
    {
      name: `${namespace}/wind`,
      type: "geometry_msgs/Vector3Stamped",
      qos: SENSOR,
      message: (r) => ({ header: headerOf(r[0], "ned"), vector: { x: r[n], y: r[e], z: r[d] } }),
    },
  ];
}

/** Axes are sticks, in the order in which `docs/ros2.md` lists them. */
function joyCommand(namespace: string): Subscription {
  return {
    name: `${namespace}/joy`,
    type: "sensor_msgs/Joy",
    qos: SENSOR,
    receive: (message) => ({ sticks: Array.from((message as { axes: ArrayLike<number> }).axes) }),
  };
}

/** All inputs at once, in the order of `sideslip describe`, without those that only faults use. */
export function inputsCommand({ model }: Vehicle, namespace: string): Subscription {
  const names = model.inputs.map((f) => f.name).filter((name) => !name.endsWith("_health"));
  return {
    name: `${namespace}/inputs`,
    type: "std_msgs/Float64MultiArray",
    qos: SENSOR,
    receive: (message) => {
      const data = Array.from((message as { data: ArrayLike<number> }).data);
      if (data.length !== names.length)
        throw new InputError(`holds ${data.length} numbers`, {
          allowed: `${names.length}: ${names.join(", ")}`,
        });
      return { inputs: Object.fromEntries(names.map((name, i) => [name, data[i]])) };
    },
  };
}
