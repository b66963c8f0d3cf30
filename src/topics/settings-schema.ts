/** Topic settings as a log keeps them. */
import * as z from "zod";
import type { TopicSettings } from "../model/topics.ts";

const number = z.number();
const triple = z.tuple([number, number, number]);
const name = z.string().max(200);

export const topicSettings: z.ZodType<TopicSettings> = z.object({
  namespace: name.optional(),
  imuFrame: name.optional(),
  imuRate: number.positive().optional(),
  noise: z.object({ accelerometer: triple.optional(), gyro: triple.optional() }).optional(),
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
