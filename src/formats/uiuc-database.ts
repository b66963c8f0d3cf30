/** Propellers made of many UIUC files: which one is nearest to a size, and its table from static to the highest advance ratio. */
import type { UiucFile } from "./uiuc.ts";

/** A propeller of the UIUC database with its static and wind-tunnel measurements. */
export interface MeasuredPropeller {
  readonly name: string;
  readonly diameter: number;
  readonly pitch: number;
  readonly blades: number;
  readonly files: readonly UiucFile[];
}

/** Files of one propeller together; those whose name tells no size, or that hold no measurements, are left out. */
export function propellersOf(files: readonly UiucFile[]): MeasuredPropeller[] {
  const groups = new Map<string, UiucFile[]>();
  for (const f of files) groups.set(f.propeller, [...(groups.get(f.propeller) ?? []), f]);
  return [...groups].flatMap(([name, group]) => {
    const { diameter, pitch, blades } = group[0];
    const measured = group.some((f) => f.kind !== "geometry");
    return diameter === undefined || pitch === undefined || !measured
      ? []
      : [{ name, diameter, pitch, blades, files: group }];
  });
}

/** Nearest first: relative difference of diameter and pitch; among equals the one with more files. */
export function nearest(
  all: readonly MeasuredPropeller[],
  diameter: number,
  pitch: number,
  blades: number,
): MeasuredPropeller[] {
  const far = (p: MeasuredPropeller) =>
    Math.abs(p.diameter - diameter) / diameter +
    Math.abs(p.pitch - pitch) / diameter +
    (p.blades === blades ? 0 : 1);
  return [...all].sort((a, b) => far(a) - far(b) || b.files.length - a.files.length);
}

export interface PropellerTable {
  readonly J: readonly number[];
  readonly CT: readonly number[];
  readonly CP: readonly number[];
  /** Speed of the measurement. */
  readonly rpm?: number;
  /** Whether J = 0 was measured, or is the first row carried back. */
  readonly hasStatic: boolean;
  readonly files: readonly string[];
}

/** Runs within this of each other belong to one curve, measured in two parts. */
const SAME_SPEED = 0.03;

/**
 * The curve at the speed nearest to the wanted one (the fastest unless told), with the static point of that speed at J = 0.
 */
export function tableOf({ files }: MeasuredPropeller, rpm?: number): PropellerTable | undefined {
  const advance = files.filter((f) => f.kind === "advance");
  const statics = files.filter((f) => f.kind === "static");
  const speeds = advance.flatMap((f) => (f.rpm === undefined ? [] : [f.rpm]));
  const wanted = rpm ?? Math.max(...speeds, 0);
  const speed = speeds.reduce(
    (a, b) => (Math.abs(b - wanted) < Math.abs(a - wanted) ? b : a),
    speeds[0] ?? wanted,
  );
  const runs = advance.filter((f) => f.rpm === undefined || Math.abs(f.rpm - speed) <= SAME_SPEED * speed);
  const still = statics.flatMap((f) => f.rows);
  const atRest =
    still.length === 0 ? undefined : staticAt(still, speed > 0 ? speed : Number.POSITIVE_INFINITY);
  const rows = runs.flatMap((f) => f.rows).sort((a, b) => a.J - b.J);
  const merged = [...(atRest ? [{ J: 0, ...atRest }] : [])];
  for (const { J, CT, CP } of rows)
    if (J > (merged[merged.length - 1]?.J ?? -1) + 1e-3) merged.push({ J, CT, CP });
  if (merged.length === 0) return undefined;
  // Without a static measurement the lowest advance ratio stands for rest.
  if (!atRest) merged.unshift({ ...merged[0], J: 0 });
  return {
    J: merged.map((r) => r.J),
    CT: merged.map((r) => r.CT),
    CP: merged.map((r) => r.CP),
    rpm: speeds.length > 0 ? speed : undefined,
    hasStatic: atRest !== undefined,
    files: [...runs, ...statics].map((f) => f.file),
  };
}

/** Linear between the speeds measured, the ends hold. */
function staticAt(
  rows: readonly { rpm: number; CT: number; CP: number }[],
  rpm: number,
): { CT: number; CP: number } {
  const sorted = [...rows].sort((a, b) => a.rpm - b.rpm);
  const after = sorted.findIndex((r) => r.rpm >= rpm);
  if (after <= 0) return after < 0 ? sorted[sorted.length - 1] : sorted[0];
  const a = sorted[after - 1];
  const b = sorted[after];
  const s = (rpm - a.rpm) / (b.rpm - a.rpm);
  return { CT: a.CT + s * (b.CT - a.CT), CP: a.CP + s * (b.CP - a.CP) };
}
