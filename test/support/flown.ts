/** What a vehicle's own pilot reaches in a settled simulation, and whether trim finds the same. */
import type { Condition } from "../../src/analysis/trim.ts";
import { findTrim, type TrimResult } from "../../src/analysis/trim-search.ts";
import { wrap } from "../../src/math/clamp.ts";
import { toBody } from "../../src/math/quaternion.ts";
import { indexOf } from "../../src/model/model.ts";
import type { RandomAircraft } from "./random-aircraft.ts";
import { simulate } from "./simulate.ts";

/** What a pilot is told: level at this speed, or climbing. */
export interface Order {
  readonly speed: number;
  readonly climb: number;
}

export interface Flown {
  /** The condition that the simulation settled in. */
  readonly condition: Condition;
  readonly x: Float64Array;
  readonly roll: number;
  readonly pitch: number;
}

const CONTROL_DT = 0.01;
/** The pilot has so long to settle [s]; after that nothing may have changed between two looks. */
const PATIENCE = 60;
const LOOKS = 1;
/** Two looks a second apart agree to this in velocity [m/s], attitude [1] and rates [rad/s], and rotors to this part. */
const SETTLED = 1e-3;
const SETTLED_ROTORS = 2e-3;

/** The state in which the pilot settles, or nothing where it does not. */
export function fly({ vehicle, kind }: RandomAircraft, { speed, climb }: Order): Flown | undefined {
  const isAeroplane = kind.type === "aeroplane";
  const words = {
    duration: PATIENCE,
    control_dt: CONTROL_DT,
    dt: 0.0025,
    initial: isAeroplane
      ? { altitude: 2000, v_north: speed }
      : { altitude: 2000, yaw: 0, ...rotorsAt(vehicle) },
    pilot: isAeroplane
      ? [{ t: 0, hold: { altitude: 2000, yaw: 0 }, airspeed: speed }]
      : speed === 0 && climb === 0
        ? [{ t: 0, hold: { altitude: 2000, yaw: 0, north: 0, east: 0 } }]
        : [{ t: 0, velocity: { north: speed, up: climb, yaw: 0 } }],
  };
  const { model } = vehicle;
  // Two elevons cannot hold a sideslip: what they have is what balances.
  const canSlip = model.states.filter((f) => /^servo_/.test(f.name)).length !== 2;
  const rotors = model.states.flatMap((f, i) => (/^rotor_\d+$/.test(f.name) ? [i] : []));
  let before: Float64Array | undefined;
  try {
    const simulation = simulate(words, vehicle);
    for (let t = LOOKS; t <= PATIENCE; t += LOOKS) {
      for (let k = 0; k < LOOKS / CONTROL_DT; k++) simulation.step();
      const { x } = simulation;
      const last = before;
      const isStill =
        last !== undefined &&
        x.every((v, i) => i < 3 || i > 12 || Math.abs(v - last[i]) < SETTLED) &&
        rotors.every((i) => Math.abs(x[i] - last[i]) < SETTLED_ROTORS * Math.max(50, x[i]));
      if (isStill && t > 5) return settled(x.slice(), { speed, climb });
      before = x.slice();
    }
  } catch {
    // It cannot be flown like this: the pilot refuses, or the flight diverges.
  }
  return undefined;

  function settled(x: Float64Array, order: Order): Flown | undefined {
    const V = Math.hypot(x[3], x[4], x[5]);
    if (Math.abs(V - Math.hypot(order.speed, order.climb)) > 0.05 + 0.02 * V) return undefined;
    if (Math.hypot(x[10], x[11], x[12]) > 2e-3) return undefined;
    const air = new Float64Array(3);
    toBody(x, 6, x, 3, air, 0);
    const [w, a, b, c] = x.subarray(6, 10);
    const roll = Math.atan2(2 * (w * a + b * c), 1 - 2 * (a * a + b * b));
    const pitch = Math.asin(2 * (w * b - c * a));
    const isHover = V < 0.02;
    return {
      x,
      roll,
      pitch,
      condition: isHover
        ? { speed: 0 }
        : { speed: V, climb: -x[5], turn: 0, ...(canSlip ? { sideslip: Math.asin(air[1] / V) } : {}) },
    };
  }
}

