/** Ten minutes of flight in the page: no tick is missed and memory stays where it was after the first. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { StudioServer, timeOf } from "../support/studio.ts";

const server = new StudioServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

it.each(["parafoil", "x500"])("%s", async (vehicle) => {
  const page = await server.visit(`#vehicle=${vehicle}`);
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  const megabytes = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize / 1e6;
  };
  const lost = () =>
    page.evaluate(() => (window as unknown as { sideslipSeen: { lost: number } }).sideslipSeen.lost);
  const started = Date.now();
  const flyUntil = async (seconds: number) => {
    while (Date.now() - started < 1000 * seconds) {
      // A hand on the stick all the while; a parafoil lands and is begun anew.
      await page.keyboard.press("d", { delay: 400 });
      if (vehicle === "parafoil" && (await timeOf(page)) > 80) await page.keyboard.press("Backspace");
      await page.waitForTimeout(600);
    }
  };
  await flyUntil(60);
  const first = await megabytes();
  await flyUntil(600);
  const last = await megabytes();
  console.log(
    `${vehicle}: ${first.toFixed(1)} MB of heap after a minute, ${last.toFixed(1)} MB after ten; ${await lost()} ticks missed`,
  );
  expect(last - first).toBeLessThan(20);
  expect(await lost()).toBe(0);
  expect(server.complaints.splice(0)).toEqual([]);
});
