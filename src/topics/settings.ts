/** What the topics of a vehicle depend on besides its channels; a log keeps it, so that a replay says the same. */
import { z } from "zod";

const number = z.number();
const triple = z.tuple([number, number, number]);
const name = z.string().max(200);

export const interfaceSettings = z.object({
  /** Of a vehicle without a ROS 2 simulator of its own; its name unless given. */
  namespace: name.optional(),
  imuFrame: name.optional(),
  /** Samples of the IMU a second, where it has a rate of its own. */
  imuRate: number.positive().optional(),
  /** Standard deviations of specific force and rates. */
  noise: z.object({ accelerometer: triple.optional(), gyro: triple.optional() }).optional(),
  /** Where north, east and down are counted from: deg, deg, m. */
  origin: z.object({ latitude: number, longitude: number, altitude: number }).optional(),
  track: z
    .object({
      name,
      cones: z
        .array(z.object({ color: z.enum(["blue", "yellow", "orange"]), X: number, Y: number }))
        .max(20_000),
    })
    .optional(),
});

export type InterfaceSettings = z.infer<typeof interfaceSettings>;
