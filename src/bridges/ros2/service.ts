/**
 * A service of std_srvs/Empty, in the two dialects of ROS 2. Cyclone's puts who asks and a number before the message; Fast DDS's
 * says in the inline QoS of the reply which request it answers. The vendor of who asks tells them apart.
 */
import { replyName, requestName, typeName } from "./names.ts";
import { bytesOf, type EntityId, hex, type Prefix, prefixOf } from "./rtps/ids.ts";
import { ParameterWriter, PID } from "./rtps/parameters.ts";
import type { Participant } from "./rtps/participant.ts";
import { DEFAULT_QOS } from "./rtps/qos.ts";
import type { Sample } from "./rtps/reader.ts";
import type { Writer } from "./rtps/writer.ts";

/** Little-endian CDR. */
const HEAD = [0, 1, 0, 0];
/** Who asks (8 bytes) and the request's number (8). */
const TICKET = 16;
const CYCLONE = 0x0110;
const UNKNOWN = "0".repeat(32);

/** Which request is answered, in the reply's inline QoS: 16 bytes of GUID, 8 of sequence number. */
function relatedTo({ from, sn, inline }: Sample): Uint8Array {
  const named = (inline?.get(PID.relatedSample) ?? inline?.get(PID.relatedSampleOld))?.[0]?.subarray(0, 16);
  const guid = named?.length === 16 && hex(named) !== UNKNOWN ? named : bytesOf(from);
  const list = new ParameterWriter();
  for (const pid of [PID.relatedSample, PID.relatedSampleOld])
    list.add(pid, (w) => {
      w.put(guid);
      w.sequence(sn);
    });
  return list.end();
}

/** The ticket of Cyclone's dialect, in the byte order of the reply. */
function ticketOf(payload: Uint8Array): Uint8Array | undefined {
  if (payload.length < HEAD.length + TICKET) return undefined;
  const ticket = payload.slice(HEAD.length, HEAD.length + TICKET);
  const isLittle = (payload[1] & 1) === 1;
  return isLittle
    ? ticket
    : Uint8Array.from([...ticket.subarray(0, 8).toReversed(), ...ticket.subarray(8).toReversed()]);
}

/** Who asks may not have been found as a listener yet: a reply waits for that a while. */
function whenHeard(writer: Writer, prefix: Prefix, reply: () => void, tries = 50): void {
  const isHeard = [...writer.readers.values()].some((r) => r.prefix === prefix && r.isReady);
  if (isHeard || tries === 0) reply();
  else setTimeout(() => whenHeard(writer, prefix, reply, tries - 1), 20);
}

export function serveService(
  participant: Participant,
  service: string,
  answer: () => void,
  refuse: () => void,
): { reader: EntityId; writer: EntityId } {
  const writer = participant.createWriter(
    replyName(service),
    typeName("std_srvs/Empty_Response"),
    DEFAULT_QOS,
  );
  const reader = participant.createReader(
    requestName(service),
    typeName("std_srvs/Empty_Request"),
    DEFAULT_QOS,
    (sample) => {
      if (sample.isKey) return;
      const vendor = participant.remotes.get(prefixOf(sample.from))?.vendor;
      const ticket = vendor === CYCLONE ? ticketOf(sample.payload) : new Uint8Array(0);
      if (ticket === undefined || sample.payload.length < HEAD.length) {
        refuse();
        return;
      }
      answer();
      const inline = vendor === CYCLONE ? undefined : relatedTo(sample);
      const reply = Uint8Array.from([...HEAD, ...ticket, 0]);
      whenHeard(writer, prefixOf(sample.from), () => writer.write(reply, participant.time, inline));
    },
  );
  return { reader: reader.id, writer: writer.id };
}
