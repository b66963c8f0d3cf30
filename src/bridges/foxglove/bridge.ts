/** A served simulation for Foxglove, Lichtblick and PlotJuggler, by WebSocket. */
import type { AddressInfo } from "node:net";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { Deck } from "../../deck/deck.ts";
import type { Begun } from "../../deck/protocol.ts";
import { CHANNELS_TOPIC } from "../../formats/mcap-channels.ts";
import { InputError } from "../../model/input-error.ts";
import { RunError } from "../../simulation/divergence.ts";
import { VERSION } from "../../version.ts";
import { Counts } from "../counts.ts";
import { type Codec, codecFor, codecOf } from "../messages/codec.ts";
import { definitionsOf, schemaText } from "../messages/definitions.ts";
import type { Bridge, SimulationServer } from "../server.ts";
import { channelsMessage } from "../topics/channels.ts";
import { advertised, type Channel, channelsOf, type Service, servicesOf } from "./catalogue.ts";
import * as wire from "./protocol.ts";
import { readRequest } from "./read-request.ts";

export interface FoxgloveOptions {
  readonly deck: Deck;
  readonly begun: Begun;
  readonly host: string;
  readonly port: number;
}

/** A client that does not take what it asked for gets no more until it has [bytes]. */
const MOST_WAITING = 1 << 20;
const LARGEST_REQUEST = 1 << 20;
const MOST_CLIENTS = 64;
/** What a client may keep here. */
const MOST_SUBSCRIPTIONS = 1000;

interface Client {
  readonly socket: WebSocket;
  /** Channels by subscription. */
  readonly subscriptions: Map<number, number>;
  /** What it publishes, by its own numbers. */
  readonly publishes: Map<number, { readonly topic: string; readonly encoding: string }>;
  readonly watched: Set<string>;
  readonly told: Set<string>;
  dropped: number;
}

const text = (bytes: RawData): Uint8Array =>
  Array.isArray(bytes) ? Buffer.concat(bytes) : bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;

export class FoxgloveBridge implements Bridge {
  private readonly server: SimulationServer;
  private readonly deck: Deck;
  private readonly begun: Begun;
  private readonly sockets: WebSocketServer;
  private readonly clients = new Set<Client>();
  private readonly channels: readonly Channel[];
  private readonly byTopic = new Map<string, Channel>();
  private readonly services: readonly Service[];
  private readonly all: { readonly codec: Codec; message(row: Float64Array): unknown };
  private readonly counts = new Counts();
  /** How many subscribe to a channel. */
  private readonly listeners = new Map<number, number>();
  private sent = 0;
  private dropped = 0;

  private constructor(server: SimulationServer, { deck, begun }: FoxgloveOptions, sockets: WebSocketServer) {
    this.server = server;
    this.deck = deck;
    this.begun = begun;
    this.sockets = sockets;
    const { definition, notes, message } = channelsMessage(begun.channels);
    const definitions = definitionsOf(definition);
    this.all = { codec: codecOf(definitions), message };
    this.channels = channelsOf(server.spoken, schemaText(definitions, notes));
    this.services = servicesOf(server.spoken);
    for (const channel of this.channels) this.byTopic.set(channel.topic, channel);
    sockets.on("connection", (socket) => this.welcome(socket));
  }

  static open(server: SimulationServer, options: FoxgloveOptions): Promise<FoxgloveBridge> {
    const { host, port } = options;
    return new Promise((resolve, reject) => {
      const sockets = new WebSocketServer({
        host,
        port,
        maxPayload: LARGEST_REQUEST,
        perMessageDeflate: false,
        handleProtocols: (offered) => wire.SUBPROTOCOLS.find((name) => offered.has(name)) ?? false,
      });
      sockets.once("error", ({ message }) =>
        reject(new RunError(`cannot serve on ${host}:${port}: ${message}`)),
      );
      sockets.once("listening", () => resolve(new FoxgloveBridge(server, options, sockets)));
    });
  }

  get address(): string {
    const { address, port } = this.sockets.address() as AddressInfo;
    return `ws://${address}:${port}`;
  }

