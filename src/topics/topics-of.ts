/** The topics of a vehicle in a scenario. */
import type { Field } from "../model/field.ts";
import type { TopicInterface, TopicSettings } from "../model/topics.ts";
import type { Scenario } from "../simulation/scenario.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { namespaceOf } from "./namespace.ts";
import { inputsCommand, rigidBodyTopics } from "./rigid-body.ts";
import { clock } from "./topic.ts";

/** Those that follow from a scenario. */
export function settingsOf({
  sensors,
  track,
  home,
}: Pick<Scenario, "sensors" | "track" | "home">): TopicSettings {
  const { imu } = sensors;
  const triple = (noise?: readonly number[]) => noise && ([...noise] as [number, number, number]);
  return {
    imuRate: imu && imu.rate > 0 ? imu.rate : undefined,
    noise: {
      accelerometer: triple((imu?.accelerometer ?? sensors.accelerometer)?.noise),
      gyro: triple((imu?.gyro ?? sensors.gyro)?.noise),
    },
    origin: home,
    track: track && { name: track.name, cones: track.cones.map(({ color, X, Y }) => ({ color, X, Y })) },
  };
}

/** The ROS 2 interface of a vehicle with these channels: that of its type, of a rigid body, or the clock alone. */
export function topicsOf(
  vehicle: Vehicle,
  channels: readonly Field[],
  settings: TopicSettings,
): TopicInterface {
  const { type, model } = vehicle;
  if (type.topics) return type.topics(vehicle, channels, settings);
  if (model.states.some((f) => f.name === "q_w")) return rigidBodyTopics(vehicle, channels, settings);
  const namespace = namespaceOf(vehicle, settings);
  return {
    topics: [clock],
    subscriptions: [inputsCommand(vehicle, namespace)],
    services: { reset: `${namespace}/reset` },
  };
}
