/** What is compiled from the equations' own source gives the bits of the plain functions. */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { evaluator } from "../../src/compile/evaluate.ts";
import { trace } from "../../src/compile/trace.ts";
import { preset, presetNames } from "../../src/vehicle-types/index.ts";
import { bundled } from "../support/bundle.ts";
import { type Hashes, motionHashes, statesHashes } from "../support/compiled-bits.ts";
import { instants } from "../support/states.ts";

const STATES = 100_000;
const STEPS = 20_000;
const allSame = ({ plain, generated, kernel }: Hashes) => {
  expect(generated).toBe(plain);
  expect(kernel).toBe(plain);
};

describe.each(presetNames())("%s", (name) => {
  const vehicle = preset(name);
  const { model, parameters } = vehicle;

  it("its graph is its derivative, bit for bit", () => {
    const at = instants(vehicle, 1);
    const lifted = trace(model, parameters, at(0).e);
    const dx = new Float64Array(model.states.length);
    for (let i = 0; i < 300; i++) {
      const { x, u, e } = at(i);
      model.derivative(x, u, parameters, e, dx);
      const value = evaluator({ x, u, e, p: parameters });
      expect(lifted.rates.map(value), `instant ${i}`).toEqual([...dx]);
    }
  });

  it("generated JavaScript and four lanes of machine code at 10^5 random states", () => {
    allSame(statesHashes(vehicle, STATES));
  });

  it("and along 20,000 steps", () => {
    allSame(motionHashes(vehicle, STEPS));
  });
});

const browser = "/usr/bin/chromium";
const withBrowser = existsSync(browser) || process.env.CI === "true" ? it : it.skip;
if (!existsSync(browser)) console.warn("SKIPPED: chromium is absent, so its machine code is not compared");
withBrowser(
  "in headless Chromium, too, and there they are those of Node",
  async () => {
    const script = await bundled(new URL("../support/compiled-bits.ts", import.meta.url), "compiled");
    const chrome = await chromium.launch({
      executablePath: browser,
      args: ["--no-sandbox", "--disable-background-networking"],
    });
    try {
      const page = await chrome.newPage();
      await page.addScriptTag({ content: script });
      for (const name of presetNames()) {
        const there = await page.evaluate(
          `[compiled.statesHashes(compiled.preset("${name}"), ${STATES}), compiled.motionHashes(compiled.preset("${name}"), ${STEPS})]`,
        );
        const [states, motion] = there as Hashes[];
        allSame(states);
        allSame(motion);
        expect(states.plain, name).toBe(statesHashes(preset(name), STATES).plain);
        expect(motion.plain, name).toBe(motionHashes(preset(name), STEPS).plain);
      }
    } finally {
      await chrome.close();
    }
  },
  300_000,
);
