/** All channels of a simulation as one message, so that every number can be plotted: field names as ROS allows them. */
import { CHANNELS_TOPIC } from "../formats/mcap-channels.ts";
import type { Field } from "../model/field.ts";
import type { TopicInterface } from "../model/topics.ts";
import { headerOf } from "../topics/topic.ts";
import { codecOf } from "./messages/codec.ts";
import { defineStamped, definitionsOf, fullName, schemaText } from "./messages/definitions.ts";

/** ROS wants small letters; two that then are the same get a number. */
function rosFields(channels: readonly Field[]): string[] {
  const used = new Set<string>();
  return channels.map(({ name }) => {
    const plain = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "");
    let unique = plain;
    for (let k = 2; used.has(unique); k++) unique = `${plain}_${k}`;
    used.add(unique);
    return unique;
  });
}

/** The topic, with a schema that contains units and meanings, and bytes of a row. */
export interface ChannelsTopic extends DescribedTopic {
  encode(row: Float64Array): Uint8Array;
}

export function channelsTopic(channels: readonly Field[]): ChannelsTopic {
  const names = rosFields(channels);
  const type = "sideslip/Channels";
  const definitions = definitionsOf(
    defineStamped(
      type,
      names.map((name) => ({ name, type: "float64" })),
    ),
  );
  const notes = ["", ...channels.map(({ unit, meaning }) => `${unit}, ${meaning}`.replace(/\s+/g, " "))];
  const codec = codecOf(definitions);
  return {
    name: CHANNELS_TOPIC,
    type: fullName(type),
    schema: schemaText(definitions, notes),
    encode(row) {
      const message: Record<string, unknown> = { header: headerOf(row[0], "") };
      names.forEach((name, i) => {
        message[name] = row[i];
      });
      return codec.encode(message);
    },
  };
}

/** As logs and viewers want to know it. */
export interface DescribedTopic {
  readonly name: string;
  /** In full: geometry_msgs/msg/Vector3. */
  readonly type: string;
  readonly schema: string;
}

/** All topics of an interface, those on request too, each once. */
export function describedTopics({ topics, onRequest }: TopicInterface): DescribedTopic[] {
  const types = new Map([...topics, ...(onRequest ? [onRequest] : [])].map(({ name, type }) => [name, type]));
  return [...types].map(([name, type]) => ({
    name,
    type: fullName(type),
    schema: schemaText(definitionsOf(type)),
  }));
}
