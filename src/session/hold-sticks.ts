/** Sticks of a flight by their positions from -1 at the lower end to 1 at the upper. */
import { InputError } from "../model/input-error.ts";
import type { Flight } from "../simulation/flight/flight.ts";

/** In their order; those that did not move are left alone. */
export function holdSticks(flight: Flight, positions: readonly number[]): void {
  const { sticks } = flight.manual;
  const bad = sticks.findIndex((_, i) => i < positions.length && !Number.isFinite(positions[i]));
  if (bad >= 0)
    throw new InputError(`${positions[bad]} is not a stick position`, {
      field: sticks[bad].name,
      allowed: "-1 to 1",
    });
  sticks.forEach(({ min, max }, i) => {
    if (i >= positions.length) return;
    const value = min + ((Math.min(1, Math.max(-1, positions[i])) + 1) / 2) * (max - min);
    if (!flight.isByHand || Math.abs(flight.sticks[i] - value) > 1e-9) flight.moveStick(i, "hold", value);
  });
}

export function stickPositions({ manual, sticks }: Flight): ReadonlyMap<string, number> {
  return new Map(
    manual.sticks.map(({ name, min, max }, i) => [name, (2 * (sticks[i] - min)) / (max - min) - 1]),
  );
}
