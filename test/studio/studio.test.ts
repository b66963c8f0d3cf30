/** The Studio as a visitor has it: real Chromium, keys, gamepad, files, links. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { writeVehicle, writtenVehicle } from "../../src/formats/vehicle-yaml.ts";
import { preset, presetNames } from "../../src/vehicle-types/index.ts";
import { folder, sideslip } from "../support/cli.ts";
import { describeWithShared, sharedPath } from "../support/shared.ts";
import { hasChromium, hashOf, reading, StudioServer, tab, timeOf } from "../support/studio.ts";

const server = new StudioServer();
const describeStudio = hasChromium ? describe : describe.skip;
if (hasChromium) {
  beforeAll(() => server.start());
  afterAll(() => server.stop());
}
afterEach(async () => {
  await server.leave();
  const complaints = server.complaints.splice(0);
  expect(complaints).toEqual([]);
});

/** A key of each vehicle, the reading that it moves, and by how much at least: positive is right, up, forward. */
const FIRST_KEYS: Readonly<Record<string, readonly [string, string, number]>> = {
  parafoil: ["r", "angle of attack", 2],
  "formula-student": ["w", "speed", 3],
  f1tenth: ["w", "speed", 1],
  "advanced-plane": ["d", "bank", 10],
  "rc-cessna": ["d", "bank", 10],
  zephyr: ["d", "bank", 10],
  "standard-vtol": ["w", "over ground", 1],
  hakoniwa: ["w", "over ground", 1],
  iris: ["w", "over ground", 1],
  "typhoon-h480": ["w", "over ground", 1],
  x500: ["w", "over ground", 1],
};

/** A gamepad that the test moves. */
const plugIn = () => {
  const pad = {
    id: "Test pad",
    index: 0,
    connected: true,
    mapping: "standard",
    axes: [0, 0, 0, 0],
    buttons: [],
    timestamp: 0,
  };
  Object.assign(window, { testPad: pad });
  navigator.getGamepads = () => [pad] as never;
};
const movePad = (page: Page, axes: number[]) =>
  page.evaluate((moved) => {
    (window as unknown as { testPad: { axes: number[] } }).testPad.axes = moved;
  }, axes);
/** The stick that an axis moves, by its usual place: up on a gamepad is negative. */
const PAD: Readonly<Record<string, readonly [string, number[]]>> = {
  parafoil: ["brake left", [0, 0.9, 0, 0]],
  "formula-student": ["pedal", [0, 0, 0, -0.9]],
  f1tenth: ["pedal", [0, 0, 0, -0.9]],
  "advanced-plane": ["bank", [0, 0, 0.9, 0]],
  "rc-cessna": ["bank", [0, 0, 0.9, 0]],
  zephyr: ["bank", [0, 0, 0.9, 0]],
};
const HOVERING = ["forward", [0, 0, 0, -0.9]] as const;

