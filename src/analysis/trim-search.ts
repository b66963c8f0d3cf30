/** Trim of an incomplete condition: defaults complete it, and several sets of controls and starting points are tried. */
import { stillAir } from "../environment/environment.ts";
import { type Control, indexOf } from "../model/model.ts";
import { DOWN, Q_W, V_NORTH } from "../vehicles/rigid-body.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { usualSpeed } from "../vehicles/vehicle.ts";
import { stallMargin } from "./flight-numbers.ts";
import { isRigidBody } from "./motion.ts";
import { BRANCHES, type Branch, type Condition, type Start, type Trimmed, trim } from "./trim.ts";

/** A trimmed state with its controls, margins and residual rates; or, where there is none, the nearest that was found. */
export interface TrimResult extends Trimmed {
  /** The completed condition, and the inputs that were held. */
  readonly condition: Condition;
  readonly held: Inputs;
  /** What was decided for the user. */
  readonly notes: readonly string[];
}

export type Inputs = Readonly<Record<string, number>>;

/** How hard to look: the usual way from one start, or all ways and step by step. */
export type Effort = "quick" | "thorough";

/** `start`: unknowns of a neighbour, for continuation. */
export function findTrim(
  vehicle: Vehicle,
  asked: Condition,
  held: Inputs = {},
  start?: Start,
  effort: Effort = "thorough",
): TrimResult {
  const condition = completed(vehicle, asked, held);
  let best: TrimResult | undefined;
  for (const way of waysOf(vehicle, condition, held)) {
    const found = alongWay(vehicle, way, start, effort);
    if (best === undefined || found.isTrimmed) best = { ...found, ...way };
    if (found.isTrimmed) break;
  }
  return best as TrimResult;
}

/** What hovers is led from hover to the speed that is asked, as its pilot would; all else begins where forces balance roughly. */
function alongWay(
  vehicle: Vehicle,
  { condition, held }: Way,
  start: Start | undefined,
  effort: Effort,
): Trimmed {
  if (condition.branch === "stalled") return beyondStall(vehicle, condition, held);
  if (start === undefined && hovers(controlsOf(vehicle).filter(isFreeIn(held)))) {
    const led = fromHover(vehicle, condition, held);
    if (led?.isTrimmed) return led;
  }
  if (effort === "thorough") return attempt(vehicle, condition, held, start);
  return trim(vehicle, condition, held, start, start ? "near" : "far");
}

export const controlsOf = ({ model, parameters }: Vehicle): readonly Control[] =>
  model.controls?.(parameters) ?? [];
const isFreeIn = (held: Inputs) => (c: Control) => !c.inputs.some((name) => name in held);
const hovers = (free: readonly Control[]) =>
  free.some((c) => c.isForHover) || (free.length > 0 && free.every((c) => c.isPropulsion));

/** Default conditions: level and straight, at the usual speed. A glider without conditions flies with its controls at rest. */
function completed(vehicle: Vehicle, asked: Condition, held: Inputs): Condition {
  const free = controlsOf(vehicle).filter(isFreeIn(held));
  const hasThrust = free.some((c) => c.isPropulsion);
  if (!isRigidBody(vehicle.model)) {
    // Two of the three say it all.
    if (asked.turn !== undefined && asked.lateral !== undefined) return asked;
    const straight = asked.turn === undefined && asked.lateral === undefined ? { lateral: 0 } : {};
    return { speed: usualSpeed(vehicle) || 10, ...straight, ...asked };
  }
  if (free.length === 0 || (Object.keys(asked).length === 0 && !hasThrust)) return asked;
  const straight = asked.bank === undefined ? { turn: 0 } : {};
  if (!hasThrust) return { ...straight, ...asked };
  return { speed: hovers(free) ? 0 : usualSpeed(vehicle) || 15, climb: 0, ...straight, ...asked };
}

interface Way {
  readonly condition: Condition;
  readonly held: Inputs;
  readonly notes: readonly string[];
}

/** Inputs that stay at rest while the others fly, and whether wings alone carry the weight. */
interface ControlSet {
  readonly held: Inputs;
  readonly notes: readonly string[];
  readonly isWingborne: boolean;
}

