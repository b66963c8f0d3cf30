/** The topics of a vehicle in a scenario. */
import type { Track } from "../../environment/track/track.ts";
import type { Field } from "../../model/field.ts";
import type { Vehicle } from "../../model/model.ts";
import type { SensorsSpecification } from "../../sensors/sensors.ts";
import type { CarParameters } from "../../vehicles/car/parameters.ts";
import { type Origin, ZURICH } from "../frames.ts";
import { carInterface } from "./car.ts";
import { aircraftInterface, parafoilInterface } from "./flyers.ts";
import { clock, type Interface } from "./topic.ts";

export interface InterfaceOptions {
  /** Of a vehicle without a ROS 2 simulator of its own; its name unless given. */
  readonly namespace?: string;
  readonly imuFrame?: string;
  readonly origin?: Origin;
}
export interface Surroundings {
  readonly sensors?: SensorsSpecification;
  readonly track?: Track;
}

/** What may stand in a topic's name. */
export const rosName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_");

export function interfaceFor(
  vehicle: Vehicle,
  channels: readonly Field[],
  { sensors, track }: Surroundings,
  { namespace = `/${rosName(vehicle.name)}`, imuFrame, origin = ZURICH }: InterfaceOptions = {},
): Interface {
  const { model } = vehicle;
  if (model.name === "car") return carInterface(channels, vehicle.parameters as CarParameters, track);
  const { imu } = sensors ?? {};
  const noise = {
    accelerometer: (imu?.accelerometer ?? sensors?.accelerometer)?.noise,
    gyro: (imu?.gyro ?? sensors?.gyro)?.noise,
  };
  const options = { imuFrame, origin, noise, imuRate: imu && imu.rate > 0 ? imu.rate : undefined };
  if (model.name === "parafoil") return parafoilInterface(vehicle, channels, options);
  if (model.states.some((f) => f.name === "q_w"))
    return aircraftInterface(vehicle, channels, namespace, options);
  return { topics: [clock], commands: [], services: { reset: `${namespace}/reset` } };
}
