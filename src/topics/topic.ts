/** What a simulation says and hears by topics: the same for ROS 2, for Foxglove and in logs. */
import type { Field } from "../model/field.ts";

export interface TopicQos {
  readonly isReliable: boolean;
  readonly depth: number;
}
export const RELIABLE: TopicQos = { isReliable: true, depth: 10 };
export const SENSOR: TopicQos = { isReliable: false, depth: 10 };

export interface Topic {
  readonly name: string;
  /** Of a message that `messages/definitions.ts` knows. */
  readonly type: string;
  readonly qos: TopicQos;
  /** The message of a sample, or nothing where none is due. */
  message(row: Float64Array): unknown;
}

/** What hears: answers with inputs by name, with positions of sticks from -1 to 1, or throws an InputError. */
export interface Subscription {
  readonly name: string;
  readonly type: string;
  readonly qos: TopicQos;
  receive(message: unknown): ReceivedInputs;
}
export interface ReceivedInputs {
  readonly inputs?: Readonly<Record<string, number>>;
  readonly sticks?: readonly number[];
}

export interface Interface {
  readonly topics: readonly Topic[];
  readonly subscriptions: readonly Subscription[];
  /** Of std_srvs/Empty; their names. */
  readonly services: { readonly reset?: string; readonly cones?: string };
  /** Messages that only a service brings: the cones of a track. */
  readonly onRequest?: Topic;
}

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
