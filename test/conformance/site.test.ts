/** The site is one folder that needs no other host, and its pages lead to pages that are there. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { VEHICLE_TYPES } from "../../src/vehicle-types/index.ts";
import { sideslip } from "../support/cli.ts";

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
    const { stdout: help } = sideslip(["--help"]);
    const commands = [...help.matchAll(/^ {2}([a-z]+)[ |]/gm)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(20);
    for (const name of commands.filter((c) => c !== "help")) {
      expect(pages).toContain(`cli/${name}.html`);
      expect(read(`cli/${name}.html`)).toContain("Usage: sideslip");
    }
    for (const { name } of VEHICLE_TYPES) expect(pages).toContain(`vehicles/${name}.html`);
    expect(read("vehicles/car.html")).toContain("<code>I_z</code>");
    for (const file of readdirSync(join(root, "src/library")))
      expect(pages).toContain(`api/library/${file.replace(".ts", "")}/index.html`);
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
