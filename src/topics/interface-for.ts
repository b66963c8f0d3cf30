/** The topics of a vehicle in a scenario. */
import type { Field } from "../model/field.ts";
import type { Vehicle } from "../model/model.ts";
import type { Scenario } from "../simulation/scenario.ts";
import type { CarParameters } from "../vehicles/car/parameters.ts";
import { carInterface } from "../vehicle-types/car/topics.ts";
import { aircraftInterface, parafoilInterface } from "./rigid-body.ts";
import type { InterfaceSettings } from "./settings.ts";
import { clock, type Interface } from "./topic.ts";

/** Those that follow from a scenario. */
export function settingsOf({
  sensors,
  track,
  home,
}: Pick<Scenario, "sensors" | "track" | "home">): InterfaceSettings {
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

/** What may stand in a topic's name. */
const rosName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_");

export function interfaceFor(
  vehicle: Vehicle,
  channels: readonly Field[],
  settings: InterfaceSettings,
): Interface {
  const { model } = vehicle;
  const { namespace = `/${rosName(vehicle.name)}`, track } = settings;
  if (model.name === "car") return carInterface(channels, vehicle.parameters as CarParameters, track);
  if (model.name === "parafoil") return parafoilInterface(vehicle, channels, settings);
  if (model.states.some((f) => f.name === "q_w"))
    return aircraftInterface(vehicle, channels, namespace, settings);
  return { topics: [clock], subscriptions: [], services: { reset: `${namespace}/reset` } };
}
