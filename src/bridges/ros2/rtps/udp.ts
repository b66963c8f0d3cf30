/** A participant on real sockets: one for everything that is sent to it, one for the multicast group of its domain. */
import { randomBytes } from "node:crypto";
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { InputError } from "../../../model/input-error.ts";
import { RunError } from "../../../simulation/divergence.ts";
import {
  type Address,
  isLoopback,
  isUnicast,
  LAST_DOMAIN,
  MULTICAST_GROUP,
  multicastPort,
  unicastPort,
} from "./address.ts";
import { hex } from "./ids.ts";
import { interfaceNamed } from "./interfaces.ts";
import { Participant } from "./participant.ts";

export interface UdpOptions {
  readonly name: string;
  readonly domain?: number;
  /** An address or the name of an interface; this machine alone where it is not given. */
  readonly interface?: string;
  /** Hosts to look for without multicast. */
  readonly peers?: readonly string[];
  readonly multicast?: boolean;
  readonly report: (message: string) => void;
  /** Whether a datagram, in or out, is lost: for tests. */
  readonly lossy?: (datagram: Uint8Array) => boolean;
}

export interface UdpParticipant {
  readonly participant: Participant;
  readonly address: Address;
  close(): Promise<void>;
}

/** Participant indices that are probed at a peer. */
const PEER_PARTICIPANTS = 10;
const MOST_PARTICIPANTS = 120;
const TICK = 5;

function bind(socket: Socket, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.bind({ port, address: host, exclusive: true }, () => {
      socket.off("error", reject);
      // Errors of single datagrams (closed ports) are no reason to stop.
      socket.on("error", () => {});
      resolve();
    });
  });
}

/** Sockets of the first free participant index of this domain. */
async function bindUnicast(host: string, domain: number): Promise<{ socket: Socket; port: number }> {
  for (let index = 0; index < MOST_PARTICIPANTS; index++) {
    const socket = createSocket({ type: "udp4", recvBufferSize: 4 << 20, sendBufferSize: 4 << 20 });
    const port = unicastPort(domain, index);
    try {
      await bind(socket, port, host);
      return { socket, port };
    } catch (error) {
      socket.close();
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE")
        throw new RunError(`cannot listen on ${host}:${port}: ${(error as Error).message}`);
    }
  }
  throw new RunError(
    `all ${MOST_PARTICIPANTS} participant indices of domain ${domain} on ${host} are in use`,
  );
}

/** Bound to the group itself where the system allows that, so that nothing else comes in by this port. */
async function bindMulticast(host: string, port: number): Promise<Socket | undefined> {
  for (const address of process.platform === "win32" ? [undefined] : [MULTICAST_GROUP, undefined]) {
    const socket = createSocket({ type: "udp4", reuseAddr: true, recvBufferSize: 1 << 20 });
    try {
      await bind(socket, port, address);
      socket.addMembership(MULTICAST_GROUP, host);
      return socket;
    } catch {
      socket.close();
    }
  }
  return undefined;
}

/** The address of a host that is named. */
async function resolved(peer: string): Promise<string> {
  try {
    return (await lookup(peer, { family: 4 })).address;
  } catch {
    throw new InputError(`"${peer}" cannot be found`, {
      field: "--peer",
      allowed: "a host's name or IPv4 address",
    });
  }
}

export async function joinDomain(options: UdpOptions): Promise<UdpParticipant> {
  const { domain = 0, name, report, lossy } = options;
  if (!Number.isInteger(domain) || domain < 0 || domain > LAST_DOMAIN)
    throw new InputError(`${domain} is not a ROS 2 domain`, {
      field: "--domain",
      value: domain,
      allowed: `0 to ${LAST_DOMAIN}`,
    });
  const { address: host, contains } = interfaceNamed(options.interface);
  const peers = await Promise.all((options.peers ?? []).map(resolved));
  const far = isLoopback(host) ? peers.find((peer) => !isLoopback(peer)) : undefined;
  if (far !== undefined)
    throw new InputError(
      `${far} is another machine, but without --interface Sideslip uses this machine only`,
      {
        field: "--peer",
        value: far,
        allowed: "127.0.0.1, or any host together with --interface",
      },
    );
  const { socket, port } = await bindUnicast(host, domain);
  const group = options.multicast === false ? undefined : await bindMulticast(host, multicastPort(domain));
  if (group === undefined && options.multicast !== false)
    report(`multicast does not work on ${host}: other participants are found only by --peer`);
  socket.setMulticastInterface(host);
  socket.setMulticastLoopback(true);
  socket.setMulticastTTL(isLoopback(host) ? 0 : 1);
  const announce: Address[] = group ? [{ host: MULTICAST_GROUP, port: multicastPort(domain) }] : [];
  for (const peer of group && peers.length === 0 ? [] : peers.length === 0 ? [host] : peers)
    for (let i = 0; i < PEER_PARTICIPANTS; i++) {
      const to = { host: peer, port: unicastPort(domain, i) };
      if (peer !== host || to.port !== port) announce.push(to);
    }
  let isClosed = false;
  let isForeignTold = false;
  const participant = new Participant({
    prefix: hex(randomBytes(12)),
    domain,
    name,
    own: { host, port },
    announce,
    random: () => randomBytes(4).readUInt32LE() / 0x100000000,
    now: () => performance.now(),
    time: () => BigInt(Date.now()) * 1_000_000n,
    // A participant of this machine alone sends nothing elsewhere; another one nothing beyond its network but to who is known.
    mayReach: (to, source) =>
      isLoopback(host)
        ? isLoopback(to)
        : isUnicast(to) && (contains(to) || to === source || peers.includes(to)),
    send(bytes, to) {
      if (isClosed || lossy?.(bytes)) return;
      socket.send(bytes, to.port, to.host, () => {});
    },
    report,
  });
  const hear = (bytes: Uint8Array, { address, port: from }: RemoteInfo) => {
    // A group that other programs joined on other interfaces is heard, too.
    if (lossy?.(bytes)) return;
    if (isLoopback(host) && !isLoopback(address)) {
      if (!isForeignTold)
        report(
          `packets from ${address} are ignored: Sideslip uses ${host} only (--interface ${address} changes that)`,
        );
      isForeignTold = true;
      return;
    }
    try {
      participant.receive(bytes, address, from);
    } catch (error) {
      // No packet may end the simulation.
      report(`a packet from ${address} could not be handled: ${(error as Error).message}`);
    }
  };
  socket.on("message", hear);
  group?.on("message", hear);
  participant.tick();
  const timer = setInterval(() => participant.tick(), TICK);
  return {
    participant,
    address: { host, port },
    async close() {
      if (isClosed) return;
      clearInterval(timer);
      participant.close();
      // What was said last still has to leave.
      await new Promise((go) => setTimeout(go, 20));
      isClosed = true;
      group?.close();
      socket.close();
    },
  };
}
