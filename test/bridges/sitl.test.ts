/**
 * Autopilots in the loop: stand-ins for PX4 and ArduPilot that share no code with src/ fly and drive what Sideslip simulates, over
 * their real ports. What real ones did is in docs/sitl.md.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fly, type Kind } from "../support/autopilots/stand-in.ts";
import { sideslip, writeFile } from "../support/cli.ts";
import { stopPeers } from "../support/dds/peers.ts";

afterAll(stopPeers);

const AUTOPILOTS: readonly Kind[] = ["px4", "ardupilot"];

describe.each(AUTOPILOTS)("a stand-in for %s", (kind) => {
  it.each([
    ["x500", 46],
    ["iris", 52],
  ])("takes off with %s, hovers, flies a square, lands", async (vehicle, seconds) => {
    const { pilot, end } = await fly(kind, 10, vehicle, seconds);
    expect(pilot.stage).toBe("landed");
    expect(Object.keys(pilot.stages)).toEqual([
      "waiting",
      "climbing",
      "hovering",
      "square",
      "landing",
      "landed",
    ]);
    // Five metres above where it stood, within ten centimetres.
    expect(pilot.held.highest - pilot.held.lowest).toBeLessThan(0.1);
    expect(pilot.reached.length).toBe(5);
    expect(end[kind]).toMatchObject({ connections: 1, refused: 0 });
    expect(end.t).toBeCloseTo(seconds, 9);
  });

  it.each(["advanced-plane", "zephyr"])("takes off with %s and flies a circuit", async (vehicle) => {
    const { pilot } = await fly(kind, 11, vehicle, 62);
    expect(pilot.stage).toBe("circuit");
    expect(pilot.reached.length).toBeGreaterThanOrEqual(3);
    expect(pilot.heights.lowest).toBeGreaterThan(15);
    expect(pilot.heights.highest).toBeLessThan(50);
  });

  it("drives the car around a square", async () => {
    const { pilot } = await fly(kind, 12, "formula-student", 42);
    expect(pilot.reached.length).toBe(4);
    expect(pilot.fastest).toBeGreaterThan(4);
  });

  it.each(["x500", "iris", "advanced-plane", "zephyr", "formula-student"])(
    "%s in turbulence: the same seed, the same bits, twice; another seed, others",
    async (vehicle) => {
      const isCar = vehicle === "formula-student";
      const what = writeFile(
        isCar
          ? `vehicle: ${vehicle}\ninitial: { v_x: 2 }\n`
          : `vehicle: ${vehicle}\nwind: { dryden: { turbulence: light, height: 30, airspeed: 12 } }\n`,
      );
      const once = async (seed: number) =>
        (await fly(kind, 13, vehicle, 8, { what, flags: ["--seed", String(seed)] })).end.hash;
      const first = await once(3);
      expect(first).toMatch(/^[0-9a-f]{16}$/);
      expect(await once(3)).toBe(first);
      if (!isCar) expect(await once(4)).not.toBe(first);
    },
  );
});

describe("what PX4 is told", () => {
  it("agrees with itself: rest, satellites, barometer and compass with the truth", async () => {
    const { pilot } = await fly("px4", 14, "iris", 20);
    const { rest, worst, bits, gps } = pilot.seen;
    // Bias of 0.07, noise of 0.03 m/s^2.
    expect(Math.hypot(rest[0], rest[1])).toBeLessThan(0.4);
    expect(rest[2]).toBeGreaterThan(-10.2);
    expect(rest[2]).toBeLessThan(-9.4);
    // Accelerometer, gyro, compass and barometer with all its bits; no pitot tube.
    expect(bits).toBe(0x7 | 0x38 | 0x1c0 | 0x1a00);
    expect(gps).toBeGreaterThan(195);
    expect(gps).toBeLessThan(202);
    expect(worst.gps).toBeLessThan(4);
    expect(worst.baro).toBeLessThan(1);
    expect(worst.heading).toBeLessThan(0.15);
  });

  it("has a pitot tube with wings, rangefinders where the scenario has them, and no satellites after they fail", async () => {
    const what = writeFile(
      `vehicle: iris
initial: { altitude: 0.0545 }
sensors: { rangefinders: [{ rate: 20 }, { direction: [1, 0, 0], rate: 20 }] }
faults: [{ t: 4, gnss: off }]
`,
    );
    const { pilot } = await fly("px4", 14, "iris", 8, { what });
    expect(pilot.seen.ranges).toBeGreaterThan(300);
    expect(pilot.seen.gps).toBeLessThan(42);
    expect(pilot.seen.gps).toBeGreaterThan(35);
    const winged = await fly("px4", 14, "advanced-plane", 3);
    expect(winged.pilot.seen.bits & 0x400).toBe(0x400);
  });
});

describe("what ArduPilot is told", () => {
  it("32 channels, another rate, and all that there is to tell", async () => {
    const what = writeFile(
      `vehicle: hakoniwa
sensors: { rangefinders: [{}, { direction: [0, 0, -1] }], pitot: {} }
wind: { steady: [3, 0, 0] }
`,
    );
    const { pilot, end } = await fly("ardupilot", 15, "iris", 4, { what, more: ["400", "32"] });
    expect(pilot.seen.fields).toEqual([
      ...["timestamp", "imu", "position", "quaternion", "velocity"],
      ...["rng_1", "rng_2", "velocity_wind", "airspeed", "battery"],
    ]);
    // Three ticks of 1200 Hz for each packet.
    expect(pilot.seen.largest).toBeCloseTo(1 / 400, 6);
    expect(end.ardupilot.packets).toBe(1600);
    expect(end.pace.ticks).toBe(4801);
  });
});

describe("a flight with an autopilot", () => {
  it("is logged, and the log is replayed", async () => {
    const { served } = await fly("ardupilot", 16, "iris", 12, { flags: ["--out", "flight.mcap"] });
    const { status, stderr } = sideslip(["replay", "flight.mcap", "--out", "flight.csv"], served.cwd);
    expect(status, stderr).toBe(0);
    const [head, ...rows] = readFileSync(join(served.cwd, "flight.csv"), "utf8").trim().split("\n");
    // A hundred a second.
    expect(rows.length).toBe(1201);
    const down = head.split(",").findIndex((name) => name.startsWith("down"));
    expect(-Number(rows[1000].split(",")[down])).toBeGreaterThan(4.5);
  });

  it("two vehicles at once, each with its own", async () => {
    const flights = await Promise.all([fly("px4", 17, "x500", 12), fly("px4", 18, "x500", 12)]);
    expect(flights[0].end.hash).toBe(flights[1].end.hash);
    for (const { pilot } of flights) expect(pilot.stage).toBe("hovering");
  });
});
