/** A served simulation for Foxglove, Lichtblick and PlotJuggler, by WebSocket. */
import { randomBytes, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { InputError } from "../../model/input-error.ts";
import type { SessionInfo } from "../../session/protocol.ts";
import type { Session } from "../../session/session.ts";
import { RunError } from "../../simulation/divergence.ts";
import { VERSION } from "../../version.ts";
import { type ChannelsTopic, channelsTopic, describedTopics } from "../channels-topic.ts";
import { Counts } from "../counts.ts";
import { keepAlive } from "../keep-alive.ts";
import { codecFor } from "../messages/codec.ts";
import { wrongIn } from "../messages/shape.ts";
import type { Bridge, SimulationServer } from "../server.ts";
import { rejectionOf } from "./admission.ts";
import { advertised, type Channel, channelsOf, type Service, servicesOf } from "./catalogue.ts";
import { FairQueue } from "./fair-queue.ts";
import * as wire from "./protocol.ts";
import { readRequest } from "./read-request.ts";

export interface FoxgloveOptions {
  readonly session: Session;
  readonly info: SessionInfo;
  readonly host: string;
  readonly port: number;
  /** ROS 2 distribution whose messages are spoken. */
  readonly distro: string;
  /** Web pages that may connect, besides this machine's and Foxglove's own. */
  readonly origins: readonly string[];
}

/** A client that does not take what it asked for gets no more until it has [bytes]. */
const MOST_WAITING = 1 << 20;
/** A client that does not read at all is disconnected [bytes]. */
const MOST_EVER_WAITING = 16 << 20;
const LARGEST_REQUEST = 1 << 16;
const MOST_CLIENTS = 64;
/** A client without subscriptions and messages for this long is disconnected [ms]. */
const IDLE = 30_000;
/** Limits for each client. */
const MOST_SUBSCRIPTIONS = 1000;

interface Client {
  readonly socket: WebSocket;
  /** Channels by subscription. */
  readonly subscriptions: Map<number, number>;
  /** What it publishes, by its own numbers. */
  readonly publishes: Map<number, { readonly topic: string; readonly encoding: string }>;
  readonly watched: Set<string>;
  readonly reported: Set<string>;
  dropped: number;
  heardAt: number;
  readonly turns: FairQueue;
}

const text = (bytes: RawData): Uint8Array =>
  Array.isArray(bytes) ? Buffer.concat(bytes) : bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;

export class FoxgloveBridge implements Bridge {
  readonly name = "foxglove";
  /** New at every start; a viewer without an origin of its own sends it: ?token=... */
  readonly token: string;
  private readonly sessionId = randomUUID();
  private readonly distro: string;
  private readonly server: SimulationServer;
  private readonly session: Session;
  private readonly info: SessionInfo;
  private readonly sockets: WebSocketServer;
  private readonly clients = new Set<Client>();
  private readonly channels: readonly Channel[];
  private readonly byTopic = new Map<string, Channel>();
  private readonly services: readonly Service[];
  private readonly all: ChannelsTopic;
  private readonly counts = new Counts();
  /** How many subscribe to a channel. */
  private readonly listeners = new Map<number, number>();
  /** Clients, ever. */
  private met = 0;
  private sent = 0;
  private dropped = 0;

  private constructor(
    server: SimulationServer,
    { session, info, distro }: FoxgloveOptions,
    sockets: WebSocketServer,
    token: string,
  ) {
    this.token = token;
    this.server = server;
    this.session = session;
    this.info = info;
    this.distro = distro;
    this.sockets = sockets;
    this.all = channelsTopic(info.channels);
    this.channels = channelsOf([...describedTopics(server.spoken), this.all]);
    this.services = servicesOf(server.spoken);
    for (const channel of this.channels) this.byTopic.set(channel.topic, channel);
    sockets.on("connection", (socket) => this.welcome(socket));
  }

  static open(server: SimulationServer, options: FoxgloveOptions): Promise<FoxgloveBridge> {
    const { host, port } = options;
    const token = randomBytes(16).toString("hex");
    return new Promise((resolve, reject) => {
      const sockets: WebSocketServer = new WebSocketServer({
        host,
        port,
        maxPayload: LARGEST_REQUEST,
        perMessageDeflate: false,
        autoPong: false,
        verifyClient: ({ origin, req }, answer: (may: boolean, status?: number, reason?: string) => void) => {
          const isFull = sockets.clients.size >= MOST_CLIENTS;
          const rejection = isFull
            ? {
                status: 503,
                reason: `a connection was refused: ${MOST_CLIENTS} clients are connected already`,
              }
            : rejectionOf(origin, req, { ...options, token });
          if (rejection) server.report(`Foxglove: ${rejection.reason}`);
          answer(rejection === undefined, rejection?.status);
        },
        handleProtocols: (offered) => wire.SUBPROTOCOLS.find((name) => offered.has(name)) ?? false,
      });
      sockets.once("error", ({ message }) =>
        reject(
          new RunError(
            `cannot serve on ${host}:${port}: ${message} (choose another port, or 0 for any free one)`,
          ),
        ),
      );
      sockets.once("listening", () => resolve(new FoxgloveBridge(server, options, sockets, token)));
    });
  }

  get address(): string {
    const { address, port } = this.sockets.address() as AddressInfo;
    return `ws://${address}:${port}`;
  }

  private welcome(socket: WebSocket): void {
    socket.on("error", () => {});
    const { clients } = this;
    const client: Client = {
      socket,
      subscriptions: new Map(),
      publishes: new Map(),
      watched: new Set(),
      reported: new Set(),
      dropped: 0,
      heardAt: performance.now(),
      turns: new FairQueue(socket),
    };
    keepAlive(socket);
    const idle = setInterval(() => this.leaveIdle(client), IDLE / 3);
    clients.add(client);
    this.met++;
    socket.on("close", () => {
      for (const channel of client.subscriptions.values()) this.count(channel, -1);
      clients.delete(client);
      clearInterval(idle);
      client.turns.end();
    });
    socket.on("ping", (data) => client.turns.take(() => socket.pong(data)));
    socket.on("message", (data, isBinary) => client.turns.take(() => this.hear(client, data, isBinary)));
    this.introduce(client);
  }

  private leaveIdle({ socket, subscriptions, publishes, watched, heardAt }: Client): void {
    if (subscriptions.size + publishes.size + watched.size > 0 || performance.now() - heardAt < IDLE) return;
    socket.close(1000, "idle");
    setTimeout(() => socket.terminate(), 1000);
  }

  private hear(client: Client, data: RawData, isBinary: boolean): void {
    client.heardAt = performance.now();
    try {
      if (isBinary) this.binary(client, text(data));
      else this.request(client, readRequest(text(data).toString()));
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.counts.add(error instanceof InputError ? "refused" : "malformed");
      this.reportOnce(client, problem);
    }
  }

  private introduce(client: Client): void {
    this.say(client, {
      op: "serverInfo",
      name: `Sideslip ${VERSION}: ${this.info.name}`,
      capabilities: ["clientPublish", "parameters", "parametersSubscribe", "services", "time"],
      supportedEncodings: ["json", "cdr"],
      metadata: { ROS_DISTRO: this.distro },
      sessionId: this.sessionId,
    });
    this.say(client, { op: "advertise", channels: this.channels });
    this.say(client, { op: "advertiseServices", services: this.services.map(advertised) });
  }

  private say({ socket }: Client, message: object): void {
    if (socket.bufferedAmount > MOST_EVER_WAITING) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  }
  /** Reports each error once to each client. */
  private reportOnce(client: Client, message: string): void {
    if (client.reported.has(message) || client.reported.size > 100) return;
    client.reported.add(message);
    this.say(client, { op: "status", level: wire.STATUS.error, message });
  }

  private count(channel: number, more: number): void {
    this.listeners.set(channel, (this.listeners.get(channel) ?? 0) + more);
  }

  private request(client: Client, request: wire.Request): void {
    const { subscriptions, publishes, watched } = client;
    if (request.op === "subscribe")
      for (const { id, channelId } of request.subscriptions) {
        const isTwice = subscriptions.has(id) || [...subscriptions.values()].includes(channelId);
        if (isTwice || !this.channels[channelId - 1])
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
        const known = this.server.spoken.subscriptions.map((c) => c.name);
        if (!known.includes(topic))
          this.reportOnce(client, `${topic} is not a command topic; allowed: ${known.join(", ") || "none"}`);
        publishes.set(id, { topic, encoding });
      }
    else if (request.op === "unadvertise") for (const id of request.channelIds) publishes.delete(id);
    else if (request.op === "getParameters") this.parameters(client, request.parameterNames, request.id);
    else if (request.op === "setParameters") this.setParameters(client, request);
    else if (request.op === "subscribeParameterUpdates")
      for (const name of this.named(request.parameterNames)) watched.add(name);
    else for (const name of this.named(request.parameterNames)) watched.delete(name);
  }

  private parameters(client: Client, names: readonly string[], id?: string): void {
    this.say(client, {
      op: "parameterValues",
      parameters: this.values(names),
      ...(id === undefined ? {} : { id }),
    });
  }

  /** Of the parameters that there are; none means all. */
  private named(names: readonly string[]): string[] {
    const all = this.info.parameters.map((f) => f.name);
    return names.length === 0 ? all : all.filter((name) => names.includes(name));
  }

  /** Sends changed parameters to the clients that watch them. */
  parametersChanged(): void {
    for (const client of this.clients)
      if (client.watched.size > 0) this.parameters(client, [...client.watched]);
  }

  private values(names: readonly string[]): wire.Parameter[] {
    const values = this.session.parameters();
    return this.info.parameters.flatMap(({ name }, i) =>
      (names.length === 0 || names.includes(name)) && Number.isFinite(values[i])
        ? [{ name, value: values[i], type: "float64" as const }]
        : [],
    );
  }

  private setParameters(client: Client, { parameters, id }: wire.Request & { op: "setParameters" }): void {
    const names = parameters.map((p) => p.name);
    try {
      for (const { name, value } of parameters)
        if (typeof value !== "number") throw new InputError("is not a number", { field: name, value });
      this.session.change(Object.fromEntries(parameters.map(({ name, value }) => [name, value as number])));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.counts.add("refused");
      this.say(client, { op: "status", level: wire.STATUS.error, message: error.message });
    }
    // As they are now, whether that worked or not.
    if (id !== undefined) this.parameters(client, names, id);
  }

  private binary(client: Client, bytes: Uint8Array): void {
    const message = wire.readBinary(bytes);
    if (message === undefined) throw new Error("an invalid binary message");
    if (message.kind === "call") {
      this.call(client, message);
      return;
    }
    const channel = client.publishes.get(message.channel);
    const command = this.server.spoken.subscriptions.find((c) => c.name === channel?.topic);
    if (channel === undefined) throw new Error(`channel ${message.channel} was not advertised`);
    if (command === undefined) return;
    const codec = codecFor(command.type);
    let heard: unknown;
    try {
      heard =
        channel.encoding === "json"
          ? this.fromJson(command.type, message.payload)
          : codec.decode(message.payload);
    } catch (error) {
      const why = channel.encoding === "json" ? (error as Error).message : "invalid message";
      throw new Error(`${command.name} (${command.type}): ${why}`);
    }
    const problem = this.server.hear(command, heard);
    if (problem !== undefined) this.reportOnce(client, problem);
  }

  private fromJson(type: string, payload: Uint8Array): unknown {
    const value: unknown = JSON.parse(new TextDecoder().decode(payload));
    const problem = wrongIn(type, value);
    if (problem !== undefined) throw new Error(problem);
    // Encoding and decoding fills in absent fields.
    const codec = codecFor(type);
    return codec.decode(codec.encode(value));
  }

  private call(client: Client, call: wire.ServiceCall): void {
    try {
      const found = this.services[call.service - 1];
      if (found === undefined) throw new InputError("there is no such service");
      this.server.serve(found.service);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const { message } = error;
      this.counts.add("refused");
      this.say(client, { op: "serviceCallFailure", serviceId: call.service, callId: call.call, message });
      this.say(client, { op: "status", level: wire.STATUS.error, message });
      return;
    }
    const payload = call.encoding === "json" ? new TextEncoder().encode("{}") : Uint8Array.of(0, 1, 0, 0, 0);
    this.push(client, wire.serviceResponse({ ...call, payload }));
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

  /** Sends to a client that keeps up; for a slow one the message is dropped. */
  private push(client: Client, bytes: Uint8Array): void {
    if (client.socket.bufferedAmount > MOST_WAITING) {
      client.dropped++;
      this.dropped++;
      this.reportOnce(client, "messages were dropped: this connection is too slow");
      return;
    }
    this.sent++;
    client.socket.send(bytes);
  }

  sampled(row: Float64Array): void {
    if (this.clients.size === 0) return;
    const t = row[0];
    if (this.wants(this.all.name)) this.send(this.all.name, this.all.encode(row), t);
    const time = wire.timeData(BigInt(Math.round(t * 1e9)));
    for (const client of this.clients) this.push(client, time);
  }

  status() {
    return {
      clients: this.met,
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
