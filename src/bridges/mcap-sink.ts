/** A log of a run: all its topics as ROS 2 messages, and all its channels. */

import { McapLog } from "../formats/mcap.ts";
import { SETTINGS_FILE, VEHICLE_FILE } from "../formats/mcap-channels.ts";
import { writeVehicle, writtenVehicle } from "../formats/vehicle-yaml.ts";
import type { Field } from "../model/field.ts";
import type { Topic, TopicSettings } from "../model/topics.ts";
import type { Sink } from "../simulation/recorder.ts";
import { topicsOf } from "../topics/topics-of.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { type ChannelsTopic, channelsTopic, describedTopics } from "./channels-topic.ts";
import { type Codec, codecFor } from "./messages/codec.ts";

/** A path repeats itself: in a log once in so long is enough [s]. */
const PATH_INTERVAL = 1;

export class McapSink implements Sink {
  private readonly log: McapLog;
  private readonly vehicle: Vehicle;
  private readonly settings: TopicSettings;
  private encoders: { topic: Topic; codec: Codec; last: number }[] = [];
  private channels?: ChannelsTopic;
  private begin?: () => Promise<void>;

  constructor(
    vehicle: Vehicle,
    settings: TopicSettings,
    write: (bytes: Uint8Array) => void,
    compress: (bytes: Uint8Array) => Uint8Array,
  ) {
    this.vehicle = vehicle;
    this.settings = settings;
    this.log = new McapLog(write, compress);
  }

  open(channels: readonly Field[]): undefined {
    const { vehicle } = this;
    const spoken = topicsOf(vehicle, channels, this.settings);
    this.encoders = spoken.topics.map((topic) => ({
      topic,
      codec: codecFor(topic.type),
      last: Number.NEGATIVE_INFINITY,
    }));
    const all = channelsTopic(channels);
    this.channels = all;
    const topics = [...describedTopics(spoken), all];
    this.begin = () =>
      this.log.begin(
        topics,
        { vehicle: vehicle.name, model: vehicle.model.name, channels: channels.map((c) => c.name).join(",") },
        [
          { name: VEHICLE_FILE, type: "text/yaml", text: writeVehicle(writtenVehicle(vehicle)) },
          { name: SETTINGS_FILE, type: "application/json", text: JSON.stringify(this.settings) },
        ],
      );
    return undefined;
  }

  write(row: Float64Array): void {
    const t = row[0];
    const time = BigInt(Math.round(t * 1e9));
    for (const encoder of this.encoders) {
      const { topic, codec } = encoder;
      const message = topic.message(row);
      if (message === undefined) continue;
      if (topic.type === "nav_msgs/Path") {
        if (t - encoder.last < PATH_INTERVAL) continue;
        encoder.last = t;
      }
      this.log.add(topic.name, time, codec.encode(message));
    }
    const { channels } = this;
    if (channels) this.log.add(channels.name, time, channels.encode(row));
  }

  close(): void {}

  /** Brings to the file what was written; to be called now and then. */
  async flush(): Promise<void> {
    const { begin } = this;
    this.begin = undefined;
    await begin?.();
    await this.log.flush();
  }
  async end(): Promise<void> {
    await this.flush();
    await this.log.end();
  }
}
