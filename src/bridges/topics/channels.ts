/** All channels of a simulation as one message, so that every number can be plotted: field names as ROS allows them. */
import type { MessageDefinition } from "@foxglove/message-definition";
import type { Field } from "../../model/field.ts";
import { defineStamped } from "../messages/definitions.ts";
import { headerOf } from "./topic.ts";

/** ROS wants small letters; two that then are the same get a number. */
export function rosFields(channels: readonly Field[]): string[] {
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

export interface ChannelsMessage {
  readonly definition: MessageDefinition;
  /** Units and meanings, line by line of the definition. */
  readonly notes: readonly string[];
  message(row: Float64Array): unknown;
}

export function channelsMessage(channels: readonly Field[]): ChannelsMessage {
  const names = rosFields(channels);
  return {
    definition: defineStamped(
      "sideslip/Channels",
      names.map((name) => ({ name, type: "float64" })),
    ),
    notes: ["", ...channels.map(({ unit, meaning }) => `${unit}, ${meaning}`.replace(/\s+/g, " "))],
    message(row) {
      const message: Record<string, unknown> = { header: headerOf(row[0], "") };
      names.forEach((name, i) => {
        message[name] = row[i];
      });
      return message;
    },
  };
}
