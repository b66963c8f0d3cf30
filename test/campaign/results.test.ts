/** Results that are not what a campaign wrote are refused in words, and nothing is written over. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { beforeAll, describe, expect, it } from "vitest";
import { begin } from "../support/campaign.ts";
import { folder, sideslip } from "../support/cli.ts";

const at = folder();
const spec = `
scenario: { vehicle: parafoil, duration: 0.1, initial: { altitude: 20 } }
runs: 32
vary: { parameters.m: { uniform: { from: 2.2 kg, to: 2.7 kg } } }
measure: { a: { final: north }, b: { final: east } }
`;
const run = (...args: string[]) => sideslip(args, at);

beforeAll(() => {
  writeFileSync(join(at, "c.yaml"), spec);
  writeFileSync(join(at, "other.yaml"), spec.replace("runs: 32", "runs: 40"));
  expect(run("campaign", "c.yaml").status).toBe(0);
  expect(run("campaign", "other.yaml").status).toBe(0);
});

const buffer = (path: string): ArrayBuffer => {
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
};

interface Told {
  names: string[];
  types: string[];
  data: unknown[][];
  metadata: Record<string, string>;
}

/** The result, written again by another writer with something changed. */
async function edited(name: string, change: (table: Told) => void): Promise<string> {
  const file = buffer(join(at, "c.parquet"));
  const { schema, key_value_metadata: pairs = [] } = parquetMetadata(file);
  const rows = await parquetReadObjects({ file });
  const columns = schema.slice(1);
  const table: Told = {
    names: columns.map((c) => c.name),
    types: columns.map((c) => (c.converted_type === "UTF8" ? "STRING" : String(c.type))),
    data: columns.map((c) => rows.map((row) => row[c.name])),
    metadata: Object.fromEntries(pairs.map(({ key, value }) => [key, value ?? ""])),
  };
  // It knows nothing of our checksum.
  delete table.metadata["sideslip.checksum"];
  change(table);
  const bytes = parquetWriteBuffer({
    columnData: table.names.map((column, i) => ({
      name: column,
      data: table.data[i],
      type: table.types[i] as "DOUBLE",
      nullable: column === "a" || column === "b" || column === "error",
    })),
    kvMetadata: Object.entries(table.metadata).map(([key, value]) => ({ key, value })),
  });
  writeFileSync(join(at, name), new Uint8Array(bytes));
  return name;
}

