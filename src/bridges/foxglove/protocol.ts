/** The Foxglove WebSocket protocol, version 1: pure bytes and JSON. */

/** The same on the wire under both names; newer clients offer only the first. */
export const SUBPROTOCOLS = ["foxglove.sdk.v1", "foxglove.websocket.v1"] as const;

export const STATUS = { info: 0, warning: 1, error: 2 } as const;

export interface Parameter {
  readonly name: string;
  readonly value: number;
  readonly type: "float64";
}

/** A message for one subscription; time in nanoseconds. */
export function messageData(subscription: number, time: bigint, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(13 + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 1);
  view.setUint32(1, subscription, true);
  view.setBigUint64(5, time, true);
  bytes.set(payload, 13);
  return bytes;
}

export function timeData(time: bigint): Uint8Array {
  const bytes = new Uint8Array(9);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 2);
  view.setBigUint64(1, time, true);
  return bytes;
}

export interface ServiceCall {
  readonly service: number;
  readonly call: number;
  readonly encoding: string;
  readonly payload: Uint8Array;
}

export function serviceResponse({ service, call, encoding, payload }: ServiceCall): Uint8Array {
  const name = new TextEncoder().encode(encoding);
  const bytes = new Uint8Array(13 + name.length + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 3);
  view.setUint32(1, service, true);
  view.setUint32(5, call, true);
  view.setUint32(9, name.length, true);
  bytes.set(name, 13);
  bytes.set(payload, 13 + name.length);
  return bytes;
}

export type FromClient =
  | { readonly kind: "publish"; readonly channel: number; readonly payload: Uint8Array }
  | ({ readonly kind: "call" } & ServiceCall);

/** Decodes a client's binary message; undefined for unknown ones. */
export function readBinary(bytes: Uint8Array): FromClient | undefined {
  if (bytes.length < 5) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const id = view.getUint32(1, true);
  if (bytes[0] === 1) return { kind: "publish", channel: id, payload: bytes.subarray(5) };
  if (bytes[0] !== 2 || bytes.length < 13) return undefined;
  const length = view.getUint32(9, true);
  if (length > bytes.length - 13) return undefined;
  return {
    kind: "call",
    service: id,
    call: view.getUint32(5, true),
    encoding: new TextDecoder().decode(bytes.subarray(13, 13 + length)),
    payload: bytes.subarray(13 + length),
  };
}

/** A client's request in JSON. */
export type Request =
  | {
      readonly op: "subscribe";
      readonly subscriptions: readonly { readonly id: number; readonly channelId: number }[];
    }
  | { readonly op: "unsubscribe"; readonly subscriptionIds: readonly number[] }
  | {
      readonly op: "advertise";
      readonly channels: readonly {
        readonly id: number;
        readonly topic: string;
        readonly encoding: string;
      }[];
    }
  | { readonly op: "unadvertise"; readonly channelIds: readonly number[] }
  | { readonly op: "getParameters"; readonly parameterNames: readonly string[]; readonly id?: string }
  | {
      readonly op: "setParameters";
      readonly parameters: readonly { readonly name: string; readonly value: unknown }[];
      readonly id?: string;
    }
  | {
      readonly op: "subscribeParameterUpdates" | "unsubscribeParameterUpdates";
      readonly parameterNames: readonly string[];
    };
