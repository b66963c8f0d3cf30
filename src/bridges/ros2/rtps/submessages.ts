/** Submessages that are sent, each into the datagram being filled; all little-endian. */
import { bytesOf, type EntityId, type Prefix } from "./ids.ts";
import { ID } from "./message.ts";
import { writeFragments, writeSequences } from "./number-set.ts";
import type { WireWriter } from "./wire.ts";

const LITTLE = 1;
/** Nobody's vendor number: none was assigned to Sideslip. */
export const VENDOR = 0;
export const PROTOCOL = [2, 2] as const;
export const HEADER_SIZE = 20;

export function writeHeader(to: WireWriter, prefix: Uint8Array): void {
  for (const letter of "RTPS") to.u8(letter.charCodeAt(0));
  to.u8(PROTOCOL[0]);
  to.u8(PROTOCOL[1]);
  to.u16(VENDOR);
  to.put(prefix);
}

function submessage(to: WireWriter, id: number, flags: number, body: () => void): void {
  to.u8(id);
  to.u8(flags | LITTLE);
  const lengthAt = to.room(2);
  const from = to.length;
  body();
  to.align(4);
  to.u16At(lengthAt, to.length - from);
}

export function infoDestination(to: WireWriter, prefix: Prefix): void {
  submessage(to, ID.infoDestination, 0, () => to.put(bytesOf(prefix)));
}

/** Nanoseconds since 1970. */
export function infoTime(to: WireWriter, time: bigint): void {
  submessage(to, ID.infoTime, 0, () => {
    to.u32(Number(time / 1_000_000_000n));
    to.u32(Number(((time % 1_000_000_000n) << 32n) / 1_000_000_000n));
  });
}

export interface Sent {
  readonly writer: EntityId;
  readonly sn: number;
  /** Encapsulated CDR. */
  readonly payload: Uint8Array;
  /** A parameter list. */
  readonly inline?: Uint8Array;
}

export function data(to: WireWriter, reader: EntityId, { writer, sn, payload, inline }: Sent): void {
  const content = payload.length === 0 ? 0 : 4;
  submessage(to, ID.data, (inline ? 2 : 0) | content, () => {
    to.u16(0);
    to.u16(16);
    to.entity(reader);
    to.entity(writer);
    to.sequence(sn);
    if (inline) to.put(inline);
    to.put(payload);
  });
}

/** Fragment `number`, counted from 1. */
export function dataFrag(
  to: WireWriter,
  reader: EntityId,
  { writer, sn, payload, inline }: Sent,
  number: number,
  size: number,
): void {
  submessage(to, ID.dataFrag, inline ? 2 : 0, () => {
    to.u16(0);
    to.u16(28);
    to.entity(reader);
    to.entity(writer);
    to.sequence(sn);
    to.u32(number);
    to.u16(1);
    to.u16(size);
    to.u32(payload.length);
    if (inline) to.put(inline);
    to.put(payload.subarray((number - 1) * size, number * size));
  });
}

export function heartbeat(
  to: WireWriter,
  reader: EntityId,
  writer: EntityId,
  first: number,
  last: number,
  count: number,
  isFinal: boolean,
): void {
  submessage(to, ID.heartbeat, isFinal ? 2 : 0, () => {
    to.entity(reader);
    to.entity(writer);
    to.sequence(first);
    to.sequence(last);
    to.u32(count);
  });
}

export function acknack(
  to: WireWriter,
  reader: EntityId,
  writer: EntityId,
  base: number,
  missing: readonly number[],
  count: number,
  isFinal: boolean,
): void {
  submessage(to, ID.acknack, isFinal ? 2 : 0, () => {
    to.entity(reader);
    to.entity(writer);
    writeSequences(to, base, missing);
    to.u32(count);
  });
}

/** None of [start, end) will come, nor any of those named. */
export function gap(
  to: WireWriter,
  reader: EntityId,
  writer: EntityId,
  start: number,
  end: number,
  more: readonly number[] = [],
): void {
  submessage(to, ID.gap, 0, () => {
    to.entity(reader);
    to.entity(writer);
    to.sequence(start);
    writeSequences(to, end, more);
  });
}

export function nackFrag(
  to: WireWriter,
  reader: EntityId,
  writer: EntityId,
  sn: number,
  missing: readonly number[],
  count: number,
): void {
  submessage(to, ID.nackFrag, 0, () => {
    to.entity(reader);
    to.entity(writer);
    to.sequence(sn);
    writeFragments(to, missing[0], missing);
    to.u32(count);
  });
}
