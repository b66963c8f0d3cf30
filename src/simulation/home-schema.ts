/** The `home` block of a scenario: where on earth the origin is, and what follows from that. */
import * as z from "zod";
import { type GeodeticPosition, normalGravity } from "../environment/earth.ts";
import { MAGNETIC_YEARS, magneticField } from "../environment/geomagnetism.ts";
import { indexOf, type Model } from "../model/model.ts";
import { quantity, strict } from "../model/schema.ts";

const degrees = (meaning: string, most: number) =>
  quantity({ unit: "1", meaning: `${meaning} in degrees`, min: -most, max: most });
/** Nearer to a pole than a metre there is no north. */
const MOST_LATITUDE = 89.99999;
/** Fixed, so that a run does not depend on when it is run. */
const USUAL_YEAR = 2026;

export const homeSchema = strict({
  latitude: degrees("geodetic latitude (WGS 84), north positive", MOST_LATITUDE),
  longitude: degrees("longitude, east positive", 180),
  altitude: quantity({ unit: "m", meaning: "height of the origin", min: -5000, max: 30000 }).optional(),
  year: quantity({
    unit: "1",
    meaning: "decimal year, for the magnetic field",
    min: MAGNETIC_YEARS[0],
    max: MAGNETIC_YEARS[1],
  }).optional(),
  gravity: z
    .enum(["vehicle", "wgs84"])
    .optional()
    .meta({ description: "g as in the vehicle's file, or that of the ellipsoid at home" }),
}).meta({ description: "where on earth the origin is: for satellite receivers, compass and barometer" });

export interface Home {
  readonly place: GeodeticPosition;
  /** North, east, down [T]. */
  readonly magneticField: [number, number, number];
  readonly parameters: Readonly<Record<string, number>>;
}

export function readHome(block: z.infer<typeof homeSchema>, model: Model): Home {
  const { latitude, longitude, altitude = 0, year = USUAL_YEAR, gravity } = block;
  const place = { latitude, longitude, altitude };
  const hasGravity = gravity === "wgs84" && indexOf(model.parameters, "g") >= 0;
  return {
    place,
    magneticField: [...magneticField(place, year)],
    parameters: hasGravity ? { g: normalGravity(place) } : {},
  };
}
