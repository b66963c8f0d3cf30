/** What topics are made of: qualities of service, rows read by channel name, headers. */
import type { Field } from "../model/field.ts";
import type { Topic, TopicQos } from "../model/topics.ts";

export const RELIABLE: TopicQos = { isReliable: true, depth: 10 };
export const SENSOR: TopicQos = { isReliable: false, depth: 10 };

/** A table may hold fewer columns than a simulation has channels. */
class MissingChannel extends Error {}

/** A topic, where there is all that it needs. */
export function ifThere(make: () => Topic): Topic[] {
  try {
    return [make()];
  } catch (error) {
    if (error instanceof MissingChannel) return [];
    throw error;
  }
}

/** Reads a sample by names. */
export class Row {
  private readonly places: ReadonlyMap<string, number>;

  constructor(channels: readonly Field[]) {
    this.places = new Map(channels.map((f, i) => [f.name, i]));
  }
  has(name: string): boolean {
    return this.places.has(name);
  }
  /** The place of the first of these names that there is. */
  at(...names: readonly string[]): number {
    for (const name of names) {
      const place = this.places.get(name);
      if (place !== undefined) return place;
    }
    throw new MissingChannel(`no channel ${names.join(" or ")}`);
  }
  all(...names: readonly string[]): readonly number[] {
    return names.map((name) => this.at(name));
  }
}

export interface Stamp {
  readonly sec: number;
  readonly nanosec: number;
}
/** Simulated time, to the nanosecond. */
export function stampOf(t: number): Stamp {
  const sec = Math.floor(t);
  const nanosec = Math.round((t - sec) * 1e9);
  return nanosec < 1e9 ? { sec, nanosec } : { sec: sec + 1, nanosec: 0 };
}
export const headerOf = (t: number, frame_id: string) => ({ stamp: stampOf(t), frame_id });

export const clock: Topic = {
  name: "/clock",
  type: "rosgraph_msgs/Clock",
  qos: RELIABLE,
  message: (row) => ({ clock: stampOf(row[0]) }),
};