describe("a result that somebody edited", () => {
  it("is shown as it is where another writer changed nothing", async () => {
    const path = await edited("same.parquet", () => {});
    const { status, stderr } = run("campaign", "show", path);
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  it.each<[string, (table: Told) => void, RegExp]>([
    ["names exchanged", ({ names }) => names.splice(3, 2, "b", "a"), /has b \(DOUBLE\) where a \(DOUBLE\)/],
    [
      "a column gone",
      ({ names, types, data }) => {
        for (const list of [names, types, data]) list.splice(3, 1);
      },
      /has b \(DOUBLE\) where a \(DOUBLE\)/,
    ],
    [
      "truths as numbers",
      (table) => {
        const i = table.names.indexOf("failed");
        table.types[i] = "INT32";
        table.data[i] = table.data[i].map(Number);
      },
      /has failed \(INT32\) where failed \(BOOLEAN\)/,
    ],
    [
      "another specification",
      ({ metadata }) => {
        metadata["sideslip.campaign"] = metadata["sideslip.campaign"].replace("2.7 kg", "4.7 kg");
      },
      /contains another specification \(\w+\) than the one that was flown/,
    ],
    [
      "no specification that can be read",
      ({ metadata }) => {
        metadata["sideslip.campaign"] = "{";
      },
      /holds a specification that cannot be read/,
    ],
  ])("%s: refused by show, merge and run", async (name, change, words) => {
    const path = await edited(`${name}.parquet`, change);
    for (const args of [
      ["campaign", "show", path],
      ["campaign", "merge", path, "--out", "m.parquet"],
      ["run", path, "--index", "1"],
    ]) {
      const { status, stderr } = run(...args);
      expect(stderr).toMatch(words);
      expect(stderr).not.toMatch(/internal error/);
      expect(status).toBe(2);
    }
    expect(existsSync(join(at, "m.parquet"))).toBe(false);
  });

  it("any byte turned over gives a sentence, never an internal error", () => {
    const whole = readFileSync(join(at, "c.parquet"));
    const step = Math.ceil(whole.length / 40);
    for (let place = 4; place < whole.length; place += step) {
      const bytes = Buffer.from(whole);
      bytes[place] ^= 0xff;
      writeFileSync(join(at, "turned.parquet"), bytes);
      const { stderr, stdout } = run("campaign", "show", "turned.parquet");
      expect(stderr, `byte ${place}`).not.toMatch(/internal error|undefined|DataView/);
      expect(stdout + stderr).not.toBe("");
    }
    for (const length of [0, 4, 500]) {
      writeFileSync(join(at, "cut.parquet"), whole.subarray(0, length));
      expect(run("campaign", "show", "cut.parquet").stderr).toMatch(
        /it is not a Parquet file, or was cut off/,
      );
    }
  });
});

describe("what is there", () => {
  it("a finished campaign is shown, not flown again", () => {
    const before = readFileSync(join(at, "c.parquet"));
    const { status, stderr } = run("campaign", "c.yaml", "--report", "c.html");
    expect(stderr).toMatch(/c\.parquet is complete already; --force runs it again/);
    expect(status).toBe(0);
    expect(existsSync(join(at, "c.html"))).toBe(true);
    expect(readFileSync(join(at, "c.parquet"))).toEqual(before);
    // As it is after a kill between the last two deeds.
    mkdirSync(join(at, "c.parquet.parts"));
    expect(run("campaign", "c.yaml", "--resume").status).toBe(0);
    expect(existsSync(join(at, "c.parquet.parts"))).toBe(false);
    expect(run("campaign", "c.yaml", "--force").stderr).toBe("");
  });

  it("is not written over by merge", () => {
    mkdirSync(join(at, "d.parquet"));
    writeFileSync(join(at, "file"), "");
    for (const [out, words] of [
      ["other.parquet", /other\.parquet: holds the result of another campaign/],
      ["c.parquet", /--out: is also one of the inputs/],
      ["m.txt", /is not the name of a Parquet file/],
      ["nowhere/m.parquet", /its folder does not exist/],
      ["file/m.parquet", /is not a folder/],
      ["d.parquet", /it is a directory/],
    ] as const) {
      const { status, stderr } = run("campaign", "merge", "c.parquet", "--out", out);
      expect(stderr).toMatch(words);
      expect(status).toBe(2);
    }
  });

  it("parts of one share are not taken for another's", async () => {
    const long = spec.replace("duration: 0.1", "duration: 60, dt: 0.0005").replace("runs: 32", "runs: 200");
    writeFileSync(join(at, "long.yaml"), long);
    const { child, ended } = begin(["campaign", "long.yaml"], at);
    while (!existsSync(join(at, "long.parquet.parts", "campaign.json")))
      await new Promise((go) => setTimeout(go, 10));
    child.kill("SIGINT");
    await ended;
    const { status, stderr } = run(
      "campaign",
      "long.yaml",
      "--resume",
      "--shard",
      "2/2",
      "--out",
      "long.parquet",
    );
    expect(stderr).toMatch(/is of the whole of the campaign, not of share 2\/2/);
    expect(status).toBe(2);
  });
});

it("a state says how it moves: conditions beside it are refused", () => {
  writeFileSync(join(at, "state.json"), JSON.stringify({ v_north: 4.4 }));
  for (const flags of [
    ["--airspeed", "5"],
    ["--set", "brake_left=0.9"],
  ]) {
    const { status, stderr } = run("modes", "parafoil", "--state", "state.json", ...flags);
    expect(stderr).toMatch(/cannot be combined with --state or --run/);
    expect(status).toBe(2);
  }
  writeFileSync(join(at, "big.json"), JSON.stringify({ v_north: 1e308 }));
  expect(run("linearize", "parafoil", "--state", "big.json").stderr).toMatch(
    /the rate of \w+ is NaN at this state/,
  );
});
