/** An aircraft's ROS 2 interface: a rigid body's, drawn with its rotors and wings. */
import type { Field } from "../../model/field.ts";
import type { TopicInterface, TopicSettings } from "../../model/topics.ts";
import type { Xyz } from "../../topics/frames.ts";
import type { Lines, Triple } from "../../topics/markers.ts";
import { rigidBodyTopics } from "../../topics/rigid-body.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";

export const aircraftTopics = (
  vehicle: Vehicle<AircraftParameters>,
  channels: readonly Field[],
  settings: TopicSettings,
): TopicInterface => rigidBodyTopics(vehicle, channels, settings, outline(vehicle.parameters));

/** Arms with rotors, wings as wide as they are. */
function outline({ rotors = {}, surfaces = {} }: AircraftParameters): Lines | undefined {
  const lines: Lines = [];
  const xyz = ({ x, y, z }: Xyz): Triple => [x, y, z];
  for (const { position, radius } of Object.values(rotors)) {
    const [x, y, z] = xyz(position);
    lines.push([
      [0, 0, 0],
      [x, y, z],
    ]);
    const r = radius > 0 ? radius : 0.1;
    lines.push(
      [
        [x - r, y, z],
        [x + r, y, z],
      ],
      [
        [x, y - r, z],
        [x, y + r, z],
      ],
    );
  }
  for (const { position, area, AR } of Object.values(surfaces)) {
    const [x, y, z] = xyz(position);
    const half = AR > 0 ? Math.sqrt(area * AR) / 2 : Math.sqrt(area);
    lines.push([
      [x, y - half, z],
      [x, y + half, z],
    ]);
  }
  return lines.length > 0 ? lines : undefined;
}
