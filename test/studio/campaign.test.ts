/** Results of a campaign in the Studio: dots over the ground, and a click flies the run. */
import { fork } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer, Asked } from "../../src/campaign/reading-process.ts";
import { rowsIn } from "../support/campaign.ts";
import { folder, sideslip } from "../support/cli.ts";
import { hasChromium, StudioServer } from "../support/studio.ts";

/** Somebody else's file (no checksum), with the first bit turned at which the decoder does not come back. */
async function makeEndless(bytes: Buffer, path: string): Promise<boolean> {
  bytes[bytes.lastIndexOf("sideslip.checksum")] ^= 1;
  const reader = fork(new URL("../../dist/sideslip-reader.js", import.meta.url), {
    serialization: "advanced",
  });
  const answered = (asked: Asked) =>
    new Promise<Answer | "none">((go) => {
      const timer = setTimeout(() => go("none"), 5000);
      reader.once("message", (answer) => {
        clearTimeout(timer);
        go(answer as Answer);
      });
      reader.send(asked);
    });
  try {
    for (let place = 4; place < bytes.length; place++) {
      bytes[place] ^= 16;
      writeFileSync(path, bytes);
      const steps: Asked[] = [
        { open: path },
        { columns: ["run", "landing_north", "landing_east"] },
        { next: true },
      ];
      for (const asked of steps) {
        const answer = await answered(asked);
        if (answer === "none") return true;
        if (answer.failure !== undefined) break;
      }
      bytes[place] ^= 16;
    }
    return false;
  } finally {
    reader.kill("SIGKILL");
  }
}

describe.skipIf(!hasChromium)("a campaign's result", () => {
  const studio = new StudioServer();
  const at = folder();
  beforeAll(async () => {
    writeFileSync(
      join(at, "c.yaml"),
      `
description: drops to look at
scenario: { vehicle: parafoil, duration: 60, initial: { altitude: 10, v_north: 4.4, v_down: 0.9 } }
runs: 60
vary: { initial.yaw: { uniform: { from: -180 deg, to: 180 deg } }, parameters.m: { uniform: { from: 2.2, to: 2.7 } } }
measure: { landing_north: { final: north }, landing_east: { final: east } }
fail: landing_north < 0
landing: [landing_north, landing_east]
`,
    );
    expect(sideslip(["campaign", "c.yaml"], at).status).toBe(0);
    await studio.start();
  });
  afterAll(() => studio.stop());

  it("shows where runs ended, and flies the one that is clicked at to that place", async () => {
    const rows = await rowsIn(join(at, "c.parquet"));
    const page = await studio.visit("#vehicle=parafoil");
    await page.getByLabel("open files").setInputFiles(join(at, "c.parquet"));
    await expect.poll(() => page.getByText("Click a dot to fly that run.").count()).toBe(1);
    await expect.poll(() => page.getByText(/60 runs, \d+ of them failed/).count()).toBe(1);
    // The northernmost dot: the top of the picture, at its own place across.
    const north = rows.map((row) => row.landing_north as number);
    const top = north.indexOf(Math.max(...north));
    const canvas = page.getByLabel("runs over landing_east and landing_north");
    const box = (await canvas.boundingBox()) as { x: number; y: number; width: number; height: number };
    const dot = await canvas.evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const pixels = (canvas.getContext("2d") as CanvasRenderingContext2D).getImageData(104, 16, 580, 520);
      for (let y = 0; y < 520; y++)
        for (let x = 0; x < 580; x++) {
          const [r, , b, a] = pixels.data.subarray(4 * (y * 580 + x));
          if (a > 60 && Math.abs(r - b) > 50) return [(104 + x) / canvas.width, (16 + y) / canvas.height];
        }
      return [0, 0];
    });
    await page.mouse.click(box.x + dot[0] * box.width, box.y + dot[1] * box.height);
    await expect.poll(() => page.getByRole("table", { name: `run ${top}` }).count()).toBe(1);
    // As it flies it comes down where the campaign says, bit for bit.
    await page.getByLabel("simulation speed").selectOption("20");
    await expect.poll(() => page.getByText("The flight ended: landing").count(), { timeout: 60_000 }).toBe(1);
    await expect.poll(() => page.evaluate(() => document.body.innerText)).toContain(rows[top].hash);
    expect(studio.complaints).toEqual([]);
  });

  it("a file that keeps its reader for ever is given up, while page and flight go on", async () => {
    const path = join(at, "hostile.parquet");
    const found = await makeEndless(readFileSync(join(at, "c.parquet")), path);
    expect(found).toBe(true);
    const page = await studio.visit("#vehicle=parafoil");
    await page.getByLabel("open files").setInputFiles(path);
    const clock = () => page.evaluate(() => new Promise((go) => requestAnimationFrame(() => go(1))));
    expect(await clock()).toBe(1);
    await expect
      .poll(() => page.getByText(/hostile\.parquet cannot be read in 20 s: it is damaged/).count(), {
        timeout: 40_000,
      })
      .toBe(1);
    expect(studio.complaints).toEqual([]);
  });

  it("refuses other files in words", async () => {
    const page = await studio.visit("#vehicle=parafoil");
    await page.getByLabel("open files").setInputFiles({
      name: "x.parquet",
      mimeType: "application/octet-stream",
      buffer: Buffer.from("nothing"),
    });
    await expect
      .poll(() => page.getByText(/x\.parquet: cannot be read: it is not a Parquet file/).count())
      .toBe(1);
  });
});
