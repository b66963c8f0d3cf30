/** Topics as tables: what a simulation publishes and what it listens to, the same for ROS 2, Foxglove and logs. */

export interface TopicQos {
  readonly isReliable: boolean;
  readonly depth: number;
}

export interface Topic {
  readonly name: string;
  /** A message type that `bridges/messages/definitions.ts` defines. */
  readonly type: string;
  readonly qos: TopicQos;
  /** The message of a sample, or nothing where none is due. */
  message(row: Float64Array): unknown;
}

/** Inputs by name, or positions of sticks from -1 to 1. */
export interface ReceivedInputs {
  readonly inputs?: Readonly<Record<string, number>>;
  readonly sticks?: readonly number[];
}

export interface Subscription {
  readonly name: string;
  readonly type: string;
  readonly qos: TopicQos;
  /** Throws an InputError where the message cannot be used. */
  receive(message: unknown): ReceivedInputs;
}

/** What a vehicle publishes, listens to and serves. */
export interface TopicInterface {
  readonly topics: readonly Topic[];
  readonly subscriptions: readonly Subscription[];
  /** Names of the services, of type std_srvs/Empty. */
  readonly services: { readonly reset?: string; readonly cones?: string };
  /** Published only when a service asks for it: the cones of a track. */
  readonly onRequest?: Topic;
}

type Triple = [number, number, number];

/** What the topics of a vehicle depend on besides its channels; a log keeps it, so that a replay publishes the same. */
export interface TopicSettings {
  /** Of a vehicle without a ROS 2 simulator of its own; its name unless given. */
  readonly namespace?: string;
  readonly imuFrame?: string;
  /** Samples of the IMU a second, where it has a rate of its own. */
  readonly imuRate?: number;
  /** Standard deviations of specific force and angular rates. */
  readonly noise?: { readonly accelerometer?: Triple; readonly gyro?: Triple };
  /** Where north, east and down are counted from: deg, deg, m. */
  readonly origin?: { readonly latitude: number; readonly longitude: number; readonly altitude: number };
  readonly track?: {
    readonly name: string;
    readonly cones: readonly {
      readonly color: "blue" | "yellow" | "orange";
      readonly X: number;
      readonly Y: number;
    }[];
  };
}
