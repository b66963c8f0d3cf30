/** The same rows whoever does the work, and however often it is killed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { begin, DROPS, rowsIn, surviveKills } from "../support/campaign.ts";
import { folder, sideslip } from "../support/cli.ts";
import { freePort, hasRedis, RedisServer } from "../support/redis.ts";

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms));
const at = folder();
const spec = join(at, "drops.yaml");
let truth: Record<string, unknown>[];

beforeAll(async () => {
  writeFileSync(spec, DROPS);
  const { status, stderr } = sideslip(
    ["campaign", spec, "--threads", "1", "--plain", "--out", "truth.parquet"],
    at,
  );
  expect(stderr).toBe("");
  expect(status).toBe(0);
  truth = await rowsIn(join(at, "truth.parquet"));
});

const isTruth = async (path: string) => expect(await rowsIn(path)).toEqual(truth);

describe("on this machine", () => {
  it("has a row for every run, in order, with different ends", () => {
    expect(truth.map((row) => row.run)).toEqual(Array.from({ length: 320 }, (_, i) => i));
    expect(new Set(truth.map((row) => row.hash)).size).toBe(320);
    expect(truth.every((row) => row.failed === false && row.end === "landing" && row.error === null)).toBe(
      true,
    );
  });

  it("two threads with machine code give the bytes of one without", () => {
    expect(sideslip(["campaign", spec, "--threads", "2", "--out", "two.parquet"], at).status).toBe(0);
    expect(readFileSync(join(at, "two.parquet")).equals(readFileSync(join(at, "truth.parquet")))).toBe(true);
  });

  it("killed at twenty moments, half of them while a file is written, and resumed: the same bytes", async () => {
    let [kills, inWrites] = [0, 0];
    // A campaign that ends before it was killed so often is followed by another.
    for (let round = 0; kills < 20; round++) {
      const out = join(at, `killed-${round}.parquet`);
      const survived = await surviveKills(spec, out, at, 20 - kills, 1 + round);
      kills += survived.kills;
      inWrites += survived.inWrites;
      expect(readFileSync(out).equals(readFileSync(join(at, "truth.parquet")))).toBe(true);
      expect(existsSync(`${out}.parts`)).toBe(false);
    }
    console.log(`${kills} kills, ${inWrites} of them with a file in the making`);
    expect(inWrites).toBeGreaterThan(0);
  });

  it("asked to stop keeps what is done and says how to go on", async () => {
    const out = join(at, "stopped.parquet");
    const { child, ended } = begin(["campaign", spec, "--out", out], at);
    while (!(existsSync(`${out}.parts`) && readdirSync(`${out}.parts`).length > 3)) await pause(10);
    child.kill("SIGINT");
    const { status, text } = await ended;
    expect(status).toBe(130);
    expect(text).toMatch(/interrupted; completed blocks are in .*--resume to continue/);
    expect(existsSync(out)).toBe(false);
    const again = sideslip(["campaign", spec, "--out", out], at);
    expect(again.status).toBe(2);
    expect(again.stderr).toMatch(/unfinished campaign.*--resume/);
    // A part cut short and one with another content are done again.
    const [first, second] = readdirSync(`${out}.parts`).filter((f) => f.endsWith(".parquet"));
    truncateSync(join(`${out}.parts`, first), 1000);
    const part = readFileSync(join(`${out}.parts`, second));
    part[200] ^= 1;
    writeFileSync(join(`${out}.parts`, second), part);
    const resumed = sideslip(["campaign", spec, "--resume", "--out", out], at);
    expect(resumed.stderr).toMatch(new RegExp(`${first}.*repeated`));
    expect(resumed.status).toBe(0);
    await isTruth(out);
  });

  it("does not go on with parts of another specification", async () => {
    const out = join(at, "other.parquet");
    const other = join(at, "other.yaml");
    writeFileSync(other, DROPS.replace("seed: 3", "seed: 4"));
    const { child, ended } = begin(["campaign", spec, "--out", out], at);
    while (!existsSync(join(`${out}.parts`, "campaign.json"))) await pause(10);
    child.kill("SIGKILL");
    await ended;
    const { status, stderr } = sideslip(["campaign", other, "--resume", "--out", out], at);
    expect(status).toBe(2);
    expect(stderr).toMatch(/is of another campaign/);
  });

  it("two at once do not get in each other's way: the second is refused, and nothing is lost", async () => {
    const out = join(at, "twice.parquet");
    const first = begin(["campaign", spec, "--out", out], at);
    while (!existsSync(join(`${out}.parts`, "lock"))) await pause(10);
    const second = sideslip(["campaign", spec, "--resume", "--out", out], at);
    expect(second.status).toBe(2);
    expect(second.stderr).toMatch(/another process works on this campaign/);
    expect((await first.ended).status).toBe(0);
    await isTruth(out);
  });

  it("says before the first run what could not be written after the last", () => {
    mkdirSync(join(at, "dir.parquet"));
    for (const [flags, words] of [
      [["--out", "dir.parquet"], /dir\.parquet: cannot be written: it is a directory/],
      [["--out", "no/where/x.parquet"], /cannot be written: its folder does not exist/],
      [["--out", "x.csv"], /x\.csv.*Parquet.*\.parquet/],
      [["--report", "x.pdf"], /--report.*\.html/],
      [["--report", "no/where/x.html"], /x\.html: cannot be written: its folder does not exist/],
      [["--threads", "0"], /--threads.*1 to 1024/],
      [["--shard", "4/3"], /--shard.*4\/3.*1\/n to n\/n/],
      [["--runs", "none"], /runs.*none/],
      [["--engine", "foo"], /--engine: is not an address.*redis:\/\//],
      [["--engine", "http://x"], /--engine.*http/],
      [["--engine", "redis://127.0.0.1:1?password=hunter2"], /--engine: has more than/],
    ] as [string[], RegExp][]) {
      const { status, stderr } = sideslip(["campaign", spec, ...flags], at);
      expect(stderr).toMatch(words);
      expect(stderr).not.toMatch(/hunter2|internal error|\bat .*\.js/);
      expect(status).toBe(2);
    }
    expect(sideslip(["worker", "--engine", "foo"], at).stderr).toMatch(/--engine: is not an address/);
    expect(readdirSync(at).filter((name) => /^(x|drops)\..*(parts|try|tmp)/.test(name))).toEqual([]);
  });

  it("refuses a result of which a letter was changed: its checksum does not fit", () => {
    const bytes = readFileSync(join(at, "truth.parquet"));
    // One letter of a hash, wherever the table keeps it.
    const place = bytes.indexOf(Buffer.from(String(truth[5].hash)));
    bytes[place] = bytes[place] === 0x61 ? 0x62 : 0x61;
    writeFileSync(join(at, "changed.parquet"), bytes);
    const shown = sideslip(["campaign", "show", "changed.parquet"], at);
    expect(shown.stderr).toMatch(/changed\.parquet: cannot be read: it is damaged/);
    expect(shown.status).toBe(2);
    const merged = sideslip(["campaign", "merge", "changed.parquet", "--out", "m.parquet"], at);
    expect(merged.stderr).toMatch(/changed\.parquet: cannot be read: it is damaged/);
    expect(merged.status).toBe(2);
    expect(sideslip(["campaign", "show", spec], at).stderr).toMatch(
      /cannot be read: it is not a Parquet file/,
    );
  });

  it("keeps the samples that are asked for, and none of an older campaign", () => {
    const traced = join(at, "traced.yaml");
    const write = (traces: string) =>
      writeFileSync(
        traced,
        `${DROPS.replace("runs: 320", "runs: 16").replace("dt: 0.001", "dt: 0.005")}\ntraces: ${traces}\n`,
      );
    write("{ first: 4, fields: [north, altitude] }");
    expect(sideslip(["campaign", traced], at).status).toBe(0);
    expect(readdirSync(join(at, "traced.traces"))).toHaveLength(4);
    write("{ every: 8 }");
    const refused = sideslip(["campaign", traced], at);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/traced\.parquet: holds the result of another campaign.*--force/);
    expect(sideslip(["campaign", traced, "--force"], at).status).toBe(0);
    expect(readdirSync(join(at, "traced.traces"))).toEqual(["run-00000000.parquet", "run-00000008.parquet"]);
  });

  it("shares put together are the whole; without one of them they are not", async () => {
    for (const i of [1, 2, 3])
      expect(sideslip(["campaign", spec, "--shard", `${i}/3`, "--out", `s${i}.parquet`], at).status).toBe(0);
    const some = sideslip(["campaign", "merge", "s1.parquet", "s3.parquet", "--out", "some.parquet"], at);
    expect(some.status).toBe(2);
    expect(some.stderr).toMatch(/of 320 runs are missing from these files/);
    expect(existsSync(join(at, "some.parquet"))).toBe(false);
    // One of them twice: its runs count once.
    const all = ["s3.parquet", "s1.parquet", "s2.parquet", "s1.parquet"];
    expect(sideslip(["campaign", "merge", ...all, "--out", "all.parquet"], at).status).toBe(0);
    expect(readFileSync(join(at, "all.parquet")).equals(readFileSync(join(at, "truth.parquet")))).toBe(true);
    const many = sideslip(["campaign", spec, "--shard", "1/1000"], at);
    expect(many.stderr).toMatch(/--shard: 1000 shards are more than the campaign has blocks.*up to 40/);
  });

  it("a run again is the run of the campaign, from its specification and from its result", () => {
    const { hash } = truth[17];
    for (const source of [spec, "truth.parquet"]) {
      const { stdout } = sideslip(["run", source, "--index", "17", "--json"], at);
      expect(JSON.parse(stdout).hash).toBe(hash);
    }
  });
});

describe.skipIf(!hasRedis)("through Redis", () => {
  const servers: RedisServer[] = [];
  const children: ReturnType<typeof begin>[] = [];
  const server = async () => {
    const made = new RedisServer(await freePort());
    servers.push(made);
    await made.start();
    return made;
  };
  const worker = (url: string) => {
    const made = begin(["worker", "--engine", url, "--threads", "1"], at);
    children.push(made);
    return made;
  };
  afterAll(async () => {
    for (const { child } of children) child.kill("SIGKILL");
    for (const s of servers) await s.stop();
  });

  it("three workers of which one is killed every now and then: the same bytes", async () => {
    const { url } = await server();
    const out = join(at, "redis.parquet");
    const workers = [worker(url), worker(url), worker(url)];
    const campaign = begin(["campaign", spec, "--engine", url, "--out", out], at);
    children.push(campaign);
    let isOver = false;
    void campaign.ended.then(() => {
      isOver = true;
    });
    let kills = 0;
    for (let i = 0; !isOver && i < 600; i++) {
      await pause(100);
      if (i % 15 === 14 && kills < 6 && !isOver) {
        workers[kills % 3].child.kill("SIGKILL");
        workers[kills % 3] = worker(url);
        kills++;
      }
    }
    const { status, text } = await campaign.ended;
    expect(text).not.toMatch(/secret/);
    expect(status).toBe(0);
    console.log(`${kills} workers killed`);
    expect(kills).toBeGreaterThan(0);
    expect(readFileSync(out).equals(readFileSync(join(at, "truth.parquet")))).toBe(true);
  });

  it("a Redis that goes away and comes back empty costs nothing but time", async () => {
    const redis = await server();
    const out = join(at, "away.parquet");
    worker(redis.url);
    const campaign = begin(["campaign", spec, "--engine", redis.url, "--out", out], at);
    children.push(campaign);
    while (!(existsSync(`${out}.parts`) && readdirSync(`${out}.parts`).length > 4)) await pause(20);
    await redis.stop();
    await pause(2500);
    await redis.start();
    const { status, text } = await campaign.ended;
    expect(text).toMatch(/landing_north/);
    expect(status).toBe(0);
    expect(readFileSync(out).equals(readFileSync(join(at, "truth.parquet")))).toBe(true);
  });

  it("says what is wrong: no server, wrong password, no worker, a worker of another version", async () => {
    const port = await freePort();
    const none = sideslip(
      ["campaign", spec, "--engine", `redis://127.0.0.1:${port}`, "--out", "none.parquet"],
      at,
    );
    expect(none.status).toBe(2);
    expect(none.stderr).toMatch(/--engine: redis:\/\/127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/);
    const redis = await server();
    const wrong = sideslip(["worker", "--engine", redis.url.replace("secret", "wrong")], at);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toMatch(/cannot be used: .*(WRONGPASS|invalid)/);
    expect(wrong.stderr).not.toMatch(/:wrong@/);
    const { Redis } = await import("ioredis");
    const client = new Redis(redis.url);
    await client.set("sideslip:worker:old", "0.0.1-0123456789abcdef", "EX", 60);
    const alone = begin(["campaign", spec, "--engine", redis.url, "--out", join(at, "alone.parquet")], at);
    children.push(alone);
    let said = "";
    for (const out of [alone.child.stderr, alone.child.stdout])
      out?.on("data", (text) => {
        said += text;
      });
    for (let i = 0; i < 300 && !said.includes("another version"); i++) await pause(100);
    expect(said).toMatch(
      /have another version \(0\.0\.1-0123456789abcdef.*start some: sideslip worker --engine redis:\/\/:\*\*\*@/,
    );
    alone.child.kill("SIGINT");
    expect((await alone.ended).status).toBe(130);
    client.disconnect();
  });
});
