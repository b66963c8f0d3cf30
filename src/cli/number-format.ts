export const DEGREE = Math.PI / 180;

export const degrees = (rad: number) => (rad / DEGREE).toFixed(2).replace(/^-(0\.0+)$/, "$1");

/** Numbers for people, five digits; angles in degrees. */
export function readable(v: number, unit: string): string {
  if (!Number.isFinite(v)) return "-";
  const isAngle = unit === "rad" || unit.startsWith("rad/");
  return plain(isAngle ? v / DEGREE : v, isAngle ? unit.replace("rad", "deg") : unit);
}

/** The same in the unit itself: a motor's speed in rad/s. */
export function plain(v: number, unit: string): string {
  if (!Number.isFinite(v)) return "-";
  const shown = Math.abs(v) < 5e-10 ? "0" : String(Number(v.toPrecision(5)));
  return unit === "1" || unit === "" ? shown : `${shown} ${unit}`;
}