describeStudio("every vehicle", () => {
  it.each(presetNames())(
    "%s loads, flies by gamepad and keys, pauses, rewinds, changes a parameter, plots, explains",
    async (name) => {
      const page = await server.visit(`#vehicle=${name}`, { init: plugIn });
      await expect.poll(() => timeOf(page)).toBeGreaterThan(0.5);
      const [stick, axes] = PAD[name] ?? HOVERING;
      const meter = page.locator(`[role=meter][aria-label="${stick}"]`);
      await movePad(page, [...axes]);
      await expect.poll(async () => Number(await meter.getAttribute("aria-valuenow"))).toBeGreaterThan(0.5);
      await movePad(page, [0, 0, 0, 0]);
      await expect.poll(async () => Number(await meter.getAttribute("aria-valuenow"))).toBeLessThan(0.1);
      const [key, what, least] = FIRST_KEYS[name];
      const before = await reading(page, what);
      await page.keyboard.down(key);
      await page.waitForTimeout(1800);
      const after = await reading(page, what);
      await page.keyboard.up(key);
      expect(after - before).toBeGreaterThan(least);

      await page.keyboard.press("p");
      await page.getByRole("button", { name: "play", exact: true }).waitFor();
      const paused = await timeOf(page);
      await page.waitForTimeout(300);
      expect(await timeOf(page)).toBe(paused);
      await page.keyboard.press(".");
      const end = await hashOf(page);
      await page.keyboard.press(",");
      await expect.poll(() => timeOf(page)).toBeLessThan(paused);
      expect(await hashOf(page)).not.toBe(end);
      // Fly on from there.
      await page.keyboard.press("p");
      await page.getByRole("button", { name: "pause", exact: true }).waitFor();

      const plot = page.locator(".uplot canvas").first();
      await plot.waitFor();
      await expect
        .poll(() =>
          plot.evaluate((canvas: HTMLCanvasElement) => {
            const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
            const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
            // The first colour of the curves, #e69f00.
            let count = 0;
            for (let i = 0; i < data.length; i += 4)
              if (data[i] > 180 && data[i + 1] > 120 && data[i + 2] < 60) count++;
            return count;
          }),
        )
        .toBeGreaterThan(20);

      await tab(page, "Change");
      await page.getByLabel("find a parameter").fill("mass");
      const mass = page.getByLabel("m", { exact: true });
      const original = Number(await mass.inputValue());
      await mass.fill(String(original * 1.1));
      await mass.press("Enter");
      await page.getByText("1 changed from the original").waitFor();
      await page.getByRole("button", { name: "undo" }).click();
      await expect.poll(async () => Number(await mass.first().inputValue())).toBeCloseTo(original, 5);

      await page.locator(".stage canvas").first().click();
      await page.keyboard.down(key);
      await tab(page, "Understand");
      await page.locator(".contribution").first().waitFor();
    },
  );
});

describeStudio("hands", () => {
  it("a gamepad flies: its right stick banks the plane, and its map can be changed", async () => {
    const page = await server.visit("#vehicle=advanced-plane", { init: plugIn });
    await page.waitForTimeout(500);
    await movePad(page, [0, 0, 0.9, 0]);
    await expect.poll(() => reading(page, "bank")).toBeGreaterThan(15);
    await tab(page, "Controls");
    await page.getByText("Test pad").waitFor();
    await page.getByLabel("axis of bank").selectOption("0");
    await movePad(page, [-0.9, 0, 0, 0]);
    await expect.poll(() => reading(page, "bank")).toBeLessThan(-15);
  });

  it("keys can be changed, and stay changed", async () => {
    const page = await server.visit("#vehicle=x500");
    await tab(page, "Controls");
    await page
      .getByRole("row", { name: /^forward/ })
      .getByRole("button")
      .click();
    await page.keyboard.press("i");
    await page.getByRole("row", { name: /^forward I/ }).waitFor();
    await page.waitForTimeout(300);
    await page.keyboard.down("i");
    await expect.poll(() => reading(page, "over ground")).toBeGreaterThan(1);
    await page.keyboard.up("i");
    await page.reload();
    await page.locator("kbd", { hasText: /^I$/ }).waitFor();
  });

  it("keys of a text field do not fly", async () => {
    const page = await server.visit("#vehicle=parafoil");
    await tab(page, "Change");
    await page.getByLabel("find a parameter").fill("");
    await page.getByLabel("find a parameter").press("r");
    await page.waitForTimeout(400);
    expect(await page.locator('[role=meter][aria-label="brake left"]').getAttribute("aria-valuenow")).toBe(
      "0",
    );
  });
});

