/** Five hundred aircraft that nobody chose: how much of what their pilots settle in trim finds; docs/commands/trim.md shows the table. */
import { expect, it } from "vitest";
import { scores } from "../support/flown.ts";
import { randomAeroplane, randomMultirotor } from "../support/random-aircraft.ts";

it("300 multirotors and 200 aeroplanes: at least 95 % of the conditions trim, to the same state", () => {
  const list = [
    ...Array.from({ length: 300 }, (_, i) => randomMultirotor(i)),
    ...Array.from({ length: 200 }, (_, i) => randomAeroplane(i)),
  ];
  const table = scores(list);
  const part = (n: number, of: number) => `${((100 * n) / of).toFixed(1)} %`;
  for (const [kind, { flown, trimmed, same, misses }] of table) {
    console.log(`| ${kind} | ${flown} | ${part(trimmed, flown)} | ${part(same, flown)} |`);
    for (const miss of misses) console.log(`  not the same: ${miss}`);
  }
  for (const [kind, { flown, same }] of table) expect(same / flown, kind).toBeGreaterThanOrEqual(0.95);
}, 3_600_000);
