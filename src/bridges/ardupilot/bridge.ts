/**
 * ArduPilot's JSON interface by UDP: it sends servo pulses and waits for the state that they lead to.
 * Repeated
 * pulses are answered again; a frame count that starts over means that ArduPilot was restarted.
 */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { actuatorMap, readPulse, usualLines } from "../../control/actuator-map.ts";
import {
  type AutopilotOptions,
  type Driver,
  Eagerness,
  guarded,
  listening,
  nth,
  RealTimeFactor,
} from "../autopilot/autopilot.ts";
import { channelsOf } from "../autopilot/radio.ts";
import { VehicleState } from "../autopilot/state.ts";
import { readServos, type ServoPacket, stateWriter } from "./packet.ts";

export const ARDUPILOT_PORT = 9002;
/** Ports from one instance to the next. */
export const ARDUPILOT_STEP = 10;
/** ArduPilot skips what is longer than this [s]. */
const LONGEST = 0.099;
/** A peer this silent makes way for another [ms], while it is not answered and otherwise. */
const SILENT = 2000;
const ABSENT = 300;
const LONG = 10_000;
const IDLE = 1000;
/** Pulses that come again are answered again, but not more often than this [ms]: ArduPilot asks again once a second. */
const AGAIN = 100;
/** A frame count this much lower than the last means a restart, not a late packet. */
const LATE = 50;

export class ArduPilotBridge implements Driver {
  readonly name = "ardupilot";
  private readonly options: AutopilotOptions;
  private readonly socket: Socket;
  private readonly state: VehicleState;
  private readonly write: ReturnType<typeof stateWriter>;
  private readonly map: (pulses: ArrayLike<number>) => Record<string, number>;
  private readonly speed = new RealTimeFactor();
  private readonly eagerness: Eagerness;
  private peer?: { readonly address: string; readonly port: number };
  private heardAt: number;
  private repeatedAt = Number.NEGATIVE_INFINITY;
  private last = -1;
  private reply?: Uint8Array;
  /** What is to be done before the next reply. */
  private pending?: { readonly inputs: Record<string, number>; ticks: number };
  /** Simulated time that was requested and is not simulated yet [s]. */
  private debt = 0;
  /** Simulated time at which its clock begins [s]. */
  private begin = 0;
  private counts = { connections: 0, packets: 0, again: 0, refused: 0 };

  static async open(options: AutopilotOptions): Promise<ArduPilotBridge> {
    const bridge = new ArduPilotBridge(options);
    const { host, port } = options;
    await listening(bridge.socket, options, "--ardupilot", (done) => bridge.socket.bind(port, host, done));
    bridge.socket.on("error", (error) => options.report(`${bridge.address}: ${error.message}`));
    return bridge;
  }

  private constructor(options: AutopilotOptions) {
    const { session, vehicle, channels, now } = options;
    this.options = options;
    this.state = new VehicleState(session, vehicle, channels);
    this.write = stateWriter(this.state);
    this.map = actuatorMap(vehicle, vehicle.autopilots?.ardupilot ?? usualLines(vehicle), readPulse);
    this.heardAt = now();
    this.eagerness = new Eagerness(options.interval);
    // Replies go to the sender's numeric address: a lookup would cost a turn of the event loop each time.
    this.socket = createSocket({ type: "udp4", lookup: (address, _, found) => found(null, address, 4) });
    this.socket.on("message", (bytes, from) => guarded(options.report, () => this.hear(bytes, from)));
  }

  get address(): string {
    return `${this.options.host}:${this.options.port}`;
  }

