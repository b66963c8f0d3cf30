/** Logs of every vehicle, read back by the format's own library, whole and cut off anywhere. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { McapIndexedReader, McapStreamReader, type McapTypes } from "@mcap/core";
import { beforeAll, describe, expect, it } from "vitest";
import { readChannels } from "../../src/formats/mcap-channels.ts";
import { InputError } from "../../src/model/input-error.ts";
import { presetNames } from "../../src/vehicle-types/index.ts";
import { folder, sideslip } from "../support/cli.ts";

const zstd = createRequire(import.meta.url)("@foxglove/wasm-zstd") as {
  isLoaded: Promise<void>;
  decompress(bytes: Uint8Array, size: number): Uint8Array;
};
beforeAll(() => zstd.isLoaded);

function readable(bytes: Uint8Array): McapTypes.IReadable {
  return {
    size: async () => BigInt(bytes.length),
    read: async (offset, size) => bytes.slice(Number(offset), Number(offset + size)),
  };
}
const open = (bytes: Uint8Array) =>
  McapIndexedReader.Initialize({
    readable: readable(bytes),
    decompressHandlers: { zstd: (data, size) => zstd.decompress(data, Number(size)) },
  });

/** Columns of a CSV. */
function columns(path: string): Record<string, number[]> {
  const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
  const rows = lines.map((l) => l.split(",").map(Number));
  return Object.fromEntries(head.split(",").map((n, i) => [n.trim(), rows.map((r) => r[i])]));
}

/** A CSV has no negative zero. */
const plain = (v: number) => (v === 0 ? 0 : v);

