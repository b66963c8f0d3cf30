/** A served simulation as a ROS 2 node. */
import type { Bridge, ServiceName, SimulationServer } from "../server.ts";
import type { GidSize } from "./discovery-info.ts";
import { type Publisher, RosNode } from "./node.ts";
import { joinDomain, type UdpOptions } from "./rtps/udp.ts";

export interface RosOptions extends Omit<UdpOptions, "name" | "report"> {
  readonly node: string;
  readonly gidSize?: GidSize;
}

export async function ros2Bridge(
  server: SimulationServer,
  { node: name, gidSize, ...udp }: RosOptions,
): Promise<Bridge & { readonly domain: number; readonly address: string }> {
  const { topics, subscriptions: commands, services, onRequest } = server.spoken;
  const joined = await joinDomain({ ...udp, name, report: (message) => server.report(`ROS 2: ${message}`) });
  const { participant, address } = joined;
  const node = new RosNode(participant, name, "/", gidSize);
  const publishers = new Map<string, Publisher>();
  for (const { name: topic, type, qos } of [...topics, ...(onRequest ? [onRequest] : [])])
    if (!publishers.has(topic)) publishers.set(topic, node.advertise(topic, type, qos));
  for (const command of commands)
    node.subscribe(command.name, command.type, command.qos, (message) => server.hear(command, message));
  for (const [service, path] of Object.entries(services))
    node.serve(path, () => {
      try {
        server.serve(service as ServiceName);
      } catch (error) {
        // std_srvs/Empty has no field for an error.
        server.report(`${path} is refused: ${(error as Error).message}`);
      }
    });
  let sent = 0;
  return {
    name: "ros2",
    domain: udp.domain ?? 0,
    address: `${address.host}:${address.port}`,
    wants: (topic) => (publishers.get(topic)?.writer.readers.size ?? 0) > 0,
    send(topic, bytes) {
      sent++;
      publishers.get(topic)?.publishBytes(bytes);
    },
    status() {
      let repeated = 0;
      for (const { writer } of publishers.values()) repeated += writer.repeated;
      return {
        participants: participant.met,
        samples: sent,
        repeated,
        ...participant.losses,
        malformed: participant.counts.total + node.counts.total,
      };
    },
    close: () => joined.close(),
  };
}
