/** What a server of the Foxglove protocol offers: channels and services, by numbers from 1 on. */
import { CHANNELS_TOPIC } from "../../formats/mcap-channels.ts";
import { definitionsOf, schemaText } from "../messages/definitions.ts";
import type { ServiceName } from "../server.ts";
import type { Interface } from "../topics/topic.ts";

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

/** All topics, and all channels of the simulation as one. */
export function channelsOf({ topics, onRequest }: Interface, schemaOfAll: string): Channel[] {
  const types = new Map([...topics, ...(onRequest ? [onRequest] : [])].map(({ name, type }) => [name, type]));
  const described = [...types].map(([name, type]) => ({
    name,
    type,
    schema: schemaText(definitionsOf(type)),
  }));
  const all = { name: CHANNELS_TOPIC, type: "sideslip/Channels", schema: schemaOfAll };
  return [...described, all].map(({ name, type, schema }, i) => ({
    id: i + 1,
    topic: name,
    encoding: "cdr",
    schemaName: type.replace("/", "/msg/"),
    schema,
    schemaEncoding: "ros2msg",
  }));
}

/** The vehicle's own, and those that every simulation has. */
export function servicesOf({ services }: Interface): Service[] {
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
