/**
 * Datagrams on their way. Submessages for the same place that are said within one turn share a datagram; large samples wait in
 * line and go out a few at a time, so that a receiver's buffer is not overrun.
 */
import { type Address, keyOf } from "./address.ts";
import { bytesOf, type Prefix } from "./ids.ts";
import type { ReplyLimit } from "./reply-limit.ts";
import { HEADER_SIZE, infoDestination, writeHeader } from "./submessages.ts";
import { WireWriter } from "./wire.ts";

export type Send = (bytes: Uint8Array, to: Address) => void;

/** Below Cyclone's default of 14 720 bytes for one message, and well below what UDP can carry. */
const LARGEST_DATAGRAM = 14_000;
/** A sample that is not in fragments, with what belongs to it [bytes]. */
const LARGEST_SUBMESSAGE = 8_500;
/** Sent in one turn of the event loop [bytes]. */
const BURST = 64_000;
/** Beyond this what waits is dropped [bytes]: reliable readers will ask again. */
const LARGEST_QUEUE = 64 << 20;

interface Open {
  readonly to: Address;
  readonly writer: WireWriter;
  /** Whom the last submessages were for. */
  destination?: Prefix;
}
interface Waiting {
  readonly bytes: Uint8Array;
  readonly to: Address;
}

export class Outbox {
  private readonly send: Send;
  private readonly prefix: Uint8Array;
  private readonly allowance: ReplyLimit;
  private readonly open = new Map<string, Open>();
  private isAwake = false;
  private line: Waiting[] = [];
  private waiting = 0;
  private isMoving = false;
  private isClosed = false;
  dropped = 0;

  constructor(prefix: Prefix, send: Send, allowance: ReplyLimit) {
    this.allowance = allowance;
    this.prefix = bytesOf(prefix);
    this.send = send;
  }

  /** Large samples are still on their way. */
  get isBusy(): boolean {
    return this.line.length > 0;
  }

  /** Little may be said to it, for it has not answered. */
  isLimited(destination: Prefix): boolean {
    return this.allowance.isLimited(destination);
  }

  /** Says something to one participant, as far as that is allowed, or to everybody at an address. */
  say(to: Address, destination: Prefix | undefined, write: (to: WireWriter) => void): void {
    const key = keyOf(to);
    let open = this.open.get(key);
    if (open === undefined) {
      open = { to, writer: this.begin() };
      this.open.set(key, open);
    }
    // A message without a destination is for everybody, so it cannot follow one that has it.
    if (open.destination !== undefined && destination === undefined) {
      this.close(key, open);
      this.say(to, destination, write);
      return;
    }
    const { writer, destination: before } = open;
    const from = writer.length;
    if (destination !== undefined && before !== destination) {
      infoDestination(writer, destination);
      open.destination = destination;
    }
    write(writer);
    const bytes = writer.length - (from === HEADER_SIZE ? 0 : from);
    if (destination !== undefined && !this.allowance.spend(destination, bytes)) {
      writer.length = from;
      open.destination = before;
    }
    // So that the next one still fits.
    if (open.writer.length > LARGEST_DATAGRAM - LARGEST_SUBMESSAGE) this.close(key, open);
    if (!this.isAwake) {
      this.isAwake = true;
      queueMicrotask(this.flush);
    }
  }

  /** Says something that waits for its turn behind other large things; nothing to one that has not answered. */
  queue(to: Address, destination: Prefix | undefined, write: (to: WireWriter) => void): void {
    if (destination !== undefined && this.isLimited(destination)) return;
    const writer = this.begin(LARGEST_DATAGRAM);
    if (destination !== undefined) infoDestination(writer, destination);
    write(writer);
    if (this.waiting + writer.length > LARGEST_QUEUE) {
      this.dropped++;
      return;
    }
    this.waiting += writer.length;
    this.line.push({ bytes: writer.done(), to });
    if (!this.isMoving) {
      this.isMoving = true;
      setImmediate(this.move);
    }
  }

  private begin(capacity = 1024): WireWriter {
    const writer = new WireWriter(capacity);
    writeHeader(writer, this.prefix);
    return writer;
  }

  private readonly flush = (): void => {
    this.isAwake = false;
    for (const [key, open] of this.open) this.close(key, open);
  };

  private close(key: string, { writer, to }: Open): void {
    this.open.delete(key);
    if (writer.length > HEADER_SIZE && !this.isClosed) this.send(writer.done(), to);
  }

  private readonly move = (): void => {
    let sent = 0;
    let count = 0;
    for (; count < this.line.length && sent < BURST; count++) {
      const { bytes, to } = this.line[count];
      sent += bytes.length;
      if (!this.isClosed) this.send(bytes, to);
    }
    this.line = this.line.slice(count);
    this.waiting -= sent;
    this.isMoving = this.line.length > 0;
    if (this.isMoving) setImmediate(this.move);
  };

  /** Says what is still open, and nothing more. */
  end(): void {
    this.flush();
    this.isClosed = true;
    this.line = [];
  }
}