describe("an MCAP log", () => {
  for (const name of presetNames())
    it(`of ${name} holds all topics and all channels, bit for bit as the CSV`, async () => {
      const cwd = folder();
      const { status, stderr } = sideslip(
        ["run", name, "--duration", "4", "--out", "x.mcap", "--out", "x.csv"],
        cwd,
      );
      expect([status, stderr.replace(/^(note|warning):.*\n/gm, "")]).toEqual([0, ""]);
      const reader = await open(readFileSync(join(cwd, "x.mcap")));
      expect(reader.header.profile).toBe("ros2");
      const csv = columns(join(cwd, "x.csv"));
      const decoders = new Map<number, MessageReader>();
      for (const [id, { schemaId, messageEncoding }] of reader.channelsById) {
        const schema = reader.schemasById.get(schemaId);
        expect([messageEncoding, schema?.encoding]).toEqual(["cdr", "ros2msg"]);
        decoders.set(id, new MessageReader(parse(new TextDecoder().decode(schema?.data), { ros2: true })));
      }
      const seen = new Map<string, number>();
      const all: Record<string, number>[] = [];
      for await (const { channelId, data, logTime } of reader.readMessages()) {
        const topic = reader.channelsById.get(channelId)?.topic ?? "";
        const message = decoders.get(channelId)?.readMessage(data) as Record<string, number>;
        seen.set(topic, (seen.get(topic) ?? 0) + 1);
        if (topic !== "/sideslip/channels") continue;
        expect(Number(logTime) / 1e9).toBeCloseTo(message.t, 9);
        all.push(message);
      }
      expect(seen.size).toBe(reader.channelsById.size);
      expect(Number(reader.statistics?.messageCount)).toBe([...seen.values()].reduce((a, b) => a + b));
      expect(all.length).toBe(csv.t.length);
      for (const [field, values] of Object.entries(csv)) {
        const small = field.toLowerCase();
        expect(all.map((m) => plain(m[small]))).toEqual(values);
      }
    });

  it("that was cut off anywhere gives back everything complete", async () => {
    const cwd = folder();
    sideslip(["run", "x500", "--duration", "20", "--out", "x.mcap"], cwd);
    const bytes = readFileSync(join(cwd, "x.mcap"));
    const reader = await open(bytes);
    const ends = reader.chunkIndexes
      .map((c) => Number(c.chunkStartOffset + c.chunkLength))
      .sort((x, y) => x - y);
    expect(ends.length).toBeGreaterThan(6);
    const samples = [...reader.channelsById].find(([, c]) => c.topic === "/sideslip/channels")?.[0];
    // Samples of each chunk, counted by the format's own library.
    const counts: number[] = [];
    const stream = new McapStreamReader({
      includeChunks: true,
      decompressHandlers: { zstd: (data, size) => zstd.decompress(data, Number(size)) },
    });
    stream.append(bytes);
    for (let record = stream.nextRecord(); record; record = stream.nextRecord())
      if (record.type === "Chunk") counts.push(0);
      else if (record.type === "Message" && record.channelId === samples) counts[counts.length - 1]++;
    let state = 7;
    let compared = 0;
    for (let k = 0; k < 100; k++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      const cut = 1 + (state % (bytes.length - 1));
      const complete = ends.filter((end) => end <= cut).length;
      const wanted = counts.slice(0, complete).reduce((x, y) => x + y, 0);
      if (wanted < 2) {
        // Nothing is complete yet: that is said.
        expect(() => readChannels(bytes.subarray(0, cut), "cut.mcap")).toThrow(InputError);
        continue;
      }
      compared++;
      const { rows, problem } = readChannels(bytes.subarray(0, cut), "cut.mcap");
      expect(rows.length).toBe(wanted);
      expect(problem).toMatch(/ends in the middle|damaged/);
    }
    expect(compared).toBeGreaterThan(80);
  });

  it("of a run that is killed recovers", async () => {
    const cwd = folder();
    const { spawn } = await import("node:child_process");
    const bin = new URL("../../bin/sideslip.js", import.meta.url).pathname;
    const child = spawn(process.execPath, [bin, "run", "x500", "--duration", "1e6", "--out", "x.mcap"], {
      cwd,
    });
    await new Promise((go) => setTimeout(go, 2500));
    child.kill("SIGKILL");
    await new Promise((go) => child.on("close", go));
    const mended = sideslip(["replay", "x.mcap.part", "--out", "mended.mcap", "--out", "mended.csv"], cwd);
    expect(mended.status).toBe(0);
    expect(mended.stderr).toMatch(/x\.mcap\.part ends in the middle.*everything complete was read/);
    const reader = await open(readFileSync(join(cwd, "mended.mcap")));
    const { t } = columns(join(cwd, "mended.csv"));
    expect(t.length).toBeGreaterThan(100);
    expect(Number(reader.statistics?.messageEndTime) / 1e9).toBeCloseTo(t[t.length - 1], 9);
  });

  it("that is none, or of somebody else, is refused in words", () => {
    const cwd = folder();
    writeFileSync(join(cwd, "a.mcap"), "this is no log at all, though it is long enough to be one");
    writeFileSync(
      join(cwd, "b.mcap"),
      Buffer.from([0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a, 1, 2, 3]),
    );
    for (const file of ["a.mcap", "b.mcap", "c.mcap"]) {
      const { status, stderr } = sideslip(["replay", file, "--out", "x.csv"], cwd);
      expect(status).toBe(2);
      expect(stderr).toContain(file);
      expect(stderr).not.toMatch(/internal error|\bat \w+ \(/);
    }
  });
});

describe("a Parquet file", () => {
  it("holds what the CSV holds, with units", async () => {
    const { parquetReadObjects, parquetMetadata } = await import("hyparquet");
    const cwd = folder();
    sideslip(["run", "parafoil", "--duration", "200", "--out", "x.parquet", "--out", "x.csv"], cwd);
    const bytes = readFileSync(join(cwd, "x.parquet"));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const rows = await parquetReadObjects({ file });
    for (const [name, values] of Object.entries(columns(join(cwd, "x.csv"))))
      expect(rows.map((r) => plain(r[name]))).toEqual(values);
    const { key_value_metadata: notes } = parquetMetadata(file);
    expect(notes?.find((n) => n.key === "north")?.value).toMatch(/^m, /);
  });

  it("cut off anywhere behind its first samples is mended: what is left are the first rows of the whole", () => {
    const cwd = folder();
    writeFileSync(
      join(cwd, "long.yaml"),
      "vehicle: parafoil\nduration: 400\ncontrol_dt: 0.01\ninitial: { altitude: 900 }\n",
    );
    sideslip(["run", "long.yaml", "--out", "x.parquet", "--out", "x.csv"], cwd);
    const bytes = readFileSync(join(cwd, "x.parquet"));
    const whole = readFileSync(join(cwd, "x.csv"), "utf8");
    const first = bytes.indexOf("PAR1", 4) + 4;
    const counts = [first + 1, first + 5000, bytes.length - 30_000, bytes.length - 3].map((end) => {
      writeFileSync(join(cwd, "cut.parquet.part"), bytes.subarray(0, end));
      const { status, stderr } = sideslip(["replay", "cut.parquet.part", "--out", "cut.csv"], cwd);
      expect(stderr).toMatch(/cut\.parquet\.part was cut off; all samples up to t = [\d.]+ s were read/);
      expect(status).toBe(0);
      const mended = readFileSync(join(cwd, "cut.csv"), "utf8");
      expect(whole.startsWith(mended)).toBe(true);
      return mended.split("\n").length - 2;
    });
    // Groups of 8192, some of them without a footer: none is lost but the last few.
    expect(counts.every((n) => n >= 8192 && n % 8192 === 0)).toBe(true);
    expect(counts[0]).toBe(8192);
    expect(counts[3]).toBeGreaterThan(0.5 * 40_000);
    writeFileSync(join(cwd, "cut.parquet.part"), bytes.subarray(0, first - 1));
    const { status, stderr } = sideslip(["replay", "cut.parquet.part", "--out", "none.csv"], cwd);
    expect(status).toBe(2);
    expect(stderr).toMatch(/was cut off before its first block of samples was complete/);
    expect(existsSync(join(cwd, "none.csv"))).toBe(false);
  });

  it("is played again like other logs", () => {
    const cwd = folder();
    sideslip(["run", "parafoil", "--duration", "5", "--out", "x.parquet", "--out", "x.csv"], cwd);
    expect(sideslip(["replay", "x.parquet", "--out", "again.csv"], cwd).stderr).toBe("");
    expect(readFileSync(join(cwd, "again.csv"), "utf8")).toBe(readFileSync(join(cwd, "x.csv"), "utf8"));
  });
});