/** Rotors begin at half of what they can: nothing falls before they turn. */
function rotorsAt({ model, parameters }: RandomAircraft["vehicle"]): Record<string, number> {
  const { rotors, m, g } = parameters as {
    m: number;
    g: number;
    rotors: Record<
      number,
      { motorConstant: number; propeller?: { diameter: number; CT: Record<number, number> } }
    >;
  };
  const count = Object.keys(rotors).length;
  return Object.fromEntries(
    Object.entries(rotors).flatMap(([k, { motorConstant, propeller }]) => {
      const constant = propeller
        ? (propeller.CT[1] * 1.225 * propeller.diameter ** 4) / 39.478
        : motorConstant;
      return indexOf(model.states, `rotor_${k}`) < 0
        ? []
        : [[`rotor_${k}`, Math.sqrt((m * g) / count / constant)]];
    }),
  );
}

/** How far a trim is from what was flown: attitude [rad], rotor speeds where they are not redundant [part]. */
export function distance({ vehicle, rotors, kind }: RandomAircraft, flown: Flown, found: TrimResult) {
  const { x, motion } = found;
  const attitude = Math.max(Math.abs(wrap(motion.roll - flown.roll)), Math.abs(motion.pitch - flown.pitch));
  const isUnique = rotors <= (kind.type === "aeroplane" ? 1 : 4);
  const speeds = vehicle.model.states.flatMap((f, i) =>
    /^rotor_\d+$/.test(f.name) ? [Math.abs(x[i] / flown.x[i] - 1)] : [],
  );
  return { attitude, rotors: isUnique ? Math.max(...speeds) : 0 };
}

/** What a pilot is told to fly, over the speeds of an aircraft. */
export function ordersOf({ kind, speeds: [low, high] }: RandomAircraft): Order[] {
  if (kind.type === "aeroplane")
    return [0, 0.25, 0.5, 0.75, 1].map((part) => ({ speed: low + part * (high - low), climb: 0 }));
  return [
    { speed: 0, climb: 0 },
    { speed: 0.25 * high, climb: 0 },
    { speed: 0.55 * high, climb: 0 },
    { speed: 0.9 * high, climb: 0 },
    { speed: 0.3 * high, climb: 1 },
    { speed: 0.3 * high, climb: -1 },
  ];
}

/** Same attitude [rad] and, where nothing can stand in for another, same rotor speeds [part]: the simulation has settled to 1e-3. */
const SAME_ATTITUDE = 0.01;
const SAME_SPEED = 0.01;

export interface Score {
  /** Conditions that the pilots settled in, how many of them trim, and how many to the same state. */
  flown: number;
  trimmed: number;
  same: number;
  readonly misses: string[];
}

/** By kind of vehicle: what its pilot reaches, and what trim finds of it. */
export function scores(list: readonly RandomAircraft[], which: (orders: Order[]) => Order[] = (o) => o) {
  const table = new Map<string, Score>();
  for (const aircraft of list) {
    const { type, law, drive } = aircraft.kind;
    const kind = `${type}, ${law}, ${drive}`;
    const row = table.get(kind) ?? { flown: 0, trimmed: 0, same: 0, misses: [] };
    table.set(kind, row);
    for (const order of which(ordersOf(aircraft))) {
      const flown = fly(aircraft, order);
      if (flown === undefined) continue;
      row.flown++;
      const found = findTrim(aircraft.vehicle, flown.condition);
      if (found.isTrimmed) row.trimmed++;
      const { attitude, rotors } = distance(aircraft, flown, found);
      if (found.isTrimmed && attitude < SAME_ATTITUDE && rotors < SAME_SPEED) row.same++;
      else row.misses.push(`${aircraft.vehicle.name} at ${order.speed.toFixed(2)} m/s, climb ${order.climb}`);
    }
  }
  return table;
}