/** The ways to fulfil a condition, the most usual one first. */
function waysOf(vehicle: Vehicle, condition: Condition, held: Inputs): Way[] {
  const { model, parameters } = vehicle;
  const controls = controlsOf(vehicle);
  const rest = (list: readonly Control[]): Inputs => ({
    ...Object.fromEntries(list.flatMap((c) => c.inputs.map((name) => [name, c.neutral]))),
    ...held,
  });
  if (isRigidBody(model) && Object.keys(condition).length === 0)
    return [{ condition, held: rest(controls), notes: [] }];
  const lifters = controls.filter((c) => c.isForHover);
  const others = controls.filter((c) => !c.isForHover);
  const hovering: ControlSet = {
    held: rest(others),
    notes: others.length > 0 ? [`at rest while hovering: ${names(others)}`] : [],
    isWingborne: false,
  };
  const sets: ControlSet[] =
    lifters.length === 0
      ? [{ held, notes: [], isWingborne: true }]
      : condition.speed === 0
        ? [hovering]
        : [
            {
              held: rest(lifters),
              notes: [`at rest in forward flight: ${names(lifters)}`],
              isWingborne: true,
            },
            // Slower than its wings carry it, it tilts into the flight like a multirotor.
            hovering,
          ];
  if (lifters.length > 0)
    sets.push({
      held,
      notes: ["all controls at once: wings and hovering rotors share the weight"],
      isWingborne: false,
    });
  const kind = model.coordination?.(parameters);
  const isOpen =
    kind !== undefined &&
    condition.speed !== 0 &&
    (condition.bank === undefined || condition.turn === undefined) &&
    condition.sideslip === undefined;
  return sets.flatMap(({ isWingborne, ...set }): Way[] => {
    if (!isOpen) return [{ condition, ...set }];
    if (kind === "sideslip" || !isWingborne) return [{ condition: { ...condition, sideslip: 0 }, ...set }];
    if (turnsAllWays(vehicle, set.held))
      return [{ condition: { ...condition, isCoordinated: true }, ...set }];
    return [
      {
        condition,
        ...set,
        notes: [...set.notes, "not coordinated: no control yaws it independently of roll and pitch"],
      },
    ];
  });
}

/** Whether its surfaces can roll, pitch and yaw it each by itself. */
function turnsAllWays(vehicle: Vehicle, held: Inputs): boolean {
  const { model, parameters } = vehicle;
  const u = Float64Array.from(model.inputs, (f) => held[f.name] ?? f.default ?? 0);
  const x = new Float64Array(model.states.length);
  const e = stillAir(model);
  const follower = (input: string) => model.states.findIndex((f) => f.follows === input);
  const turning = () => {
    const dx = new Float64Array(x.length);
    model.derivative(x, u, parameters, e, dx);
    return dx.slice(10, 13);
  };
  [x[DOWN], x[V_NORTH], x[Q_W]] = [-10_000, 15, 1];
  const free = controlsOf(vehicle).filter((c) => !c.isPropulsion && isFreeIn(held)(c));
  const effects = free.map((c) => {
    const at = (value: number) => {
      for (const name of c.inputs) {
        u[indexOf(model.inputs, name)] = value;
        x[follower(name)] = value;
      }
      return turning();
    };
    const [low, high] = [at(c.neutral - 0.01), at(c.neutral + 0.01)];
    at(c.neutral);
    return high.map((v, i) => v - low[i]);
  });
  // The volume that three of them span, over that of a cube of their size.
  const size = Math.max(...effects.flatMap((a) => [...a].map(Math.abs)), 1e-300);
  const volume = (a: Float64Array, b: Float64Array, c: Float64Array) =>
    a[0] * (b[1] * c[2] - b[2] * c[1]) +
    a[1] * (b[2] * c[0] - b[0] * c[2]) +
    a[2] * (b[0] * c[1] - b[1] * c[0]);
  return effects.some((a, i) =>
    effects.some((b, j) =>
      effects.some((c, k) => i < j && j < k && Math.abs(volume(a, b, c)) > 1e-3 * size * size * size),
    ),
  );
}

const names = (controls: readonly Control[]) => controls.map((c) => c.name).join(", ");

/** Airspeed that a step from hover adds at first [m/s], the least part of the way that a step may be, and how far attitude may change in one [rad]. */
const HOVER_STEP = 3;
const LEAST_STEP = 1 / 256;
const MOST_TURNED = 0.35;

/** From hover by steps in speed, climb, turn, bank and sideslip together: the flight that is connected with hovering. */
function fromHover(vehicle: Vehicle, condition: Condition, held: Inputs): Trimmed | undefined {
  const { speed = 0 } = condition;
  if (!(speed > 0)) return undefined;
  let last = trim(vehicle, { speed: 0, climb: 0, turn: 0 }, held);
  if (!last.isTrimmed) return undefined;
  let before: Trimmed | undefined;
  let done = 0;
  let width = 1;
  for (let step = Math.min(1, HOVER_STEP / speed); done < 1; ) {
    const to = Math.min(1, done + step);
    const start = before ? ahead(before.unknowns, last.unknowns, (to - done) / width) : last.unknowns;
    const next = trim(vehicle, { ...part(condition, to), speed: to * speed }, held, start, "near");
    if (next.isTrimmed && turned(last, next) < MOST_TURNED) {
      [before, last, width, done] = [last, next, to - done, to];
      step *= 1.5;
    } else {
      step = (to - done) / 2;
      if (step < LEAST_STEP) return undefined;
    }
  }
  return last;
}

/** How far two flights lie apart in attitude [rad]. */
export const turned = (a: Trimmed, b: Trimmed): number =>
  Math.max(...["roll", "pitch"].map((angle) => Math.abs((b.motion[angle] ?? 0) - (a.motion[angle] ?? 0))));

