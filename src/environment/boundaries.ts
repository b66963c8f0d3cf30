/**
 * Ground, ceilings and walls: planes (solid behind) and rectangles (thin, solid on both sides). A model sees the few that are
 * nearest to its vehicle, in slots behind the fields of its environment; a slot whose normal is zero is empty and so are those
 * after it.
 */
type Triple = readonly [number, number, number];

/** A plane or rectangle that acts on vehicles: ground, ceiling, wall. Point and normal in NED [m]. */
export interface Boundary {
  readonly name: string;
  readonly point: Triple;
  /** Points to the free side; any length, zero is no boundary. */
  readonly normal: Triple;
  /** Width and height around the point; without it the plane has no end. */
  readonly size?: readonly [number, number];
}

/** Numbers of a slot: point, unit normal, unit vector along the width, half width, half height. */
export const SLOT = 11;
/** How many a model sees at once: more than the corner of a room has. */
export const SLOTS = 8;

/** A boundary as a slot. A rectangle's width is horizontal; on a horizontal rectangle it points north. */
export function slotOf({ point, normal, size }: Boundary): Float64Array {
  const [x, y, z] = normal;
  const length = Math.sqrt(x * x + y * y + z * z);
  const horizontal = Math.sqrt(x * x + y * y) / length;
  const along = horizontal < 1e-6 ? [1, 0, 0] : [-y / (horizontal * length), x / (horizontal * length), 0];
  const [width, height] = size ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  return new Float64Array([
    ...point,
    x / length,
    y / length,
    z / length,
    ...along,
    0.5 * width,
    0.5 * height,
  ]);
}

/** A slot without normal is empty, and so are those after it. */
export function isEmpty(e: Float64Array, slot: number): boolean {
  return e[slot + 3] === 0 && e[slot + 4] === 0 && e[slot + 5] === 0;
}

/** Distance from the plane along the normal. */
export function clearance(e: Float64Array, slot: number, n: number, east: number, d: number): number {
  return (n - e[slot]) * e[slot + 3] + (east - e[slot + 1]) * e[slot + 4] + (d - e[slot + 2]) * e[slot + 5];
}

/** Whether the foot of the perpendicular lies inside the rectangle. */
export function isOver(e: Float64Array, slot: number, n: number, east: number, d: number): boolean {
  const halfWidth = e[slot + 9];
  if (halfWidth === Number.POSITIVE_INFINITY) return true;
  const x = n - e[slot];
  const y = east - e[slot + 1];
  const z = d - e[slot + 2];
  const nx = e[slot + 3];
  const ny = e[slot + 4];
  const nz = e[slot + 5];
  const ax = e[slot + 6];
  const ay = e[slot + 7];
  const az = e[slot + 8];
  const width = x * ax + y * ay + z * az;
  const height = x * (ny * az - nz * ay) + y * (nz * ax - nx * az) + z * (nx * ay - ny * ax);
  return Math.abs(width) <= halfWidth && Math.abs(height) <= e[slot + 10];
}

/** How far a position is from the boundary itself: past a rectangle's edge the edge counts; behind a plane it is negative. */
function remoteness(slot: Float64Array, n: number, east: number, d: number): number {
  const away = clearance(slot, 0, n, east, d);
  if (slot[9] === Number.POSITIVE_INFINITY) return away;
  if (isOver(slot, 0, n, east, d)) return Math.abs(away);
  const x = n - slot[0];
  const y = east - slot[1];
  const z = d - slot[2];
  const width = x * slot[6] + y * slot[7] + z * slot[8];
  const inPlane = Math.sqrt(Math.max(0, x * x + y * y + z * z - away * away));
  const height = Math.sqrt(Math.max(0, inPlane * inPlane - width * width));
  const past = Math.max(0, Math.abs(width) - slot[9]);
  const above = Math.max(0, height - slot[10]);
  return Math.sqrt(away * away + past * past + above * above);
}

export interface Boundaries {
  /** On which side of each thin boundary the vehicle is: 1, -1, or 0 before the first call. */
  readonly memory: Float64Array;
  /** Writes the boundaries nearest to the position into the slots of e from `first` on. */
  surround(north: number, east: number, down: number, e: Float64Array, first: number): void;
}

/** Boundaries as numbers in slots of the environment vector, the nearest first. */
export function createBoundaries(list: readonly Boundary[], slots: number): Boundaries {
  const all = list.filter((b) => b.normal.some((c) => c !== 0)).map(slotOf);
  const isThin = all.map((slot) => slot[9] < Number.POSITIVE_INFINITY);
  const far = new Float64Array(all.length);
  const sides = new Float64Array(all.length);
  const used = Math.min(slots, all.length);
  return {
    memory: sides,
    surround(north, east, down, e, first) {
      for (let i = 0; i < all.length; i++) {
        far[i] = remoteness(all[i], north, east, down);
        // A thin boundary faces the vehicle, and can be passed only around its edges.
        if (isThin[i] && (sides[i] === 0 || !isOver(all[i], 0, north, east, down)))
          sides[i] = clearance(all[i], 0, north, east, down) < 0 ? -1 : 1;
      }
      for (let k = 0; k < used; k++) {
        let nearest = 0;
        for (let i = 1; i < all.length; i++) if (far[i] < far[nearest]) nearest = i;
        const slot = all[nearest];
        far[nearest] = Number.POSITIVE_INFINITY;
        const at = first + SLOT * k;
        e.set(slot, at);
        if (sides[nearest] < 0) for (let i = 3; i < 6; i++) e[at + i] = -slot[i];
      }
      if (used < slots) e.fill(0, first + SLOT * used, first + SLOT * slots);
    },
  };
}
