// The Studio in Chromium, as it is built: time to the first frame, frames per second at 1280 x 720, ticks that came too late.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serveFolder } from "../dist/cli/static-server.js";

const CHROMIUM = "/usr/bin/chromium";
const VEHICLES = ["parafoil", "x500", "standard-vtol", "formula-student"];
/** Until the picture has found how many pixels this machine can draw [ms], and how long is measured. */
const SETTLING = 8000;
const MEASURED = 8000;

export async function benchStudio() {
  if (!existsSync(CHROMIUM)) {
    console.error("bench studio: chromium is needed; install it and run again");
    process.exitCode = 1;
    return;
  }
  const folder = fileURLToPath(new URL("../dist/studio", import.meta.url));
  const { address, close } = await serveFolder(folder, "127.0.0.1", 0);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const version = browser.version();
  console.log(`Studio in Chromium ${version} at 1280 x 720, drawn by whatever this machine has`);
  for (const vehicle of VEHICLES) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    await page.addInitScript(() => localStorage.setItem("sideslip.hints", '"seen"'));
    await page.goto(`${address}#vehicle=${vehicle}`);
    const seen = () => page.evaluate(() => window.sideslipSeen);
    await page.waitForTimeout(SETTLING);
    const before = await seen();
    await page.waitForTimeout(MEASURED);
    const after = await seen();
    const rate = (after.frames - before.frames) / (MEASURED / 1000);
    if (after.lost > 0) process.exitCode = 1;
    console.log(
      `${vehicle.padEnd(16)} first frame after ${(after.first / 1000).toFixed(2)} s, ${rate.toFixed(0)} frames/s, ` +
        `${after.lost} ticks missed (wanted 0: ${after.lost === 0 ? "holds" : "MISSED"})`,
    );
    await context.close();
  }
  await browser.close();
  close();
}