/** Unknowns straight on from two solutions, so many times as far as these lie apart. */
function ahead(before: Start, last: Start, times: number): Start {
  return Object.fromEntries(Object.entries(last).map(([name, v]) => [name, v + times * (v - before[name])]));
}

/** Angles of attack to look from, beyond those of flight as usual [rad]. */
const STEEPER = [0.25, 0.4, 0.6, 0.9, 1.2];

/** Flight beyond the stall, where there is one. */
function beyondStall(vehicle: Vehicle, condition: Condition, held: Inputs): Trimmed {
  const { branch: _, ...usual } = condition;
  const attached = trim(vehicle, usual, held);
  for (const more of STEEPER) {
    const pitch = (attached.isTrimmed ? attached.motion.pitch : 0) + more;
    const found = trim(vehicle, usual, held, { ...attached.unknowns, pitch }, "near");
    if (found.isTrimmed && stallMargin(vehicle, found) < 0) return found;
  }
  return { ...attached, isTrimmed: false };
}

/** Other steady flights under the same conditions, each found by the branch that names it. */
export function otherBranches(vehicle: Vehicle, found: TrimResult): { branch: Branch; found: TrimResult }[] {
  const { condition, held } = found;
  const { speed = 0, branch: own = "nose-first", isCoordinated: _, ...asked } = condition;
  if (!found.isTrimmed || !isRigidBody(vehicle.model) || !(speed > 0)) return [];
  return BRANCHES.flatMap((branch) => {
    if (branch === own || (branch === "stalled" && vehicle.model.stallMargin === undefined)) return [];
    const other = findTrim(vehicle, { ...asked, speed, branch }, held, undefined, "quick");
    const isOther = other.isTrimmed && turned(found, other) > SAME;
    return isOther ? [{ branch, found: other }] : [];
  });
}
/** Flights whose attitudes are nearer than this are one [rad]. */
const SAME = 1e-3;

/** From the usual start; if that fails, step by step from straight flight. */
function attempt(vehicle: Vehicle, condition: Condition, held: Inputs, start: Start | undefined): Trimmed {
  const direct = trim(vehicle, condition, held, start);
  if (direct.isTrimmed) return direct;
  // Surfaces may have a kink where no flow comes from the side: a little beside it.
  for (const aside of [0.02, -0.02]) {
    const v_right = aside * (condition.speed ?? 0);
    const beside = trim(vehicle, condition, held, { ...direct.unknowns, v_right }, "near");
    if (beside.isTrimmed) return beside;
  }
  const led = fromOtherSpeed(vehicle, condition, held);
  if (led !== undefined) return led;
  const { turn = 0, lateral = 0, climb = 0, bank = 0, sideslip = 0 } = condition;
  if (start === undefined && turn === 0 && lateral === 0 && climb === 0 && bank === 0 && sideslip === 0)
    return direct;
  let done = 0;
  let last: Trimmed | undefined;
  for (let step = 0.25; step > 0.02; ) {
    const to = last === undefined ? 0 : Math.min(1, done + step);
    const next = trim(vehicle, part(condition, to), held, last?.unknowns, last ? "near" : "far");
    if (next.isTrimmed) {
      if (to === 1) return next;
      [last, done] = [next, to];
    } else if (last === undefined) break;
    else step /= 2;
  }
  return direct;
}

/** Parts of the speed to look at, the nearest first, and the least part of the way between that a step may be. */
const OTHER_SPEEDS = [1.02, 0.98, 1.06, 0.94, 1.15, 0.87, 1.3, 0.77];
const LEAST_PART = 1 / 64;

/** A search may end beside a flight that is there: from one at another speed it is led to by steps. */
function fromOtherSpeed(vehicle: Vehicle, condition: Condition, held: Inputs): Trimmed | undefined {
  const { speed = 0 } = condition;
  if (!(speed > 0)) return undefined;
  for (const factor of OTHER_SPEEDS) {
    let last = trim(vehicle, { ...condition, speed: factor * speed }, held);
    if (!last.isTrimmed) continue;
    let done = 0;
    for (let step = 1; step >= LEAST_PART; ) {
      const to = Math.min(1, done + step);
      const at = (factor + to * (1 - factor)) * speed;
      const next = trim(vehicle, { ...condition, speed: at }, held, last.unknowns, "near");
      if (!next.isTrimmed || turned(last, next) > MOST_TURNED) step /= 2;
      else if (to === 1) return next;
      else [last, done] = [next, to];
    }
  }
  return undefined;
}

const SCALED = ["turn", "lateral", "climb", "bank", "sideslip"] as const;

/** A condition with so much of what bends the path. */
function part(condition: Condition, share: number): Condition {
  const scaled = SCALED.flatMap((key) => {
    const value = condition[key];
    return value === undefined ? [] : [[key, share * value]];
  });
  return { ...condition, ...Object.fromEntries(scaled) };
}
