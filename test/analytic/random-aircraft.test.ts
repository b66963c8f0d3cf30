/** Aircraft that nobody chose: trim finds the flight that their own pilots settle in. The full set is random-aircraft.soak.ts. */
import { expect, it } from "vitest";
import { type Order, scores } from "../support/flown.ts";
import { randomAeroplane, randomMultirotor } from "../support/random-aircraft.ts";

const indices = (count: number) => Array.from({ length: count }, (_, i) => i);

it("multirotors of 3 to 8 rotors, every law and drive: hover, and fast forward flight", () => {
  const table = scores(
    indices(36).map((i) => randomMultirotor(i)),
    (orders: Order[]) => [orders[0], orders[3]],
  );
  expect(table.size).toBe(6);
  for (const [kind, { flown, same, misses }] of table) {
    expect(flown, kind).toBeGreaterThanOrEqual(8);
    expect(same, `${kind}: ${misses.join("; ")}`).toBe(flown);
  }
}, 120_000);

it("aeroplanes with ailerons, elevons and V-tails: near the stall and in cruise", () => {
  const table = scores(
    indices(36).map((i) => randomAeroplane(i)),
    (orders: Order[]) => [orders[0], orders[2]],
  );
  expect(table.size).toBe(6);
  for (const [kind, { flown, same, misses }] of table) {
    expect(flown, kind).toBeGreaterThanOrEqual(6);
    expect(same, `${kind}: ${misses.join("; ")}`).toBe(flown);
  }
}, 120_000);
