/** The built Studio in real Chromium, served as plain files from a sub-path, with no way to any other machine. */
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { type Served, serveFolder } from "../../src/cli/static-server.ts";
import { folder } from "./folder.mjs";

const CHROMIUM = "/usr/bin/chromium";
export const hasChromium = existsSync(CHROMIUM);
if (!hasChromium && process.env.CI === "true")
  throw new Error("CI without chromium: the Studio cannot be tried");
if (!hasChromium) console.warn("SKIPPED: chromium is absent, so the Studio is not tried here");

const PATH = "some/where";

export class StudioServer {
  private browser?: Browser;
  private served?: Served;
  readonly complaints: string[] = [];

  async start(): Promise<void> {
    const root = folder("studio");
    cpSync(fileURLToPath(new URL("../../dist/studio", import.meta.url)), join(root, PATH), {
      recursive: true,
    });
    this.served = await serveFolder(root, "127.0.0.1", 0);
    this.browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    this.served?.close();
  }

  /** Ends all visits, also of tests that failed. */
  async leave(): Promise<void> {
    for (const context of this.browser?.contexts() ?? []) await context.close();
  }

  /** A fresh visit; whatever the console complains of is kept. */
  async visit(
    hash = "",
    options: { readonly isFirst?: boolean; readonly init?: () => void } = {},
  ): Promise<Page> {
    const context = await (this.browser as Browser).newContext({
      viewport: { width: 1280, height: 720 },
      acceptDownloads: true,
    });
    const page = await context.newPage();
    const home = this.served?.address ?? "";
    await page.route("**/*", (route) => {
      const url = route.request().url();
      if (url.startsWith(home) || /^(blob|data):/.test(url)) return route.continue();
      this.complaints.push(`asks for ${url}`);
      return route.abort();
    });
    page.on("console", (message) => {
      // The driver without a graphics card tells that it is slow; that is no fault of the page.
      if (
        message.type() === "error" ||
        (message.type() === "warning" && !message.text().includes("GL Driver"))
      )
        this.complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
    if (!options.isFirst) await page.addInitScript(() => localStorage.setItem("sideslip.hints", '"seen"'));
    if (options.init) await page.addInitScript(options.init);
    await page.goto(`${home}${PATH}/${hash}`);
    await page
      .locator("[data-testid=hash]")
      .filter({ hasText: /[0-9a-f]{16}/ })
      .waitFor();
    return page;
  }
}

/** Simulated seconds shown. */
export async function timeOf(page: Page): Promise<number> {
  const text = (await page.locator("[data-testid=time]").textContent()) ?? "";
  const [, minutes, seconds] = /(\d+):([\d.]+)/.exec(text) ?? [];
  return 60 * Number(minutes) + Number(seconds);
}

export const hashOf = async (page: Page): Promise<string> =>
  ((await page.locator("[data-testid=hash]").textContent()) ?? "").trim();

export const reading = async (page: Page, name: string): Promise<number> =>
  Number((await page.locator(`[data-reading="${name}"]`).textContent())?.replace("−", "-"));

export const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true }).click();
