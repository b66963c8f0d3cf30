/** Damaged and hostile results: found before they are decoded, or ended in a process of their own. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { openGuarded } from "../../src/campaign/guarded-table.ts";
import { received } from "../../src/campaign/redis.ts";
import { openTable } from "../../src/campaign/table.ts";
import { isSealed, SEAL } from "../../src/formats/seal.ts";
import { uniform } from "../../src/math/random.ts";
import { folder, sideslip } from "../support/cli.ts";

const at = folder();
const SPECIFICATION = `
scenario: { vehicle: parafoil, duration: 3, initial: { altitude: 100 } }
runs: 12
vary: { parameters.m: { uniform: { from: 2.3, to: 2.6 } } }
measure: { airspeed: { final: airspeed } }
`;
let file = "";
let bytes = new Uint8Array();
const reader = new URL("../../dist/sideslip-reader.js", import.meta.url);
beforeAll(() => {
  writeFileSync(join(at, "mini.yaml"), SPECIFICATION);
  const { status, stderr } = sideslip(["campaign", "mini.yaml"], at);
  expect([status, stderr.replace(/\s*\d+ %.*\n/g, "")]).toEqual([0, ""]);
  file = join(at, "mini.parquet");
  bytes = new Uint8Array(readFileSync(file));
});
const bufferOf = (b: Uint8Array) => b.slice().buffer;

describe("a result with one bit flipped", () => {
  it("is never taken for what was written: every hundredth bit of the file, and all of its end", async () => {
    expect(await isSealed(bufferOf(bytes))).toBe(true);
    const mark = new TextDecoder("latin1").decode(bytes).lastIndexOf(SEAL);
    let unsealed = 0;
    for (let bit = 0; bit < 8 * bytes.length; bit += bit < 8 * (bytes.length - 120) ? 97 : 1) {
      const damaged = bytes.slice();
      damaged[bit >> 3] ^= 1 << (bit & 7);
      const found = await isSealed(damaged.buffer);
      expect(found).not.toBe(true);
      // The key itself is hit: it counts as a file without a seal, which a part of ours never is.
      if (found === undefined) {
        unsealed++;
        expect(Math.floor(bit / 8)).toBeGreaterThanOrEqual(mark);
      }
    }
    // Key, lengths and the name of the writer behind it.
    expect(unsealed).toBeLessThanOrEqual(8 * 28);
  });
  it("is refused in words by campaign show", () => {
    const damaged = bytes.slice();
    damaged[282] ^= 1 << 4;
    const path = join(at, "damaged.parquet");
    writeFileSync(path, damaged);
    const { status, stderr } = sideslip(["campaign", "show", path], at);
    expect(status).toBe(2);
    expect(stderr).toMatch(/damaged\.parquet: cannot be read: it is damaged: its checksum does not match/);
  });
});

describe("a file of somebody else, without a seal", () => {
  /** With the seal's key spoilt it counts as none. */
  const unsealed = () => {
    const others = bytes.slice();
    others[new TextDecoder("latin1").decode(others).lastIndexOf(SEAL)] ^= 1;
    return others;
  };
  it("is read as before", async () => {
    const path = join(at, "others.parquet");
    writeFileSync(path, unsealed());
    const table = await openGuarded(path, reader);
    const pieces = [];
    for await (const piece of table.pieces(["run", "airspeed"])) pieces.push(piece);
    table.close();
    expect(pieces[0].columns[0]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    const direct = await openTable(bufferOf(bytes));
    for await (const piece of direct.pieces(["run", "airspeed"]))
      expect(piece.columns).toEqual(pieces[0].columns);
  });
  it("damaged anywhere it ends in words and in time, whatever the decoder does", async () => {
    const path = join(at, "others.parquet");
    let refused = 0;
    for (let k = 0; k < 30; k++) {
      const damaged = unsealed();
      const bit = Math.floor(uniform(3, "flip", k) * 8 * 700);
      damaged[bit >> 3] ^= 1 << (bit & 7);
      writeFileSync(path, damaged);
      try {
        const table = await openGuarded(path, reader, 1500);
        for await (const _ of table.pieces()) {
        }
        table.close();
      } catch (error) {
        refused++;
        expect((error as Error).message).toMatch(/damaged|not a Parquet|not what|cannot/);
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
  it("whose reader stands still, or takes all memory, is ended", async () => {
    const program = (body: string) => {
      const path = join(folder(), "reader.mjs");
      writeFileSync(path, `process.on("message", () => { ${body} });`);
      return pathToFileURL(path);
    };
    const begun = performance.now();
    await expect(openGuarded(file, program("for (;;);"), 500)).rejects.toThrow(
      /cannot be read in 0\.5 s: it is damaged or malicious/,
    );
    await expect(
      openGuarded(file, program("const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length));")),
    ).rejects.toThrow(/takes more than . GB: it is damaged or malicious/);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

describe("what workers send", () => {
  it.each([
    null,
    3,
    {},
    { runs: 1, failed: 0, dropped: 0, part: 7, traces: [] },
    { runs: 1, failed: 0, dropped: 0, part: "!!", traces: null },
  ])("%j is no result", (given) =>
    expect(() => received(given)).toThrow(/a worker sent data that is not a result/),
  );
});
