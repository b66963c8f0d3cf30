/** The site is one folder that needs no other host, and its pages lead to pages that are there. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const site = join(root, "site/dist");
let pages: string[] = [];

beforeAll(() => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/site.mjs")], {
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((f) => f.endsWith(".html"));
}, 240_000);

const read = (file: string) => readFileSync(join(site, file), "utf8");

describe("the site", () => {
  it("has a page for every command, every type of vehicle and every part of the library", () => {
    for (const page of [
      "cli/trim",
      "cli/campaign",
      "vehicles/car",
      "vehicles/aircraft",
      "api/library/models/index",
    ])
      expect(pages).toContain(`${page}.html`);
    expect(read("vehicles/car.html")).toMatch(/yaw moment of inertia|moment of inertia/);
    expect(read("cli/trim.html")).toMatch(/--airspeed/);
    expect(existsSync(join(site, "studio/index.html"))).toBe(true);
  });

  it("loads nothing from another host", () => {
    const foreign = /<(?:script|link|img|iframe|source)[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g;
    const found = pages.flatMap((page) =>
      [...read(page).matchAll(foreign)].map(([text]) => `${page}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it("leads to pages that are there", () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/href="(\/[^"#?]*\.html)/g)]
        .map(([, link]) => link)
        .filter((link) => !existsSync(join(site, link)))
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it("offers every example in the Studio", () => {
    const gallery = read("gallery.html");
    for (const file of readdirSync(join(root, "examples")).filter((f) => f.endsWith(".yaml")))
      expect(gallery).toContain(file);
    expect(gallery).toMatch(/#flight=[\w-]{100,}/);
  });
});
