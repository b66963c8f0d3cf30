/** The Studio's page on a simulation that runs in Node, and on logs. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { folder, sideslip } from "../support/cli.ts";
import { stopPeers } from "../support/dds/peers.ts";
import { serve } from "../support/served.ts";
import { hasChromium, reading, StudioServer, timeOf } from "../support/studio.ts";

const describeStudio = hasChromium ? describe : describe.skip;
let browser: Browser;
const studio = new StudioServer();
if (hasChromium) {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
    await studio.start();
  });
  afterAll(async () => {
    await browser.close();
    await studio.stop();
  });
}
afterEach(stopPeers);

async function visit(address: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
  await page.addInitScript(() => localStorage.setItem("sideslip.hints", '"seen"'));
  await page.goto(address);
  await page
    .locator("[data-testid=hash]")
    .filter({ hasText: /[0-9a-f]{16}/ })
    .waitFor();
  return page;
}
const role = (page: Page) => page.locator("[data-testid=elsewhere]").textContent();

describeStudio("a simulation in Node", () => {
  it("is looked at by several pages and steered by one at a time", async () => {
    const served = await serve(["serve", "parafoil", "--studio", "0"]);
    const address = served.facts.studio as string;
    const [first, second] = [await visit(address), await visit(address)];
    expect(await role(first)).toMatch(/parafoil .*no page has control/);
    const begun = await timeOf(second);
    await expect.poll(() => timeOf(second)).toBeGreaterThan(begun + 0.5);

    // Who touches a key first steers.
    await first.locator("body").click({ position: { x: 400, y: 300 } });
    await first.keyboard.down("r");
    await expect.poll(() => role(first)).toMatch(/you have control/);
    await expect.poll(() => role(second)).toMatch(/another page has control/);
    const steady = await reading(second, "angle of attack");
    await expect.poll(async () => (await reading(second, "angle of attack")) - steady).toBeGreaterThan(2);
    await first.keyboard.up("r");
    await second.keyboard.press("p");
    await second.getByText(/another page has control: close it to take over/).waitFor();
    const running = await timeOf(second);
    await expect.poll(() => timeOf(second)).toBeGreaterThan(running + 0.3);

    await first.close();
    await expect.poll(() => role(second)).toMatch(/no page has control/);
    await second.keyboard.press("p");
    await expect.poll(() => role(second)).toMatch(/you have control/);
    // News of the pause takes its way; then time stands still.
    const advance = async () => {
      const before = await timeOf(second);
      await new Promise((go) => setTimeout(go, 500));
      return (await timeOf(second)) - before;
    };
    await expect.poll(advance).toBe(0);
    expect(await advance()).toBe(0);

    const status = await served.stop();
    expect(status.studio.refused).toBeGreaterThan(0);
    await second.getByText(/the server was closed or restarted/).waitFor();
  });

  it("lets nobody in without its word, or from another page", async () => {
    const served = await serve(["serve", "parafoil", "--studio", "0"]);
    const { host, hash } = new URL(served.facts.studio as string);
    const token = hash.replace("#session=", "");
    const knock = (words: string, origin: string | undefined) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://${host}/${words}`, origin === undefined ? {} : { origin });
        socket.on("open", () => resolve("in"));
        socket.on("unexpected-response", (_, response) => resolve(String(response.statusCode)));
        socket.on("error", () => resolve("403"));
      });
    expect(await knock(`session?token=${token}`, `http://${host}`)).toBe("in");
    expect(await knock(`session?token=${"0".repeat(32)}`, `http://${host}`)).toBe("403");
    expect(await knock("session", `http://${host}`)).toBe("403");
    expect(await knock(`session?token=${token}`, "http://evil.example")).toBe("403");
    expect(await knock(`session?token=${token}`, undefined)).toBe("403");
    expect(await knock(`other?token=${token}`, `http://${host}`)).toBe("403");
    // A page's own name that leads here: neither page nor socket.
    const [bound, where] = host.split(":");
    const asked = (path: string, named: string) =>
      new Promise<IncomingMessage>((resolve) => {
        get({ host: bound, port: where, path, headers: { host: named } }, (response) => {
          response.resume();
          resolve(response);
        });
      });
    expect((await asked("/", `evil.example:${where}`)).statusCode).toBe(421);
    const page = await asked("/", host);
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-security-policy"]).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(page.headers["x-frame-options"]).toBe("DENY");
    const rebound = `http://evil.example:${where}`;
    const socket = new WebSocket(`ws://${host}/session?token=${token}`, {
      origin: rebound,
      headers: { host: `evil.example:${where}` },
    });
    expect(await new Promise((go) => socket.on("unexpected-response", (_, r) => go(r.statusCode)))).toBe(421);
    // Requests that are none, and visitors that break off: the server stays.
    const [name, port] = host.split(":");
    for (let k = 0; k < 100; k++) {
      const rough = connect(Number(port), name);
      rough.on("error", () => {});
      const path = k % 2 === 0 ? "//[" : "/session?token=%";
      rough.write(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
      );
      await new Promise((go) => rough.once("connect", go));
      rough.resetAndDestroy();
    }
    expect(await knock(`session?token=${token}`, `http://${host}`)).toBe("in");
    // Downloads that are broken off and upgrades that are refused leave nothing open.
    const open = () => readdirSync(`/proc/${served.process.pid}/fd`).length;
    if (process.platform === "linux") {
      const before = open();
      const refused: Socket[] = [];
      for (let k = 0; k < 100; k++) {
        const path = k % 2 === 0 ? "/" : "/session?token=x";
        const upgrade = k % 2 === 0 ? "" : "Upgrade: websocket\r\nConnection: Upgrade\r\n";
        const visitor = connect({ port: Number(port), host: name, allowHalfOpen: true });
        visitor.on("error", () => {});
        visitor.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n`);
        await new Promise((go) => visitor.once("data", go));
        if (k % 2 === 0) visitor.resetAndDestroy();
        else refused.push(visitor);
      }
      await expect.poll(open).toBeLessThan(before + 6);
      for (const visitor of refused) visitor.destroy();
    }
    await served.stop();
  });

  it("answers nonsense with a refusal, and goes on", async () => {
    const served = await serve(["serve", "parafoil", "--studio", "0"]);
    const { host, hash } = new URL(served.facts.studio as string);
    const socket = new WebSocket(`ws://${host}/session?token=${hash.replace("#session=", "")}`, {
      origin: `http://${host}`,
    });
    const news: string[] = [];
    socket.on("message", (data) => news.push(String(data)));
    await new Promise((go) => socket.on("open", go));
    const bad = [
      "{",
      "null",
      '{"command":{"type":"start","vehicle":"x500"}}',
      '{"command":{"type":"seek","tick":{"$number":"NaN"}}}',
      '{"command":{"type":"setParameters","values":{"m":{"$number":"NaN"}}}}',
      '{"command":{"type":"setEnvironment","spec":{"wind":"nonsense"}}}',
      '{"id":1,"query":{"type":"history","names":["nothing"],"from":0,"to":1,"most":10}}',
      '{"id":2,"query":{"type":"csv","names":[{}]}}',
    ];
    for (const words of bad) socket.send(words);
    await expect
      .poll(() => news.filter((n) => /rejected|failure/.test(n)).length)
      .toBeGreaterThanOrEqual(bad.length - 1);
    expect(news.join()).toMatch(/a simulation of a server: choose the vehicle with sideslip serve/);
    socket.send('{"command":{"type":"setSpeed","value":2}}');
    await expect.poll(() => news.at(-1)).toMatch(/"speed":2/);
    await served.stop();
  });

  it("a log is played to pages, too, and can only be looked at", async () => {
    const cwd = folder();
    sideslip(["run", "x500", "--duration", "10", "--out", "x.mcap"], cwd);
    const served = await serve(["replay", "x.mcap", "--studio", "0"], cwd);
    const page = await visitLog(served.facts.studio as string);
    await expect.poll(() => timeOf(page)).toBeGreaterThan(0.5);
    await served.stop();
  });
});

/** A log has no hash of its own. */
async function visitLog(address: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
  await page.addInitScript(() => localStorage.setItem("sideslip.hints", '"seen"'));
  await page.goto(address);
  return page;
}

describeStudio("an MCAP log in the page", () => {
  it("is opened and played, and one that was cut off as far as it goes", async () => {
    const cwd = folder();
    sideslip(["run", "x500", "--duration", "10", "--out", "x.mcap"], cwd);
    const page = await studio.visit("#vehicle=parafoil");
    await page.locator("input[type=file]").setInputFiles(join(cwd, "x.mcap"));
    await page.locator("option", { hasText: "x.mcap" }).waitFor({ state: "attached" });
    await expect.poll(() => timeOf(page)).toBeGreaterThan(0.5);
    const bytes = readFileSync(join(cwd, "x.mcap"));
    writeFileSync(join(cwd, "cut.mcap"), bytes.subarray(0, Math.floor(0.7 * bytes.length)));
    await page.locator("input[type=file]").setInputFiles(join(cwd, "cut.mcap"));
    await page.getByText(/everything complete was read/).waitFor();
    writeFileSync(join(cwd, "bad.mcap"), "nothing of that kind");
    await page.locator("input[type=file]").setInputFiles(join(cwd, "bad.mcap"));
    await page.getByText(/bad\.mcap.*is not an MCAP log/).waitFor();
    expect(studio.complaints).toEqual([]);
  });
});
