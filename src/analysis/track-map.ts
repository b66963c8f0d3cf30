/** A track as something to draw a run upon. */
import type { ConeColor, Track } from "../environment/track/track.ts";
import type { Series } from "../formats/svg-chart.ts";

const CONES: Readonly<Record<ConeColor, string>> = { blue: "#2c6fbb", yellow: "#d9a800", orange: "#e8590c" };

export function trackMap({ line, cones }: Track): Series[] {
  const closed = (v: Float64Array) => (line.isClosed ? [...v, v[0]] : [...v]);
  const middle: Series = { name: "centre line", x: closed(line.X), y: closed(line.Y), colour: "#999" };
  const standing = (Object.keys(CONES) as ConeColor[]).flatMap((color): Series[] => {
    const these = cones.filter((c) => c.color === color);
    if (these.length === 0) return [];
    return [{ name: color, x: these.map((c) => c.X), y: these.map((c) => c.Y), dots: CONES[color] }];
  });
  return [middle, ...standing];
}