  private welcome(socket: WebSocket): void {
    const { begun, clients } = this;
    if (clients.size >= MOST_CLIENTS || socket.protocol === "") {
      this.counts.add(socket.protocol === "" ? "no known subprotocol" : "too many clients");
      socket.close(
        1008,
        socket.protocol === "" ? `speak ${wire.SUBPROTOCOLS.join(" or ")}` : "too many clients",
      );
      return;
    }
    const client: Client = {
      socket,
      subscriptions: new Map(),
      publishes: new Map(),
      watched: new Set(),
      told: new Set(),
      dropped: 0,
    };
    clients.add(client);
    socket.on("error", () => {});
    socket.on("close", () => {
      for (const channel of client.subscriptions.values()) this.count(channel, -1);
      clients.delete(client);
    });
    socket.on("message", (data, isBinary) => {
      try {
        if (isBinary) this.binary(client, text(data));
        else this.request(client, readRequest(text(data).toString()));
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        this.counts.add(error instanceof InputError ? "refused" : "malformed");
        this.tellOnce(client, words);
      }
    });
    this.say(client, {
      op: "serverInfo",
      name: `Sideslip ${VERSION}: ${begun.name}`,
      capabilities: ["clientPublish", "parameters", "parametersSubscribe", "services", "time"],
      supportedEncodings: ["json", "cdr"],
      metadata: { ROS_DISTRO: "jazzy" },
      sessionId: String(process.pid),
    });
    this.say(client, { op: "advertise", channels: this.channels });
    this.say(client, { op: "advertiseServices", services: this.services.map(advertised) });
  }

  private say({ socket }: Client, message: object): void {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  }
  /** A mistake that is repeated is said once to each. */
  private tellOnce(client: Client, message: string): void {
    if (client.told.has(message) || client.told.size > 100) return;
    client.told.add(message);
    this.say(client, { op: "status", level: wire.STATUS.error, message });
  }

  private count(channel: number, more: number): void {
    this.listeners.set(channel, (this.listeners.get(channel) ?? 0) + more);
  }

  private request(client: Client, request: wire.Request): void {
    const { subscriptions, publishes, watched } = client;
    if (request.op === "subscribe")
      for (const { id, channelId } of request.subscriptions) {
        if (
          subscriptions.has(id) ||
          subscriptions.size >= MOST_SUBSCRIPTIONS ||
          !this.channels[channelId - 1]
        )
          throw new Error(`cannot subscribe ${id} to channel ${channelId}`);
        subscriptions.set(id, channelId);
        this.count(channelId, 1);
      }
    else if (request.op === "unsubscribe")
      for (const id of request.subscriptionIds) {
        const channel = subscriptions.get(id);
        if (channel !== undefined) this.count(channel, -1);
        subscriptions.delete(id);
      }
    else if (request.op === "advertise")
      for (const { id, topic, encoding } of request.channels) {
        if (publishes.size >= MOST_SUBSCRIPTIONS) throw new Error("too many channels");
        const known = this.server.spoken.commands.map((c) => c.name);
        if (!known.includes(topic))
          this.tellOnce(client, `nobody listens to ${topic}; commands are ${known.join(", ") || "none"}`);
        publishes.set(id, { topic, encoding });
      }
    else if (request.op === "unadvertise") for (const id of request.channelIds) publishes.delete(id);
    else if (request.op === "getParameters") this.parameters(client, request.parameterNames, request.id);
    else if (request.op === "setParameters") this.setParameters(client, request);
    else if (request.op === "subscribeParameterUpdates")
      for (const name of request.parameterNames.slice(0, MOST_SUBSCRIPTIONS)) watched.add(name);
    else for (const name of request.parameterNames) watched.delete(name);
  }

  private parameters(client: Client, names: readonly string[], id?: string): void {
    this.say(client, {
      op: "parameterValues",
      parameters: this.values(names),
      ...(id === undefined ? {} : { id }),
    });
  }

  private values(names: readonly string[]): wire.Parameter[] {
    const values = this.deck.parameters();
    return this.begun.parameters.flatMap(({ name }, i) =>
      (names.length === 0 || names.includes(name)) && Number.isFinite(values[i])
        ? [{ name, value: values[i], type: "float64" as const }]
        : [],
    );
  }

