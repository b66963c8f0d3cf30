/** This machine's network interfaces, and the hosts that they reach. */
import { networkInterfaces } from "node:os";
import { InputError } from "../../../model/input-error.ts";
import { isLoopback } from "./address.ts";

export interface OwnInterface {
  readonly address: string;
  /** Hosts of its own network. */
  contains(host: string): boolean;
}

/** Of an address in four parts; NaN of anything else. */
const numberOf = (host: string): number =>
  /^\d+\.\d+\.\d+\.\d+$/.test(host)
    ? host.split(".").reduce((sum, part) => ((sum << 8) | Number(part)) >>> 0, 0)
    : Number.NaN;

/** By its name or its address; this machine alone unless named. */
export function interfaceNamed(named = "127.0.0.1"): OwnInterface {
  const all = Object.entries(networkInterfaces()).flatMap(([name, list]) =>
    (list ?? [])
      .filter((i) => i.family === "IPv4")
      .map(({ address, netmask }) => ({ name, address, netmask })),
  );
  const found = isLoopback(named)
    ? { address: named, netmask: "255.0.0.0" }
    : all.find((i) => i.name === named || i.address === named);
  if (found === undefined)
    throw new InputError(`"${named}" is not a network interface of this machine`, {
      field: "--interface",
      allowed: all.map((i) => `${i.name} (${i.address})`).join(", "),
    });
  const [own, mask] = [numberOf(found.address), numberOf(found.netmask)];
  return { address: found.address, contains: (host) => ((numberOf(host) ^ own) & mask) === 0 };
}

export const addressOf = (named?: string): string => interfaceNamed(named).address;