describeStudio("sharing", () => {
  it("a link flies the same bits in another browser, with every change", async () => {
    const page = await server.visit("#vehicle=x500");
    await page.keyboard.down("w");
    await page.waitForTimeout(700);
    await page.keyboard.up("w");
    await tab(page, "Change");
    await page.getByLabel("speed [m/s]").fill("4");
    await page.getByLabel("speed [m/s]").press("Enter");
    await page.getByLabel("find a parameter").fill("mass");
    await page.getByLabel("m", { exact: true }).fill("2.2");
    await page.getByLabel("m", { exact: true }).press("Enter");
    await page.waitForTimeout(800);
    await tab(page, "Share");
    await page.getByRole("button", { name: "make a link" }).click();
    const link = await page.getByLabel("link").inputValue();
    const hash = (await page.locator("[data-testid=shared-hash]").textContent()) ?? "";
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    const other = await server.visit(link.slice(link.indexOf("#")));
    await other.getByText("was repeated bit for bit").waitFor();
    expect(await hashOf(other)).toBe(hash);
  });

  it("a scenario flown here has the hash of `sideslip run`", async () => {
    const file = fileURLToPath(new URL("../../examples/parafoil.yaml", import.meta.url));
    const { hash } = JSON.parse(sideslip(["run", file, "--json"]).stdout);
    const page = await server.visit();
    await page.getByLabel("open files").setInputFiles(file);
    await page.getByText("Opened parafoil").waitFor();
    await page.getByLabel("simulation speed").selectOption("20");
    await expect.poll(() => hashOf(page), { timeout: 60_000 }).toBe(hash);
  });

  it.each([
    ["damaged", "#flight=abc", /damaged/],
    ["older", "#flight=OLD", /made with Sideslip 0\.0\.9/],
    ["unknown vehicle", "#vehicle=ufo", /Unknown vehicle "ufo"/],
  ])("a link that is %s is told, and something flies", async (_, hash, message) => {
    const page = await server.visit(hash === "#flight=OLD" ? `#flight=${await oldLink()}` : hash);
    await page.getByText(message).waitFor();
    await expect.poll(() => timeOf(page)).toBeGreaterThan(0.2);
  });
});

/** As a link of another version would be. */
async function oldLink(): Promise<string> {
  const { packFlightLog } = await import("../../src/simulation/flight/flight-log-text.ts");
  return packFlightLog({
    version: "0.0.9",
    vehicle: "x500",
    name: "x500",
    scenario: { vehicle: "x500" },
    byHand: true,
    actions: [],
    ticks: 1,
    hash: "",
  });
}

describeStudio("understanding", () => {
  it("trim, polar, envelope, modes and check answer, and a click flies there", async () => {
    const page = await server.visit("#vehicle=parafoil");
    await tab(page, "Understand");
    const view = (name: string) =>
      page.getByRole("group", { name: "views" }).getByRole("button", { name }).click();
    await view("Polar");
    await page.locator("tr.click").nth(10).click();
    await expect
      .poll(() => page.locator('[role=meter][aria-label="brake left"]').getAttribute("aria-valuenow"))
      .toBe("0.5");
    await view("Envelope");
    await page.locator("[data-cell]").first().waitFor();
    await view("Trim");
    await page.getByRole("button", { name: "fly from here" }).click();
    await view("Modes");
    await page
      .getByRole("button", { name: /pendulum/ })
      .first()
      .click();
    await view("Check");
    await page.getByText("No errors.").waitFor();
  });
});

describeStudio("trouble", () => {
  it("a broken file, a binary and a huge log are told with what to do; the flight goes on", async () => {
    const page = await server.visit("#vehicle=x500");
    const files = page.getByLabel("open files");
    const open = (name: string, text: string | Buffer) =>
      files.setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await open("broken.yaml", "model: aircraft\nparameters:\n  m: heavy\n");
    await page.getByText(/broken\.yaml:3.*heavy/).waitFor();
    await open("picture.yaml", Buffer.from([0xff, 0xfe, 0x00, 0x80]));
    await page.getByText(/picture\.yaml is not a text file/).waitFor();
    await page.evaluate(() => {
      const file = new File(["t\n"], "long.csv");
      Object.defineProperty(file, "size", { value: 5e8 });
      const data = new DataTransfer();
      const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data });
      Object.defineProperty(event, "dataTransfer", { value: { files: [file] } });
      document.querySelector(".studio")?.dispatchEvent(event);
    });
    await page.getByText(/long\.csv has 500 MB.*cut it/).waitFor();
    const now = await timeOf(page);
    await expect.poll(() => timeOf(page)).toBeGreaterThan(now);
  });

  it("a flight that diverges stops with a reason, and the past stays", async () => {
    const page = await server.visit("#vehicle=parafoil");
    await page.waitForTimeout(1200);
    await tab(page, "Change");
    await page.getByLabel("find a parameter").fill("inertia");
    for (const axis of ["x", "y", "z"]) {
      const field = page.getByLabel(`I_B_diag.${axis}`, { exact: true });
      await field.fill("1e-9");
      await field.press("Enter");
    }
    await page.keyboard.press("Escape");
    await page.locator(".stage canvas").first().click();
    await page.keyboard.down("d");
    await page.getByText(/diverged.*seek back/).waitFor({ timeout: 20_000 });
    await page.keyboard.up("d");
    await page.keyboard.press(",");
    await expect.poll(() => timeOf(page)).toBeLessThan(1);
  });

  it("a lost picture is told, and comes back", async () => {
    const page = await server.visit("#vehicle=x500");
    await page.evaluate(() => {
      const canvas = document.querySelector(".stage canvas") as HTMLCanvasElement;
      const lose = (canvas.getContext("webgl2") as WebGL2RenderingContext).getExtension("WEBGL_lose_context");
      Object.assign(window, { lose });
      lose?.loseContext();
    });
    await page.getByText("lost the picture").waitFor();
    const now = await timeOf(page);
    await expect.poll(() => timeOf(page)).toBeGreaterThan(now);
    await page.evaluate(() => (window as unknown as { lose: WEBGL_lose_context }).lose.restoreContext());
    await page.getByText("lost the picture").waitFor({ state: "detached" });
    // three.js tells the loss in the console, as it should.
    server.complaints.length = 0;
  });
});

