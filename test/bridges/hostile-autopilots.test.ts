/** What comes from autopilots and joysticks may be anything: nothing is thrown, and what is whole is found again. */
import { describe, expect, it } from "vitest";
import { readServos } from "../../src/bridges/ardupilot/packet.ts";
import { FrameReader, FrameWriter } from "../../src/bridges/mavlink/frame.ts";
import { MESSAGES } from "../../src/bridges/mavlink/messages.ts";
import { joystickReader } from "../../src/cli/joystick-device.ts";
import { COUNT, dice, mutate, SEED } from "../support/mutate.ts";

describe("what comes from autopilots and joysticks", () => {
  it(`${COUNT} mutated MAVLink streams: no throw, bounded memory, and the next whole frame is found`, () => {
    const writer = new FrameWriter(1, 1);
    const corpus = MESSAGES.map((type) =>
      writer.write(type, { controls: [0.1, 0.2], mode: 3, time_usec: 7e6 }),
    );
    const roll = dice(SEED);
    let reader = new FrameReader();
    for (let k = 0; k < COUNT; k++) {
      for (const { values } of reader.push(mutate(corpus[roll(corpus.length)], roll, corpus)))
        expect(typeof values).toBe("object");
      if (k % 1000 !== 999) continue;
      // What still waits for its end is at most one frame long; behind it a whole one is found.
      const quiet = new Uint8Array(600);
      const [last] = [...reader.push(quiet), ...reader.push(corpus[3])].slice(-1);
      expect(last.type.id).toBe(MESSAGES[3].id);
      reader = new FrameReader();
    }
  });
  it(`${COUNT} mutated servo packets are taken or refused in words`, () => {
    const whole = [40, 72].map((length) => {
      const packet = new Uint8Array(length).fill(220);
      new DataView(packet.buffer).setUint16(0, length === 40 ? 18458 : 29569, true);
      return packet;
    });
    const roll = dice(SEED);
    let taken = 0;
    for (let k = 0; k < COUNT; k++) {
      const packet = readServos(mutate(whole[roll(2)], roll, whole));
      if (typeof packet === "string") expect(packet.length).toBeLessThan(100);
      else {
        taken++;
        expect(packet.pulses.every((us) => us >= 0 && us < 65536)).toBe(true);
      }
    }
    expect(taken).toBeGreaterThan(COUNT / 20);
    expect(taken).toBeLessThan(COUNT);
  });
  it(`${COUNT} pieces of a joystick's events leave axes within -1 and 1`, () => {
    const roll = dice(SEED);
    const { push, axes, buttons } = joystickReader();
    for (let k = 0; k < COUNT; k++) push(Uint8Array.from({ length: roll(20) }, () => roll(256)));
    expect(Math.max(axes.length, buttons.length)).toBeLessThanOrEqual(64);
    for (const axis of axes) if (axis !== undefined) expect(Math.abs(axis)).toBeLessThanOrEqual(1);
  });
});
