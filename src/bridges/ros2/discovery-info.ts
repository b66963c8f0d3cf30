/** `ros_discovery_info`: which endpoints belong to which node, so that `ros2 node list` and `ros2 node info` know it. */
import type { MessageDefinition } from "@foxglove/message-definition";
import { type Codec, codecOf } from "../messages/codec.ts";
import { typeName } from "./names.ts";
import { bytesOf, type EntityId, guidOf, PARTICIPANT } from "./rtps/ids.ts";
import type { Participant } from "./rtps/participant.ts";
import { DEFAULT_QOS } from "./rtps/qos.ts";
import type { Writer } from "./rtps/writer.ts";

/** Bytes of an identifier: 24 up to Humble, 16 from Iron on. */
export type GidSize = 16 | 24;

const PACKAGE = "rmw_dds_common";
const [INFO, NODE, GID] = ["ParticipantEntitiesInfo", "NodeEntitiesInfo", "Gid"].map(
  (n) => `${PACKAGE}/${n}`,
);

function discoveryDefinitions(size: GidSize): MessageDefinition[] {
  const nested = { isComplex: true };
  return [
    {
      name: INFO,
      definitions: [
        { name: "gid", type: GID, ...nested },
        { name: "node_entities_info_seq", type: NODE, isArray: true, ...nested },
      ],
    },
    {
      name: NODE,
      definitions: [
        { name: "node_namespace", type: "string" },
        { name: "node_name", type: "string" },
        { name: "reader_gid_seq", type: GID, isArray: true, ...nested },
        { name: "writer_gid_seq", type: GID, isArray: true, ...nested },
      ],
    },
    { name: GID, definitions: [{ name: "data", type: "uint8", isArray: true, arrayLength: size }] },
  ];
}

export class EntityTable {
  private readonly participant: Participant;
  private readonly writer: Writer;
  private readonly codec: Codec;
  private readonly name: string;
  private readonly namespace: string;
  private readonly size: GidSize;
  private readonly entities = { reader: [] as EntityId[], writer: [] as EntityId[] };
  private isAwake = false;

  constructor(participant: Participant, name: string, namespace: string, size: GidSize) {
    this.participant = participant;
    this.name = name;
    this.namespace = namespace;
    this.size = size;
    this.codec = codecOf(discoveryDefinitions(size));
    const qos = { ...DEFAULT_QOS, isTransientLocal: true, depth: 1 };
    this.writer = participant.createWriter("ros_discovery_info", typeName(INFO), qos);
  }

  add(kind: "reader" | "writer", id: EntityId): void {
    this.entities[kind].push(id);
    if (this.isAwake) return;
    this.isAwake = true;
    queueMicrotask(() => {
      this.isAwake = false;
      this.publish();
    });
  }

  private gid(id: EntityId): { data: Uint8Array } {
    const data = new Uint8Array(this.size);
    data.set(bytesOf(guidOf(this.participant.prefix, id)));
    return { data };
  }

  private publish(): void {
    const { reader, writer } = this.entities;
    const node = {
      node_namespace: this.namespace,
      node_name: this.name,
      reader_gid_seq: reader.map((id) => this.gid(id)),
      writer_gid_seq: writer.map((id) => this.gid(id)),
    };
    const info = { gid: this.gid(PARTICIPANT), node_entities_info_seq: [node] };
    this.writer.write(this.codec.encode(info), this.participant.time);
  }
}
