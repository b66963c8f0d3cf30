/** The `wind` and `air` blocks of a scenario. */
import * as z from "zod";
import type { Air } from "../environment/air.ts";
import { GRID } from "../environment/turbulence.ts";
import { cos, sin } from "../math/elementary.ts";
import { quantity, strict, triple } from "../model/schema.ts";
import { seedSchema } from "./seed.ts";

const speed = (meaning: string) => quantity({ unit: "m/s", meaning, min: 0, max: 200 });
// Two turns: a bare 270 is degrees forgotten, not radians.
const angle = (meaning: string) =>
  quantity({ unit: "rad", meaning: `${meaning} (degrees: "270 deg")`, min: -6.2832, max: 6.2832 });
const time = (meaning: string) => quantity({ unit: "s", meaning, min: GRID, max: 1e6 });

const vectorWind = triple({
  unit: "m/s",
  meaning: "velocity of the air, north east down (blows to)",
  min: -200,
  max: 200,
});
/** As weather reports have it: where it comes from, clockwise from north. */
const reportedWind = strict({
  from: angle("where the wind comes from, clockwise from north"),
  speed: speed("wind speed"),
})
  .transform(({ from, speed }): [number, number, number] => [-speed * cos(from), -speed * sin(from), 0])
  .meta({ description: "a level wind as weather reports give it" });

export const windSchema = strict({
  seed: seedSchema.optional(),
  steady: z.union([vectorWind, reportedWind]).optional(),
  gust: strict({
    interval: time("mean waiting time from the end of one gust to the next"),
    duration: time("length of a gust"),
    magnitude: speed("largest peak of a gust"),
  }).optional(),
  colored: strict({
    tau: time("correlation time"),
    sigma: speed("standard deviation along each axis"),
  }).optional(),
  dryden: strict({
    turbulence: z
      .enum(["light", "moderate", "severe"])
      .meta({ description: "15, 30 or 45 kt of wind at 20 ft" }),
    height: quantity({ unit: "m", meaning: "reference height above ground", min: 3, max: 304.8 }),
    airspeed: quantity({ unit: "m/s", meaning: "reference airspeed", above: 0, max: 400 }),
    heading: angle("direction of flight through the turbulence, clockwise from north").optional(),
  })
    .transform((d) => ({ ...d, heading: d.heading ?? 0 }))
    .optional(),
}).meta({ description: "the sum of its parts" });

const originAltitude = quantity({
  unit: "m",
  meaning: "altitude of the origin above sea level",
  min: -5000,
  max: 30000,
});

export const airSchema = z
  .union([z.enum(["constant", "isa"]), strict({ model: z.literal("isa"), origin_altitude: originAltitude })])
  .transform((air): Air => {
    if (air === "constant") return { model: "constant" };
    return air === "isa" ? { model: "isa" } : { model: "isa", originAltitude: air.origin_altitude };
  })
  .meta({
    description: "constant: the vehicle's own density; isa: falling with altitude as the standard atmosphere",
  });