  private setParameters(client: Client, { parameters, id }: wire.Request & { op: "setParameters" }): void {
    const names = parameters.map((p) => p.name);
    try {
      for (const { name, value } of parameters)
        if (typeof value !== "number") throw new InputError("is no number", { field: name, value });
      this.deck.change(Object.fromEntries(parameters.map(({ name, value }) => [name, value as number])));
      for (const other of this.clients) {
        const theirs = names.filter((name) => other.watched.has(name));
        if (other !== client && theirs.length > 0) this.parameters(other, theirs);
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.counts.add("refused");
      this.say(client, { op: "status", level: wire.STATUS.error, message: error.message });
    }
    // As they are now, whether that worked or not.
    if (id !== undefined || names.some((name) => client.watched.has(name)))
      this.parameters(client, names, id);
  }

  private binary(client: Client, bytes: Uint8Array): void {
    const message = wire.readBinary(bytes);
    if (message === undefined) throw new Error("a binary message that is none");
    if (message.kind === "call") {
      this.call(client, message);
      return;
    }
    const channel = client.publishes.get(message.channel);
    const command = this.server.spoken.commands.find((c) => c.name === channel?.topic);
    if (channel === undefined) throw new Error(`channel ${message.channel} was not advertised`);
    if (command === undefined) return;
    const codec = codecFor(command.type);
    let heard: unknown;
    try {
      // What JSON leaves out is zero, what it has too much is left out: encoding and decoding makes a whole message of it.
      const cdr =
        channel.encoding === "json"
          ? codec.encode(JSON.parse(new TextDecoder().decode(message.payload)))
          : message.payload;
      heard = codec.decode(cdr);
    } catch {
      throw new Error(`${command.name}: no ${command.type}`);
    }
    this.server.hear(command, heard);
  }

  private call(client: Client, call: wire.ServiceCall): void {
    const found = this.services[call.service - 1];
    if (found === undefined) {
      this.counts.add("no such service");
      this.say(client, {
        op: "serviceCallFailure",
        serviceId: call.service,
        callId: call.call,
        message: "there is no such service",
      });
      return;
    }
    this.server.serve(found.service);
    const payload = call.encoding === "json" ? new TextEncoder().encode("{}") : Uint8Array.of(0, 1, 0, 0, 0);
    client.socket.send(wire.serviceResponse({ ...call, payload }));
  }

  wants(topic: string): boolean {
    const channel = this.byTopic.get(topic);
    return channel !== undefined && (this.listeners.get(channel.id) ?? 0) > 0;
  }

  send(topic: string, bytes: Uint8Array, t: number): void {
    const channel = this.byTopic.get(topic);
    if (channel === undefined) return;
    const time = BigInt(Math.round(t * 1e9));
    for (const client of this.clients)
      for (const [subscription, id] of client.subscriptions)
        if (id === channel.id) this.push(client, wire.messageData(subscription, time, bytes));
  }

  /** To a client that keeps up; another one is left behind, and does not hold up the rest. */
  private push(client: Client, bytes: Uint8Array): void {
    if (client.socket.bufferedAmount > MOST_WAITING) {
      client.dropped++;
      this.dropped++;
      this.tellOnce(client, "messages are left out: this connection does not keep up");
      return;
    }
    this.sent++;
    client.socket.send(bytes);
  }

  sampled(row: Float64Array): void {
    if (this.clients.size === 0) return;
    const t = row[0];
    if (this.wants(CHANNELS_TOPIC))
      this.send(CHANNELS_TOPIC, this.all.codec.encode(this.all.message(row)), t);
    const time = wire.timeData(BigInt(Math.round(t * 1e9)));
    for (const client of this.clients) this.push(client, time);
  }

  status() {
    return {
      bridge: "foxglove",
      clients: this.clients.size,
      messages: this.sent,
      left_out: this.dropped,
      malformed: this.counts.total,
    };
  }

  close(): Promise<void> {
    for (const { socket } of this.clients) socket.terminate();
    return new Promise((resolve) => this.sockets.close(() => resolve()));
  }
}
