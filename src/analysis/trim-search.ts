/** Trim as a person asks for it: what is not said is completed, several ways are tried, and a failure is diagnosed. */
import { stillAir } from "../environment/environment.ts";
import { type Control, indexOf, type Vehicle } from "../model/model.ts";
import { isRigidBody } from "./motion.ts";
import { type Condition, type Start, type Trimmed, trim, usualSpeed } from "./trim.ts";

/** A condition that does trim, and what was changed for it. */
export interface Neighbour {
  readonly changed: keyof Condition;
  readonly asked: number;
  readonly value: number;
}

export interface TrimResult extends Trimmed {
  /** As it was completed, and inputs that were held. */
  readonly condition: Condition;
  readonly held: Inputs;
  /** What was decided for the user. */
  readonly notes: readonly string[];
  /** Where it does not trim: the nearest conditions that do, one for each thing that may be changed. */
  readonly nearest: readonly Neighbour[];
}

type Inputs = Readonly<Record<string, number>>;

/** How hard to look: whether any trims at all, the usual way from one start, or all ways and, if they fail, around them. */
export type Effort = "any" | "quick" | "thorough";

/** `start`: unknowns of a neighbour, for continuation. */
export function findTrim(
  vehicle: Vehicle,
  asked: Condition,
  held: Inputs = {},
  start?: Start,
  effort: Effort = "thorough",
): TrimResult {
  const condition = completed(vehicle, asked, held);
  let best: (Trimmed & Way) | undefined;
  for (const way of waysOf(vehicle, condition, held)) {
    const found =
      effort === "thorough"
        ? attempt(vehicle, way.condition, way.held, start)
        : trim(vehicle, way.condition, way.held, start, effort === "any" ? "any" : start ? "near" : "far");
    if (best === undefined || found.isTrimmed) best = { ...found, ...way };
    if (found.isTrimmed) break;
  }
  const found = best as Trimmed & Way;
  const isLost = !found.isTrimmed && effort === "thorough";
  return { ...found, nearest: isLost ? neighbours(vehicle, condition, held) : [] };
}

const controlsOf = ({ model, parameters }: Vehicle): readonly Control[] => model.controls?.(parameters) ?? [];
const isFreeIn = (held: Inputs) => (c: Control) => !c.inputs.some((name) => name in held);
const hovers = (free: readonly Control[]) =>
  free.some((c) => c.isForHover) || (free.length > 0 && free.every((c) => c.isPropulsion));

/** What a person leaves out: level and straight, at the usual speed. A glider with nothing asked of it flies hands off. */
function completed(vehicle: Vehicle, asked: Condition, held: Inputs): Condition {
  const free = controlsOf(vehicle).filter(isFreeIn(held));
  const hasThrust = free.some((c) => c.isPropulsion);
  if (!isRigidBody(vehicle.model)) {
    // Two of the three say it all.
    if (asked.turn !== undefined && asked.lateral !== undefined) return asked;
    const straight = asked.turn === undefined && asked.lateral === undefined ? { lateral: 0 } : {};
    return { speed: 10, ...straight, ...asked };
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
  const sets: { held: Inputs; notes: string[] }[] =
    lifters.length === 0
      ? [{ held, notes: [] }]
      : condition.speed === 0
        ? [
            {
              held: rest(others),
              notes: others.length > 0 ? [`at rest while hovering: ${names(others)}`] : [],
            },
          ]
        : [{ held: rest(lifters), notes: [`at rest in forward flight: ${names(lifters)}`] }];
  if (lifters.length > 0)
    sets.push({ held, notes: ["all controls at once: wings and hovering rotors share the weight"] });
  const kind = model.coordination?.(parameters);
  const isOpen =
    kind !== undefined &&
    condition.speed !== 0 &&
    (condition.bank === undefined || condition.turn === undefined) &&
    condition.sideslip === undefined;
  return sets.flatMap((set): Way[] => {
    if (!isOpen) return [{ condition, ...set }];
    if (kind === "sideslip") return [{ condition: { ...condition, sideslip: 0 }, ...set }];
    if (turnsAllWays(vehicle, set.held))
      return [{ condition: { ...condition, isCoordinated: true }, ...set }];
    return [
      {
        condition,
        ...set,
        notes: [...set.notes, "not coordinated: nothing yaws it apart from rolling and pitching"],
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
  [x[2], x[3], x[6]] = [-10_000, 15, 1];
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

const SCALED = ["turn", "lateral", "climb", "bank", "sideslip"] as const;

/** A condition with so much of what bends the path. */
function part(condition: Condition, share: number): Condition {
  const scaled = SCALED.flatMap((key) => {
    const value = condition[key];
    return value === undefined ? [] : [[key, share * value]];
  });
  return { ...condition, ...Object.fromEntries(scaled) };
}

/** First steps away from what was asked [SI]. */
const STEPS: Partial<Record<keyof Condition, number>> = {
  speed: 0.5,
  climb: 0.1,
  turn: 0.02,
  lateral: 0.2,
  bank: 0.02,
  sideslip: 0.02,
};

/** For each thing that may be changed alone, the least change that trims. */
function neighbours(vehicle: Vehicle, condition: Condition, held: Inputs): Neighbour[] {
  const solve = (c: Condition, start?: Start) => {
    for (const way of waysOf(vehicle, c, held)) {
      const found = trim(vehicle, way.condition, way.held, start, "any");
      if (found.isTrimmed) return found;
    }
    return undefined;
  };
  const list = (Object.keys(STEPS) as (keyof typeof STEPS)[]).flatMap((changed): Neighbour[] => {
    const asked = condition[changed];
    if (typeof asked !== "number") return [];
    // Bends only become less.
    const signs =
      changed === "speed" || changed === "climb" ? [1, -1] : asked === 0 ? [] : [-Math.sign(asked)];
    const found = signs.flatMap((sign) => {
      const at = (distance: number) => ({ ...condition, [changed]: asked + sign * distance });
      let [far, near] = [STEPS[changed] as number, 0];
      let solution: Trimmed | undefined;
      for (let round = 0; round < 24 && solution === undefined; round++) {
        if (changed === "speed" && asked + sign * far <= 0) return [];
        const isLast = signs.length === 1 && far >= Math.abs(asked);
        if (isLast) far = Math.abs(asked);
        solution = solve(at(far));
        if (solution === undefined && isLast) return [];
        if (solution === undefined) [near, far] = [far, Math.min(1.25 * far, far + 5)];
      }
      if (solution === undefined) return [];
      // Back towards what was asked, each from the last one found.
      for (let step = (far - near) / 4; step > 1e-4 * (STEPS[changed] as number) && far > 0; ) {
        const next = solve(at(Math.max(0, far - step)), solution.unknowns);
        if (next === undefined) step /= 2;
        else [far, solution] = [Math.max(0, far - step), next];
      }
      return [asked + sign * far];
    });
    const value = found.sort((a, b) => Math.abs(a - asked) - Math.abs(b - asked))[0];
    return value === undefined ? [] : [{ changed, asked, value }];
  });
  const size = ({ changed, asked, value }: Neighbour) => Math.abs(value - asked) / (STEPS[changed] as number);
  return list.sort((a, b) => size(a) - size(b));
}
