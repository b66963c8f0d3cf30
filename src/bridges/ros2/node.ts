/** A ROS 2 node on a participant: topics, services, and what `ros2 node list` asks for. */

import { Counts } from "../counts.ts";
import { type Codec, codecFor } from "../messages/codec.ts";
import { EntityTable, type GidSize } from "./discovery-info.ts";
import { topicName, typeName } from "./names.ts";
import type { Participant } from "./rtps/participant.ts";
import { DEFAULT_QOS, type Qos } from "./rtps/qos.ts";
import type { Writer } from "./rtps/writer.ts";
import { serveService } from "./service.ts";
import { typeHash } from "./type-hash.ts";

export type TopicQos = Partial<Pick<Qos, "isReliable" | "isTransientLocal" | "depth">>;

export interface Publisher {
  readonly writer: Writer;
  publish(message: unknown): void;
  /** Bytes that are encoded already. */
  publishBytes(bytes: Uint8Array): void;
}

export class RosNode {
  readonly participant: Participant;
  /** Malformed messages, by reason. */
  readonly counts = new Counts();
  private readonly table: EntityTable;

  constructor(participant: Participant, name: string, namespace = "/", gidSize: GidSize = 16) {
    this.participant = participant;
    this.table = new EntityTable(participant, name, namespace, gidSize);
  }

  advertise(topic: string, type: string, qos: TopicQos = {}): Publisher {
    const { participant } = this;
    const writer = participant.createWriter(
      topicName(topic),
      typeName(type),
      { ...DEFAULT_QOS, ...qos },
      `typehash=${typeHash(type)};`,
    );
    this.table.add("writer", writer.id);
    const codec = codecFor(type);
    return {
      writer,
      publish: (message) => writer.write(codec.encode(message), participant.time),
      publishBytes: (bytes) => writer.write(bytes, participant.time),
    };
  }

  subscribe(topic: string, type: string, qos: TopicQos, hear: (message: unknown) => void): void {
    const codec = codecFor(type);
    const reader = this.participant.createReader(
      topicName(topic),
      typeName(type),
      { ...DEFAULT_QOS, ...qos },
      ({ payload, isKey }) => {
        if (!isKey) this.decoded(codec, payload, topic, hear);
      },
      `typehash=${typeHash(type)};`,
    );
    this.table.add("reader", reader.id);
  }

  private decoded(codec: Codec, payload: Uint8Array, topic: string, hear: (message: unknown) => void): void {
    let message: unknown;
    try {
      message = codec.decode(payload);
    } catch {
      this.counts.add(`${topic}: malformed message`);
      return;
    }
    hear(message);
  }

  /** A service of std_srvs/Empty. */
  serve(name: string, answer: () => void): void {
    const { reader, writer } = serveService(this.participant, name, answer, () =>
      this.counts.add(`${name}: malformed request`),
    );
    this.table.add("reader", reader);
    this.table.add("writer", writer);
  }
}
