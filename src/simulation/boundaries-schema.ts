/** The `boundaries` block of a scenario: ground, ceilings and walls. */
import * as z from "zod";
import type { Boundary } from "../environment/boundaries.ts";
import { quantity, strict, triple } from "../model/schema.ts";

const metres = (meaning: string) => quantity({ unit: "m", meaning, min: -1e7, max: 1e7 });
const point = triple({ unit: "m", meaning: "a point of it (of a rectangle the centre), north east down" });
const extent = quantity({ unit: "m", meaning: "width and height of a rectangle", above: 0, max: 1e7 });
const size = z
  .tuple([extent, extent])
  .meta({ description: "width and height; without it the plane has no end" });

/** Level ones are given by their height, or like walls by a point. */
const level = (kind: "ground" | "ceiling", normal: readonly [number, number, number]) =>
  strict({
    kind: z.literal(kind),
    down: metres("its height, downward").optional(),
    altitude: metres("its height, upward").optional(),
    point: point.optional(),
    size: size.optional(),
  })
    .refine((b) => [b.down, b.altitude, b.point].filter((v) => v !== undefined).length <= 1, {
      message: "its height is given twice",
    })
    .transform(
      ({ down, altitude, point, size }): Boundary => ({
        name: kind,
        point: point ?? [0, 0, down ?? (altitude === undefined ? 0 : -altitude)],
        normal,
        size,
      }),
    );

const wall = strict({
  kind: z.literal("wall"),
  point,
  normal: triple({
    unit: "1",
    meaning: "direction from it to the free side, north east down, any length (zero: no boundary)",
  }),
  size: size.optional(),
}).transform(({ point, normal, size }): Boundary => ({ name: "wall", point, normal, size }));

export const boundariesSchema = z
  .array(z.discriminatedUnion("kind", [level("ground", [0, 0, -1]), level("ceiling", [0, 0, 1]), wall]))
  .meta({ description: "ground (at down 0 unless said otherwise), ceilings and walls; [] for none" });

export const FLAT_GROUND: readonly Boundary[] = [{ name: "ground", point: [0, 0, 0], normal: [0, 0, -1] }];
