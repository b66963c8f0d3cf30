/** How participants and endpoints say that they go: a status in the inline QoS, and a key that says who. */
import { readGuid } from "./discovery-data.ts";
import { bytesOf, type Guid, hex } from "./ids.ts";
import { ParameterWriter, PID } from "./parameters.ts";
import type { Sample } from "./reader.ts";
import { Malformed, WireReader } from "./wire.ts";

/** Disposed of and unregistered. */
const GONE = Uint8Array.of(0, 0, 0, 3);

/** Key hash and status, which both Cyclone and Fast DDS understand without a payload. */
export function disposal(guid: Guid): Uint8Array {
  return new ParameterWriter()
    .add(PID.keyHash, (w) => w.put(bytesOf(guid)))
    .add(PID.status, (w) => w.put(GONE))
    .end();
}

/** The GUID that is disposed of, from the key in the payload or its hash; undefined if none is. */
export function disposedIn({ inline, payload }: Sample, pid: number): Guid | undefined {
  const status = inline?.get(PID.status)?.[0];
  if (status === undefined || (new WireReader(status, false).u32() & 3) === 0) return undefined;
  const hash = inline?.get(PID.keyHash)?.[0];
  const guid =
    (payload.length > 4 ? readGuid(payload, pid) : undefined) ??
    (hash?.length === 16 ? hex(hash) : undefined);
  if (guid === undefined) throw new Malformed("a disposal without a GUID");
  return guid;
}
