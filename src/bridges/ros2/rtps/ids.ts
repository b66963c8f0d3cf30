/** Who is who in RTPS (DDSI-RTPS 2.5, 9.3): a participant's prefix of 12 bytes, and an entity within it of 4. */

/** 12 bytes in hexadecimal. */
export type Prefix = string;
/** Four bytes as a number in network order; the last says what kind it is. */
export type EntityId = number;
/** Prefix and entity in hexadecimal. */
export type Guid = string;

export const UNKNOWN_ENTITY: EntityId = 0;
export const PARTICIPANT: EntityId = 0x000001c1;
export const SPDP_WRITER: EntityId = 0x000100c2;
export const SPDP_READER: EntityId = 0x000100c7;
export const PUBLICATIONS_WRITER: EntityId = 0x000003c2;
export const PUBLICATIONS_READER: EntityId = 0x000003c7;
export const SUBSCRIPTIONS_WRITER: EntityId = 0x000004c2;
export const SUBSCRIPTIONS_READER: EntityId = 0x000004c7;
export const LIVELINESS_WRITER: EntityId = 0x000200c2;
export const LIVELINESS_READER: EntityId = 0x000200c7;
/** Last bytes of endpoints without a key, as all ROS 2 types are. */
export const USER_WRITER = 0x03;
export const USER_READER = 0x04;
/** SPDP, SEDP and participant messages, each way. */
export const BUILTIN_ENDPOINTS = 0xc3f;
export const UNKNOWN_PREFIX: Prefix = "000000000000000000000000";

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"));

export function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));

export const guidOf = (prefix: Prefix, entity: EntityId): Guid =>
  prefix + HEX[entity >>> 24] + HEX[(entity >>> 16) & 255] + HEX[(entity >>> 8) & 255] + HEX[entity & 255];
export const prefixOf = (guid: Guid): Prefix => guid.slice(0, 24);
export const entityOf = (guid: Guid): EntityId => Number.parseInt(guid.slice(24), 16);
/** Publishes rather than listens. */
export const isWriter = (entity: EntityId): boolean => (entity & 0x0f) === 2 || (entity & 0x0f) === 3;
