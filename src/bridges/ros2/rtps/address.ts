/** Where datagrams go: UDP over IPv4. */
import type { WireReader, WireWriter } from "./wire.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

const UDP4 = 1;
export const isLoopback = (host: string): boolean => /^127\.\d+\.\d+\.\d+$/.test(host);
/** Of one host: no group of hosts, nor all of a network. */
export const isUnicast = (host: string): boolean => !/^(2[2-5]\d|0)\.|\.255$/.test(host);
export const keyOf = ({ host, port }: Address): string => `${host}:${port}`;

/** A locator, where it is one of this kind. */
export function readLocator(from: WireReader): Address | undefined {
  const kind = from.i32();
  const port = from.u32();
  const ip = from.take(16).subarray(12);
  return kind === UDP4 && port > 0 && port < 65536 ? { host: ip.join("."), port } : undefined;
}

export function writeLocator(to: WireWriter, { host, port }: Address): void {
  to.i32(UDP4);
  to.u32(port);
  for (let i = 0; i < 12; i++) to.u8(0);
  for (const part of host.split(".")) to.u8(Number(part));
}

/** Ports of a domain (DDSI-RTPS 2.5, 9.6.1). */
export const MULTICAST_GROUP = "239.255.0.1";
export const multicastPort = (domain: number): number => 7400 + 250 * domain;
export const unicastPort = (domain: number, participant: number): number =>
  multicastPort(domain) + 10 + 2 * participant;
/** The last one whose ports fit below 65536. */
export const LAST_DOMAIN = 232;
