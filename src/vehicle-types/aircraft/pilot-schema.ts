/** The `pilot` block of a scenario: commands for the vehicle's own loops, and from when on. */
import * as z from "zod";
import {
  PILOT_COMMANDS,
  type PilotCommand,
  type PilotLine,
  type Waypoint,
} from "../../control/pilot-command.ts";
import { quantity, strict } from "../../model/schema.ts";

const metres = (meaning: string) => quantity({ unit: "m", meaning, min: -1e6, max: 1e6 });
const speed = (meaning: string) => quantity({ unit: "m/s", meaning, min: -50, max: 50 });
const angle = (meaning: string, most = 6.2832) =>
  quantity({ unit: "rad", meaning: `${meaning} (degrees: "30 deg")`, min: -most, max: most });

const heading = angle("heading of the nose, clockwise from north; unchanged unless given");
const place = strict({
  north: metres("northward; unchanged unless given").optional(),
  east: metres("eastward; unchanged unless given").optional(),
  altitude: metres("height above the origin; as it is unless given").optional(),
  yaw: heading.optional(),
});
const pace = quantity({ unit: "m/s", meaning: "fastest level speed", above: 0, max: 50 });
const waypoint = z.union([
  z
    .tuple([metres("northward"), metres("eastward"), metres("height above the origin")])
    .transform(([north, east, altitude]): Waypoint => ({ north, east, altitude })),
  place,
]);

const fast = quantity({
  unit: "m/s",
  meaning: "true airspeed on wings; its own cruise unless given",
  above: 0,
  max: 400,
});

export const pilotSchema = z
  .array(
    strict({
      t: quantity({ unit: "s", meaning: "when this line takes effect", min: 0 }),
      hold: z
        .union([z.literal(true), place])
        .optional()
        .meta({ description: "stay there (true: here); on wings keep height and course" }),
      goto: place.optional().meta({ description: "fly there and stay" }),
      waypoints: z
        .array(waypoint)
        .min(1)
        .optional()
        .meta({ description: "fly through these, stay at the last" }),
      loiter: strict({
        north: metres("centre, northward; here unless given").optional(),
        east: metres("centre, eastward; here unless given").optional(),
        altitude: metres("height above the origin; as it is unless given").optional(),
        radius: quantity({ unit: "m", meaning: "radius of the circle", min: 1, max: 1e5 }),
        turn: z
          .enum(["right", "left"])
          .optional()
          .meta({ description: "right (clockwise from above) by default" }),
      })
        .optional()
        .meta({ description: "circle there (on wings)" }),
      takeoff: place.optional().meta({ description: "take off to this altitude (yaw: runway course)" }),
      speed: pace.optional(),
      airspeed: fast.optional(),
      velocity: strict({
        north: speed("northward").optional(),
        east: speed("eastward").optional(),
        up: speed("upward").optional(),
        yaw: heading.optional(),
      }).optional(),
      attitude: strict({
        roll: angle("bank angle, right side down positive", 1.5).optional(),
        pitch: angle("pitch angle, nose up positive", 1.5).optional(),
        yaw: heading.optional(),
        thrust: quantity({
          unit: "N",
          meaning: "total thrust upward in hover, forward on wings",
          min: 0,
          max: 1e6,
        }).optional(),
      }).optional(),
      land: z
        .union([z.literal(true), place])
        .optional()
        .meta({
          description: "land there (true: here in hover, straight ahead on wings); yaw: runway course",
        }),
      off: z.literal(true).optional().meta({ description: "stop the rotors" }),
    }).transform((line, context): PilotLine => {
      const said = PILOT_COMMANDS.filter((w) => line[w] !== undefined);
      if (said.length !== 1) {
        context.addIssue({
          code: "custom",
          message: said.length === 0 ? "has no command" : `has two commands: ${said.join(", ")}`,
          params: { allowed: `one of ${PILOT_COMMANDS.join(", ")}` },
        });
        return z.NEVER;
      }
      const useless =
        line.speed !== undefined && !["hold", "goto", "waypoints"].includes(said[0])
          ? "speed"
          : line.airspeed !== undefined && ["velocity", "off"].includes(said[0])
            ? "airspeed"
            : undefined;
      if (useless !== undefined) {
        context.addIssue({
          code: "custom",
          message: `has no effect on ${said[0]}`,
          params: {
            allowed: useless === "speed" ? "with hold, goto or waypoints" : "with all but velocity and off",
          },
          path: [useless],
        });
        return z.NEVER;
      }
      return { t: line.t, command: wishOf(line) };
    }),
  )
  .meta({ description: "commands for the vehicle's own loops; instead of inputs" });

interface Line {
  hold?: true | Waypoint;
  goto?: Waypoint;
  waypoints?: Waypoint[];
  speed?: number;
  velocity?: { north?: number; east?: number; up?: number; yaw?: number };
  attitude?: { roll?: number; pitch?: number; yaw?: number; thrust?: number };
  loiter?: { north?: number; east?: number; altitude?: number; radius: number; turn?: "right" | "left" };
  takeoff?: Waypoint;
  airspeed?: number;
  land?: true | Waypoint;
}

function wishOf(line: Line): PilotCommand {
  const { hold, goto, waypoints, speed, airspeed, velocity, attitude, land } = line;
  if (hold !== undefined) return { kind: "hold", place: hold === true ? {} : hold, speed, airspeed };
  if (goto !== undefined) return { kind: "goto", place: goto, speed, airspeed };
  if (waypoints !== undefined) return { kind: "waypoints", places: waypoints, speed, airspeed };
  if (line.takeoff !== undefined) return { kind: "takeoff", place: line.takeoff, airspeed };
  if (line.loiter !== undefined) {
    const { radius, turn, ...place } = line.loiter;
    return { kind: "loiter", place, radius, turn: turn === "left" ? -1 : 1, airspeed };
  }
  if (velocity !== undefined) {
    const { north = 0, east = 0, up = 0, yaw } = velocity;
    return { kind: "velocity", velocity: [north, east, -up], yaw };
  }
  if (attitude !== undefined) {
    const { roll = 0, pitch = 0, yaw, thrust } = attitude;
    return { kind: "attitude", roll, pitch, yaw, thrust, airspeed };
  }
  return land === undefined ? { kind: "off" } : { kind: "land", place: land === true ? {} : land, airspeed };
}
