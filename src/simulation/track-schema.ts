/** The `track` and `laps` blocks of a scenario. */
import * as z from "zod";
import { TRACKS } from "../environment/track/events.ts";
import { refuseLine, trackOf } from "../environment/track/from-files.ts";
import type { Cone, Track } from "../environment/track/track.ts";
import { readCenterLine, readCones } from "../formats/track-csv.ts";
import type { Document, Open } from "../model/document.ts";
import { closest, InputError } from "../model/input-error.ts";
import { quantity, strict } from "../model/schema.ts";
import type { Footprint } from "../vehicles/vehicle-type.ts";

export const trackSchema = z
  .union([
    z.string(),
    strict({
      center_line: z.string().meta({ description: "path of a CSV file with the columns s,X,Y,w" }),
      cones: z.string().optional().meta({ description: "path of a CSV file with the columns color,X,Y" }),
      closed: z.boolean().optional().meta({ description: "true unless said otherwise" }),
    }),
  ])
  .meta({ description: `${Object.keys(TRACKS).join(", ")}, or files` });

const LAPS = { unit: "1", meaning: "the run ends after so many laps (a whole number)", min: 1, max: 1e6 };
export const lapsSchema = quantity(LAPS).refine(Number.isInteger, {
  error: "is not a whole number",
  params: { allowed: "a whole number, 1 to 1000000" },
});

export function readTrack(
  block: z.infer<typeof trackSchema>,
  source: Document,
  size: Footprint,
  open: Open | undefined,
): Track {
  const complain = (problem: string, allowed: string | undefined, key?: string) =>
    new InputError(problem, {
      file: source.file,
      ...source.locate(key === undefined ? ["track"] : ["track", key]),
      field: key === undefined ? "track" : `track.${key}`,
      allowed,
    });
  const fit = <T>(make: () => T, key?: string): T => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw complain(error.problem, error.details.allowed, key);
    }
  };
  if (typeof block === "string") {
    const names = Object.keys(TRACKS);
    if (Object.hasOwn(TRACKS, block)) {
      const track = TRACKS[block]();
      fit(() => refuseLine(track.line, size));
      return track;
    }
    const near = closest(block, names);
    throw complain(
      `there is no track "${block}"${near ? `; did you mean "${near}"?` : ""}`,
      `${names.join(", ")}, or { center_line: a.csv, cones: b.csv }`,
    );
  }
  const opened = (key: "center_line" | "cones", path: string) => {
    if (open === undefined)
      throw complain(`${path} cannot be opened here`, "a scenario run from the command line", key);
    return open(path);
  };
  const drawn = opened("center_line", block.center_line);
  const line = readCenterLine(drawn.text, drawn.file, block.closed ?? true);
  let cones: Cone[] = [];
  if (block.cones !== undefined) {
    const { text, file } = opened("cones", block.cones);
    cones = readCones(text, file);
  }
  return fit(
    () => trackOf(drawn.file, line, cones, size),
    block.cones === undefined ? "center_line" : "cones",
  );
}