  private hear(bytes: Uint8Array, from: RemoteInfo): void {
    const { now, report } = this.options;
    const packet = readServos(bytes);
    if (typeof packet === "string") {
      this.counts.refused++;
      report(`a packet to ${this.address} ${packet}: it is not from ArduPilot's JSON interface`);
      return;
    }
    // Port 0 cannot receive a reply.
    if (from.port === 0) return;
    const isNew = this.peer?.port !== from.port || this.peer.address !== from.address;
    // A running ArduPilot sends all the time; during a pause it repeats once a second.
    const isThere = this.peer && now() - this.heardAt < (this.pending ? SILENT : ABSENT);
    if (isNew && isThere) {
      this.counts.refused++;
      report(`two ArduPilots send to ${this.address}: one vehicle has one autopilot; use --instance`);
      return;
    }
    this.heardAt = now();
    const { count } = packet;
    const isAnew = count < this.last && (count <= LATE || count < this.last - LATE);
    if (!isNew && count < this.last && !isAnew) return;
    if (!isNew && count === this.last) {
      this.counts.again++;
      // Not while it is being worked on, nor more often than every AGAIN: repeats must not multiply answers.
      if (this.reply && this.pending === undefined && now() - this.repeatedAt >= AGAIN) {
        this.repeatedAt = now();
        this.post(this.reply);
      }
      return;
    }
    if (isNew || isAnew) this.welcome(from, packet);
    this.take(packet);
    this.turn();
  }

  private welcome({ address, port }: RemoteInfo, { rate }: ServoPacket): void {
    const { session, report, interval } = this.options;
    this.peer = { address, port };
    this.debt = 0;
    this.pending = undefined;
    this.counts.connections++;
    if (this.counts.connections === 1) report("ArduPilot is connected");
    else {
      session.handle({ type: "reset" });
      this.begin = session.simulation.t;
      report(`ArduPilot connected again (${nth(this.counts.connections)} connection): the vehicle is reset`);
    }
    const ticks = 1 / (rate * interval);
    if (Math.abs(ticks - Math.round(ticks)) > 1e-3 || ticks < 0.999)
      report(
        `ArduPilot asks for ${rate} steps a second, but the tick rate is ${Number((1 / interval).toFixed(1))} Hz: ` +
          `--rate ${rate} makes them equal`,
      );
  }

  private take({ rate, count, pulses }: ServoPacket): void {
    const { interval } = this.options;
    this.last = count;
    this.counts.packets++;
    this.debt = Math.min(LONGEST, this.debt + 1 / rate);
    const ticks = Math.max(1, Math.round(this.debt / interval));
    // Bound the debt, so that one overshoot has no lasting effect.
    this.debt = Math.max(-interval, this.debt - ticks * interval);
    this.pending = { inputs: this.map(pulses), ticks };
  }

  turn(): number {
    const { session, radio, now } = this.options;
    const { pending } = this;
    if (pending === undefined) return IDLE;
    while (pending.ticks > 0) {
      if (!session.advance(pending.inputs)) return session.untilDue();
      pending.ticks--;
    }
    this.pending = undefined;
    const { state } = this;
    const sticks = radio();
    this.reply = this.write(state.t - this.begin, sticks && channelsOf(sticks, 1));
    this.speed.add(state.t, now());
    this.post(this.reply);
    this.eagerness.sent(now());
    return IDLE;
  }

  sampled(row: Float64Array): void {
    this.state.take(row);
  }

  private post(line: Uint8Array): void {
    const { peer } = this;
    // A lost reply is repeated when ArduPilot repeats its pulses.
    if (peer) this.socket.send(line, peer.port, peer.address);
  }

  isEager = () => this.eagerness.isEager(this.options.now());

  waitsFor(): string | undefined {
    const { session, now, port } = this.options;
    const silent = now() - this.heardAt;
    const instance = (port - ARDUPILOT_PORT) / ARDUPILOT_STEP;
    if (this.peer === undefined)
      return (
        `waiting for ArduPilot to send to ${this.address}` +
        (silent < LONG
          ? ""
          : ` for ${(silent / 1000).toFixed(0)} s: start it with --model JSON:127.0.0.1 -I${instance}`)
      );
    if (this.pending && !session.isPlaying) return "ArduPilot waits: the simulation is paused or at its end";
    if (silent > SILENT)
      return `waiting for ArduPilot's servo packet after ${this.last} for ${(silent / 1000).toFixed(1)} s: is it stopped?`;
    return undefined;
  }

  status() {
    return { ...this.counts, real_time_factor: this.speed.value };
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.socket.close(() => resolve()));
  }
}