describeStudio("a first visit", () => {
  it("offers every vehicle that ships", async () => {
    const page = await server.visit();
    const offered = await page.getByLabel("vehicle", { exact: true }).locator("option").allTextContents();
    expect(offered.sort()).toEqual([...presetNames()].sort());
  });

  it("explains itself in three hints and never again", async () => {
    const page = await server.visit("", { isFirst: true });
    for (const name of ["next", "next", "fly"]) await page.getByRole("button", { name, exact: true }).click();
    await page.reload();
    await page
      .locator("[data-testid=hash]")
      .filter({ hasText: /[0-9a-f]{16}/ })
      .waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("shows dark and light, and remembers", async () => {
    const page = await server.visit();
    await page.getByRole("button", { name: /light colours|dark colours/ }).click();
    const isLight = await page.evaluate(() => document.documentElement.classList.contains("light"));
    await page.reload();
    await page.locator(".bar").waitFor();
    expect(await page.evaluate(() => document.documentElement.classList.contains("light"))).toBe(isLight);
  });
});

describeStudio("the build", () => {
  it("is below 1 MB gzipped", () => {
    const built = fileURLToPath(new URL("../../dist/studio", import.meta.url));
    const files = readdirSync(built, { recursive: true, encoding: "utf8" }).filter((f) => /\.\w+$/.test(f));
    const bytes = files.reduce((sum, f) => sum + gzipSync(readFileSync(join(built, f))).length, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(1_000_000);
  });
});

describeWithShared("files of every kind", () => {
  it.skipIf(!hasChromium)("open and fly", async () => {
    const page = await server.visit("#vehicle=x500");
    const files = page.getByLabel("open files");
    const text = (name: string, words: string) => ({
      name,
      mimeType: "text/plain",
      buffer: Buffer.from(words),
    });
    const opened = (name: RegExp) => page.getByText(name).first().waitFor();
    await files.setInputFiles(sharedPath("data/uiuc/apce_10x5_kt0823_6005.txt"));
    await opened(/Opened x500-/);
    await files.setInputFiles(text("mine.yaml", writeVehicle(writtenVehicle(preset("iris")))));
    await opened(/Opened mine/);
    await files.setInputFiles(sharedPath("data/sdf/classic/iris.sdf"));
    await opened(/Opened iris/);
    const avl = [
      "outputs/3.40-mrf/plane_a4.mrf.st",
      "outputs/3.40-mrf/plane_a4.mrf.sb",
      "geometry/plane.mass",
    ];
    await files.setInputFiles(avl.map((f) => sharedPath(`data/avl/${f}`)));
    await opened(/Opened .*plane|Opened (?!iris|mine|x500)/i);
    await files.setInputFiles(text("params.yaml", "parafoil_simulator:\n  ros__parameters:\n    m: 2.6\n"));
    await opened(/Opened parafoil/);
    const at = folder();
    sideslip(["run", "parafoil", "--duration", "3", "--out", "log.csv"], at);
    await files.setInputFiles(join(at, "log.csv"));
    await page.locator(".over.keys b", { hasText: "log.csv" }).waitFor();
  });
});
