/** Times laps, counts the cones that are hit and reports when the vehicle leaves the track. */
import { Progress } from "../environment/track/progress.ts";
import type { Gate, Track } from "../environment/track/track.ts";
import { cos, sin } from "../math/elementary.ts";
import type { Field } from "../model/field.ts";
import { indexOf } from "../model/model.ts";
import type { Monitor } from "../model/monitor.ts";
import { type Footprint, noseOf } from "../vehicles/vehicle-type.ts";
import type { RunEvent } from "./events.ts";

const FIELDS: readonly Field[] = [
  { name: "distance", unit: "m", meaning: "along the centre line, from its first point" },
  { name: "offset", unit: "m", meaning: "to the left of the centre line" },
  { name: "lap", unit: "1", meaning: "laps finished" },
  { name: "lap_time", unit: "s", meaning: "since the start of this lap; 0 before the first" },
  { name: "last_lap", unit: "s", meaning: "time of the last lap; 0 before there is one" },
  { name: "best_lap", unit: "s", meaning: "time of the best lap; 0 before there is one" },
  { name: "cones_hit", unit: "1", meaning: "cones knocked over so far" },
  {
    name: "off_track",
    unit: "1",
    meaning: "1 with all four wheels outside",
    alarm: "the vehicle leaves the track",
  },
];
/** Half the base of a Formula Student cone [m]. */
const CONE = 0.114;

/** Places of the memory. */
const SEEN = 0; // whether there is a last place
const NOSE_X = 1;
const NOSE_Y = 2;
const TIME = 3;
const BEGUN = 4; // start of the lap; -1 before the first
const LAPS = 5;
const LAST = 6;
const BEST = 7;
const HITS = 8;
const OFF = 9;
const S = 10; // place along the line
const WAY = 11; // way along the line since the last crossing

/** A shorter distance between two crossings of the line does not count as a lap [m]. */
const LEAST_LAP = 10;

/** Part of the way from a to b at which it crosses the gate forwards; -1 where it does not. */
function crossing(gate: Gate, ax: number, ay: number, bx: number, by: number): number {
  const [lx, ly] = gate.left;
  const [rx, ry] = gate.right;
  const [gx, gy] = [rx - lx, ry - ly];
  const [mx, my] = [bx - ax, by - ay];
  // From left to right the gate points to the right of the driving direction.
  const det = gx * my - gy * mx;
  if (!(det > 0)) return -1;
  const part = ((lx - ax) * gy - (ly - ay) * gx) / -det;
  const across = ((lx - ax) * my - (ly - ay) * mx) / -det;
  return part >= 0 && part < 1 && across >= 0 && across <= 1 ? part : -1;
}

/** `laps` ends the run. */
export function lapTimer(
  track: Track,
  footprint: Footprint,
  states: readonly Field[],
  laps: number | undefined,
): Monitor {
  const [X, Y, PHI] = ["X", "Y", "phi"].map((name) => indexOf(states, name));
  const progress = new Progress(track.line);
  const memory = new Float64Array(12);
  memory[BEGUN] = -1;
  const down = new Float64Array(track.cones.length);
  const { middle, length, width, wheels } = footprint;
  const nose = noseOf(footprint);

  function time(t: number, x: number, y: number, report: (name: string, t: number) => void): boolean {
    const isSeen = memory[SEEN] === 1;
    const [ax, ay, before] = [memory[NOSE_X], memory[NOSE_Y], memory[TIME]];
    memory.set([1, x, y, t]);
    if (!isSeen) return false;
    const hasBegun = memory[BEGUN] >= 0;
    const gate = hasBegun && track.finish ? track.finish : track.start;
    const part = crossing(gate, ax, ay, x, y);
    if (part < 0 || (hasBegun && memory[WAY] < LEAST_LAP)) return false;
    memory[WAY] = 0;
    const at = before + part * (t - before);
    if (hasBegun) {
      memory[LAST] = at - memory[BEGUN];
      memory[BEST] = memory[BEST] === 0 ? memory[LAST] : Math.min(memory[BEST], memory[LAST]);
      memory[LAPS]++;
      report("lap", at);
    } else report("start", at);
    memory[BEGUN] = at;
    return hasBegun && memory[LAPS] === laps;
  }

  function knock(x: number, y: number, c: number, s: number, report: () => void): void {
    track.cones.forEach((cone, i) => {
      if (down[i] === 1) return;
      const along = (cone.X - x) * c + (cone.Y - y) * s;
      const across = (cone.Y - y) * c - (cone.X - x) * s;
      if (Math.abs(along - middle) > length / 2 + CONE || Math.abs(across) > width / 2 + CONE) return;
      down[i] = 1;
      memory[HITS]++;
      report();
    });
  }

  function isOff(x: number, y: number, c: number, s: number): boolean {
    const { w } = track.line;
    let [left, right] = [true, true];
    for (const [along, across] of wheels) {
      const d = progress.offsetOf(x + along * c - across * s, y + along * s + across * c);
      left &&= d > w[progress.index];
      right &&= d < -w[progress.index];
    }
    return left || right;
  }

  return {
    fields: FIELDS,
    events: ["start", "lap", "finish", "cone", "off_track"],
    memory: [memory, down, progress.memory],
    observe(t, state, out, report) {
      const [x, y, c, s] = [state[X], state[Y], cos(state[PHI]), sin(state[PHI])];
      progress.look(x, y);
      const { length, isClosed } = track.line;
      const moved = memory[SEEN] === 1 ? progress.s - memory[S] : 0;
      memory[WAY] += isClosed ? moved - length * Math.round(moved / length) : moved;
      memory[S] = progress.s;
      const isOver = time(t, x + nose * c, y + nose * s, report);
      if (isOver) report("finish", memory[BEGUN]);
      knock(x, y, c, s, () => report("cone", t));
      const off = isOff(x, y, c, s) ? 1 : 0;
      if (off > memory[OFF]) report("off_track", t);
      memory[OFF] = off;
      out[0] = progress.s;
      out[1] = progress.offset;
      out[2] = memory[LAPS];
      out[3] = memory[BEGUN] < 0 ? 0 : t - memory[BEGUN];
      out[4] = memory[LAST];
      out[5] = memory[BEST];
      out[6] = memory[HITS];
      out[7] = off;
      return isOver;
    },
    reset() {
      memory[SEEN] = 0;
      memory[BEGUN] = -1;
      memory[LAPS] = 0;
      memory[LAST] = 0;
      memory[WAY] = 0;
      memory[OFF] = 0;
      down.fill(0);
      progress.forget();
    },
  };
}

/** Times of the laps in a run's events. */
export function lapTimes(events: readonly RunEvent[]): number[] {
  const times: number[] = [];
  let begun: number | undefined;
  for (const { name, t } of events) {
    if (name === "reset") begun = undefined;
    if (name === "lap" && begun !== undefined) times.push(t - begun);
    if (name === "lap" || name === "start") begun = t;
  }
  return times;
}
