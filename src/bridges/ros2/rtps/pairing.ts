/** Matches a local endpoint with a remote one, or reports why they are incompatible. */
import type { EndpointData } from "./discovery-data.ts";
import { entityOf, isWriter, prefixOf } from "./ids.ts";
import { mismatches } from "./qos.ts";
import type { Reader } from "./reader.ts";
import type { Remote } from "./remotes.ts";
import type { Writer } from "./writer.ts";

export interface Local {
  readonly data: EndpointData;
  readonly writer?: Writer;
  readonly reader?: Reader;
}

export function pair(
  { data: own, writer, reader }: Local,
  other: EndpointData,
  remote: Remote | undefined,
  report: (message: string) => void,
): void {
  const isOtherWriter = isWriter(entityOf(other.guid));
  if (own.topic !== other.topic || (writer !== undefined) === isOtherWriter || remote === undefined) return;
  const [offered, asked] = writer ? [own.qos, other.qos] : [other.qos, own.qos];
  const problems = mismatches(offered, asked);
  if (own.type !== other.type) problems.unshift(`its type is ${other.type}, not ${own.type}`);
  if (problems.length > 0) {
    const who = `${isOtherWriter ? "writer" : "reader"} of ${other.topic} in ${remote.name || prefixOf(other.guid)}`;
    report(`a ${who} is incompatible: ${problems.join("; ")}`);
    return;
  }
  const to = other.unicast.find((a) => a.host === remote.metaTo.host) ?? remote.userTo;
  writer?.match(other.guid, other.qos.isReliable, other.qos.isTransientLocal, to);
  reader?.match(other.guid, other.qos, to);
}
