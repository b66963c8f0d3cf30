/** What a server of the Foxglove protocol offers: channels and services, by numbers from 1 on. */

import type { TopicInterface } from "../../model/topics.ts";
import type { DescribedTopic } from "../channels-topic.ts";
import type { ServiceName } from "../server.ts";

export interface Channel {
  readonly id: number;
  readonly topic: string;
  readonly encoding: "cdr";
  readonly schemaName: string;
  readonly schema: string;
  readonly schemaEncoding: "ros2msg";
}
export interface Service {
  readonly name: string;
  readonly service: ServiceName;
}

export function channelsOf(topics: readonly DescribedTopic[]): Channel[] {
  return topics.map(({ name, type, schema }, i) => ({
    id: i + 1,
    topic: name,
    encoding: "cdr",
    schemaName: type,
    schema,
    schemaEncoding: "ros2msg",
  }));
}

/** The vehicle's own, and those that every simulation has. */
export function servicesOf({ services }: TopicInterface): Service[] {
  return [
    ...Object.entries(services).map(([service, name]) => ({ name, service: service as ServiceName })),
    ...(["pause", "play", "step"] as const).map((service) => ({ name: `/sideslip/${service}`, service })),
  ];
}

const EMPTY = {
  encoding: "json",
  schemaName: "std_srvs/srv/Empty",
  schemaEncoding: "jsonschema",
  schema: '{"type":"object"}',
};

export const advertised = ({ name }: Service, index: number) => ({
  id: index + 1,
  name,
  type: "std_srvs/srv/Empty",
  request: EMPTY,
  response: EMPTY,
});
