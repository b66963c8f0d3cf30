/** Messages as CDR bytes and back. */
import type { MessageDefinition } from "@foxglove/message-definition";
import { MessageReader, MessageWriter } from "@foxglove/rosmsg2-serialization";
import { definitionsOf } from "./definitions.ts";

export interface Codec {
  encode(message: unknown): Uint8Array;
  /** Throws where the bytes are not such a message. */
  decode(bytes: Uint8Array): unknown;
}

const made = new Map<string, Codec>();

/** Of a message with all those that it holds, itself first. */
export function codecOf(definitions: MessageDefinition[]): Codec {
  const writer = new MessageWriter(definitions);
  const reader = new MessageReader(definitions);
  return {
    encode: (message) => writer.writeMessage(message),
    // A copy: the reader's arrays would reach beyond the message into what lies behind it.
    decode: (bytes) => reader.readMessage(bytes.slice()),
  };
}

export function codecFor(type: string): Codec {
  const codec = made.get(type) ?? codecOf(definitionsOf(type));
  made.set(type, codec);
  return codec;
}
