/** Frames of MAVLink 2: a message's numbers as bytes, and messages out of a stream of bytes that may hold anything. */
import { checksum } from "./checksum.ts";
import { MESSAGES, type MessageField, type MessageType } from "./messages.ts";

/** Numbers by field; what is not given is zero. Arrays may be shorter than their field. */
export type Values = Readonly<Record<string, number | ArrayLike<number>>>;
export interface Received {
  readonly type: MessageType;
  readonly values: Readonly<Record<string, number | readonly number[]>>;
  readonly system: number;
  readonly component: number;
  readonly sequence: number;
}

const MAGIC_1 = 0xfe;
const MAGIC_2 = 0xfd;
const HEADER_1 = 6;
const HEADER_2 = 10;
const CHECKSUM = 2;
const SIGNED = 0x01;
const SIGNATURE = 13;
const TWO_TO_32 = 4294967296;

function write(view: DataView, { type }: MessageField, at: number, value: number): void {
  if (type === "float") view.setFloat32(at, value, true);
  else if (type === "uint64") {
    view.setUint32(at, value % TWO_TO_32, true);
    view.setUint32(at + 4, Math.floor(value / TWO_TO_32), true);
  } else if (type === "uint32" || type === "int32") view.setUint32(at, value, true);
  else if (type === "uint16" || type === "int16") view.setUint16(at, value, true);
  else view.setUint8(at, value);
}

function read(view: DataView, { type }: MessageField, at: number): number {
  if (type === "float") return view.getFloat32(at, true);
  if (type === "uint64") return view.getUint32(at, true) + TWO_TO_32 * view.getUint32(at + 4, true);
  if (type === "uint32") return view.getUint32(at, true);
  if (type === "int32") return view.getInt32(at, true);
  if (type === "uint16") return view.getUint16(at, true);
  if (type === "int16") return view.getInt16(at, true);
  return type === "int8" ? view.getInt8(at) : view.getUint8(at);
}
const sizeOf = ({ type }: MessageField) =>
  type === "uint64" ? 8 : type === "float" || type.endsWith("32") ? 4 : type.endsWith("16") ? 2 : 1;

/** Counts the frames of one sender. */
export class FrameWriter {
  private sequence = 0;
  private readonly system: number;
  private readonly component: number;

  constructor(system: number, component: number) {
    this.system = system;
    this.component = component;
  }

  write({ id, fields, length, extra }: MessageType, values: Values): Uint8Array {
    const frame = new Uint8Array(HEADER_2 + length + CHECKSUM);
    const view = new DataView(frame.buffer);
    for (const field of fields) {
      const value = values[field.name];
      const at = HEADER_2 + field.offset;
      if (typeof value === "number") write(view, field, at, value);
      else if (value !== undefined)
        for (let i = 0; i < Math.min(field.count, value.length); i++)
          write(view, field, at + i * sizeOf(field), value[i]);
    }
    // Zeros at the end are not sent, but for the first byte.
    let size = length;
    while (size > 1 && frame[HEADER_2 + size - 1] === 0) size--;
    frame.set([
      MAGIC_2,
      size,
      0,
      0,
      this.sequence,
      this.system,
      this.component,
      id & 255,
      (id >> 8) & 255,
      id >> 16,
    ]);
    this.sequence = (this.sequence + 1) & 255;
    const end = HEADER_2 + size;
    const sum = checksum(Uint8Array.of(extra), 0, 1, checksum(frame, 1, end));
    view.setUint16(end, sum, true);
    return frame.subarray(0, end + CHECKSUM);
  }
}

const BY_ID = new Map(MESSAGES.map((type) => [type.id, type]));
const LONGEST = HEADER_2 + 255 + CHECKSUM + SIGNATURE;

/** Puts frames together from pieces as they come. */
export class FrameReader {
  /** What did not fit: bytes between frames, frames with a wrong checksum, messages of no interest here. */
  readonly skipped = { bytes: 0, checksums: 0, unknown: 0 };
  private rest: Uint8Array = new Uint8Array(0);

  /** Messages that are complete with these bytes, of version 1 or 2; signatures are not looked at. */
  *push(bytes: Uint8Array): Generator<Received> {
    let data = bytes;
    if (this.rest.length > 0) {
      data = new Uint8Array(this.rest.length + bytes.length);
      data.set(this.rest);
      data.set(bytes, this.rest.length);
    }
    let at = 0;
    while (at < data.length) {
      if (data[at] !== MAGIC_2 && data[at] !== MAGIC_1) {
        this.skipped.bytes++;
        at++;
        continue;
      }
      const size = frameSize(data, at);
      if (size === undefined || at + size > data.length) break;
      const message = this.open(data, at);
      // A byte that only looks like a beginning: the next one may be it.
      if (message === "broken") {
        this.skipped.checksums++;
        at++;
        continue;
      }
      at += size;
      if (message === "unknown") this.skipped.unknown++;
      else yield message;
    }
    this.rest = data.slice(at, at + LONGEST);
  }

  private open(data: Uint8Array, at: number): Received | "broken" | "unknown" {
    const isSecond = data[at] === MAGIC_2;
    const header = isSecond ? HEADER_2 : HEADER_1;
    const length = data[at + 1];
    const id = isSecond ? data[at + 7] | (data[at + 8] << 8) | (data[at + 9] << 16) : data[at + 5];
    const type = BY_ID.get(id);
    if (type === undefined) return "unknown";
    const end = at + header + length;
    const sum = checksum(Uint8Array.of(type.extra), 0, 1, checksum(data, at + 1, end));
    if (data[end] !== (sum & 0xff) || data[end + 1] !== sum >> 8) return "broken";
    const payload = new Uint8Array(Math.max(type.length, length));
    payload.set(data.subarray(at + header, at + header + length));
    const view = new DataView(payload.buffer);
    const values: Record<string, number | readonly number[]> = {};
    for (const field of type.fields)
      values[field.name] =
        field.count === 0
          ? read(view, field, field.offset)
          : Array.from({ length: field.count }, (_, i) =>
              read(view, field, field.offset + i * sizeOf(field)),
            );
    const from = at + (isSecond ? 4 : 2);
    return { type, values, sequence: data[from], system: data[from + 1], component: data[from + 2] };
  }
}

/** Of the frame that begins here, as far as one can tell yet. */
function frameSize(data: Uint8Array, at: number): number | undefined {
  if (at + 2 >= data.length) return undefined;
  if (data[at] === MAGIC_1) return HEADER_1 + data[at + 1] + CHECKSUM;
  return HEADER_2 + data[at + 1] + CHECKSUM + (data[at + 2] & SIGNED ? SIGNATURE : 0);
}
