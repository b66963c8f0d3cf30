/**
 * PX4's simulator interface: PX4 connects by TCP, takes its clock from HIL_SENSOR, and answers each with the actuators. Until its
 * first answer, while it starts up, sensors are sent at the pace of real time; from then on each waits for the answer to the last.
 */
import { createServer, type Server, type Socket } from "node:net";
import { actuatorMap, readPx4, usualLines } from "../../control/actuator-map.ts";
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
import { type FrameReader, FrameWriter, type Received } from "../mavlink/frame.ts";
import {
  COMMAND_LONG,
  DISTANCE_SENSOR,
  HIL_ACTUATOR_CONTROLS,
  HIL_GPS,
  HIL_SENSOR,
  HIL_STATE_QUATERNION,
  RC_CHANNELS,
} from "../mavlink/messages.ts";
import { PendingConnections } from "./first-bytes.ts";
import { type Beam, distanceSensor, hilGps, hilSensor, hilState } from "./frames.ts";

export const PX4_PORT = 4560;
const SYSTEM = 1;
const COMPONENT = 200;
const SET_MESSAGE_INTERVAL = 511;
/** Flag of a PX4 whose time is that of the sensors. */
const LOCKSTEP = 1;
const ARMED = 128;
/** Time for an answer before it is reported, and before the next sensors are sent if none is due [ms]. */
const PATIENCE = 1000;
/** The same where an answer is due: the machine may be busy, or a debugger may have stopped it [ms]. */
const MOST_PATIENCE = 60_000;
/**
 * Its outputs count from a whole multiple of this time of its own on [us]: until then it may start up sooner or later, and the flight
 * is the same. So long its clock goes on by real time at most, then slowly: a tick each so many [ms].
 */
const START_UP = 1_000_000;
const SLOWLY = 50;
/** Bits of fields_updated that PX4 controls by. */
const GYRO = 0x38;
/** After waiting this long, a hint is printed [ms]. */
const LONG = 10_000;
/** Of radio control [us]. */
const RADIO_EVERY = 20_000;
/** A new connection replaces one that was silent for this long [ms]. */
const SILENT = 2000;
/** Largest backlog [bytes], and longest time with any backlog before the connection is closed [ms]. */
const MOST_UNREAD = 65_536;
const DEAF = 5000;

export interface Px4Options extends AutopilotOptions {
  readonly beams: readonly Beam[];
}

interface Peer {
  readonly socket: Socket;
  readonly reader: FrameReader;
  readonly writer: FrameWriter;
  /** Simulated time at which its clock begins [s]. */
  readonly begin: number;
  heardAt: number;
  /** Time of the last sensors [us], when they went out [ms], and whether they were answered. */
  sent: number;
  sentAt: number;
  /** When nothing was left to be sent [ms]. */
  drainedAt: number;
  isAnswered: boolean;
  hasAnswered: boolean;
  /** Its outputs count from the answer to the sensors of this time on [us]. */
  countsFrom: number;
  /** An answer to the last sensors is due, as far as one can know. */
  isDue: boolean;
  /** Some answer never came. */
  hasMissed: boolean;
  hasLockstep: boolean;
  isArmed: boolean;
  unanswered: number;
  stateEvery: number;
  radioDue: number;
}

export class Px4Bridge implements Driver {
  readonly name = "px4";
  private readonly options: Px4Options;
  private readonly server: Server;
  private readonly state: VehicleState;
  private readonly map: (controls: ArrayLike<number>) => Record<string, number>;
  private readonly neutral: Record<string, number>;
  private readonly speed = new RealTimeFactor();
  private readonly eagerness: Eagerness;
  private inputs: Record<string, number>;
  private readonly pending = new PendingConnections();
  private peer?: Peer;
  private waitingSince: number;
  private counts = { connections: 0, refused: 0, frames: 0, controls: 0, unanswered: 0, garbage: 0 };

  static async open(options: Px4Options): Promise<Px4Bridge> {
    const bridge = new Px4Bridge(options);
    const { host, port } = options;
    await listening(bridge.server, options, "--px4", (done) => bridge.server.listen(port, host, done));
    return bridge;
  }

  private constructor(options: Px4Options) {
    const { session, vehicle, channels, now } = options;
    this.options = options;
    this.state = new VehicleState(session, vehicle, channels);
    this.map = actuatorMap(vehicle, vehicle.autopilots?.px4 ?? usualLines(vehicle), readPx4);
    this.neutral = this.map(new Float64Array(16));
    this.inputs = this.neutral;
    this.waitingSince = now();
    this.eagerness = new Eagerness(options.interval);
    this.server = createServer((socket) => this.accept(socket));
  }

  get address(): string {
    return `${this.options.host}:${this.options.port}`;
  }

  private refuse(socket: Socket, reason: string): void {
    this.counts.refused++;
    this.options.report(reason);
    socket.destroy();
  }

  /** Whether an autopilot is connected and sends. */
  private isTaken(): boolean {
    return this.peer !== undefined && this.options.now() - this.peer.heardAt < SILENT;
  }

  private accept(socket: Socket): void {
    socket.on("error", () => socket.destroy());
    const another = `another PX4 wanted to connect to ${this.address}: one vehicle has one autopilot; use --instance`;
    const stranger = `a connection to ${this.address} that does not speak MAVLink was refused`;
    const enter = (reader: FrameReader, frames: readonly Received[]) => {
      if (this.isTaken()) {
        this.refuse(socket, another);
        return;
      }
      this.welcome(socket, reader, frames);
      this.pending.each((other) => this.refuse(other, another));
    };
    if (this.isTaken()) this.refuse(socket, another);
    else this.pending.take(socket, enter, () => this.refuse(socket, stranger));
  }

  private welcome(socket: Socket, reader: FrameReader, frames: readonly Received[]): void {
    const { now, report, session } = this.options;
    const { peer } = this;
    peer?.socket.destroy();
    socket.setNoDelay(true);
    this.counts.connections++;
    // A new connection resets the vehicle.
    if (this.counts.connections > 1) session.handle({ type: "reset" });
    this.peer = {
      socket,
      reader,
      writer: new FrameWriter(SYSTEM, COMPONENT),
      begin: this.counts.connections > 1 ? session.simulation.t : 0,
      heardAt: now(),
      sent: 0,
      sentAt: now(),
      drainedAt: now(),
      isAnswered: true,
      hasAnswered: false,
      countsFrom: Number.POSITIVE_INFINITY,
      isDue: true,
      hasMissed: false,
      hasLockstep: true,
      isArmed: false,
      unanswered: 0,
      // From the first tick on: a rate that followed the request would depend on when that came.
      stateEvery: 1,
      radioDue: 0,
    };
    this.waitingSince = now();
    this.inputs = this.neutral;
    const mine = this.peer;
    socket.on("data", (data) => guarded(report, () => this.hear(mine, data)));
    socket.on("close", () => this.left(mine));
    if (this.counts.connections === 1) report("PX4 is connected");
    else report(`PX4 connected again (${nth(this.counts.connections)} connection): the vehicle is reset`);
    guarded(report, () => this.heard(mine, frames));
  }

  private left(peer: Peer): void {
    if (this.peer !== peer) return;
    this.peer = undefined;
    this.inputs = this.neutral;
    this.waitingSince = this.options.now();
    const { report, session } = this.options;
    report(`PX4 disconnected at t = ${session.simulation.t.toFixed(2)} s: the simulation waits for it`);
  }

  private hear(peer: Peer, data: Uint8Array): void {
    if (this.peer !== peer) return;
    this.heard(peer, peer.reader.push(data));
  }

  private heard(peer: Peer, messages: Iterable<Received>): void {
    for (const message of messages) {
      peer.heardAt = this.options.now();
      this.take(peer, message);
    }
    const { bytes, checksums } = peer.reader.skipped;
    if (bytes + checksums > 0 && this.counts.garbage === 0)
      this.options.report(`bytes received at ${this.address} that are not MAVLink are skipped`);
    this.counts.garbage = bytes + checksums;
    if (peer.isAnswered) this.turn();
  }

  private take(peer: Peer, { type, values }: Received): void {
    if (type === COMMAND_LONG && values.command === SET_MESSAGE_INTERVAL) {
      if (values.param1 === HIL_STATE_QUATERNION.id)
        peer.stateEvery = Math.max(0, Number(values.param2) || 0);
    } else if (type === HIL_ACTUATOR_CONTROLS) {
      this.counts.controls++;
      const controls = values.controls as readonly number[];
      if (controls.some((c) => !Number.isFinite(c)))
        this.options.report("PX4 sends actuator values that are not finite numbers: they are ignored");
      const hasLockstep = Number(values.flags) % 2 === LOCKSTEP;
      if (!hasLockstep)
        this.options.report(
          "this PX4 does not wait for the simulation (built without lockstep): runs are not repeatable",
        );
      // From now on it is waited for. An answer to sensors before the last is late: its successor comes.
      peer.hasLockstep = hasLockstep;
      if (!peer.hasAnswered) peer.countsFrom = Math.max(1, Math.ceil(peer.sent / START_UP)) * START_UP;
      peer.hasAnswered = true;
      this.armed(peer, (Number(values.mode) & ARMED) !== 0);
      if (hasLockstep && Number(values.time_usec) < peer.sent) return;
      if (peer.unanswered > 0 || (!peer.isAnswered && this.options.now() - peer.sentAt > PATIENCE))
        this.options.report(`PX4 answers again, from its time ${(peer.sent / 1e6).toFixed(3)} s on`);
      peer.isAnswered = true;
      peer.unanswered = 0;
      this.inputs = this.map(controls);
    }
  }

  private armed(peer: Peer, isArmed: boolean): void {
    if (peer.isArmed !== isArmed)
      this.options.report(
        `PX4 ${isArmed ? "arms" : "disarms"} at its time ${(peer.sent / 1e6).toFixed(2)} s`,
      );
    peer.isArmed = isArmed;
  }

  turn(): number {
    const { peer } = this;
    const { session, now, report } = this.options;
    if (peer === undefined) return PATIENCE;
    const unread = peer.socket.writableLength;
    if (unread === 0) peer.drainedAt = now();
    if (now() - peer.drainedAt > DEAF) {
      report("PX4 does not read from its connection, which is closed");
      peer.socket.destroy();
    }
    if (unread > MOST_UNREAD) return PATIENCE;
    const isWaiting = peer.hasAnswered && !peer.isAnswered;
    const wait = this.patience(peer) - (now() - peer.sentAt);
    if (wait > 0) return wait;
    if (session.advance(peer.sent >= peer.countsFrom ? this.inputs : this.neutral) && isWaiting) {
      this.counts.unanswered++;
      peer.unanswered++;
      peer.hasMissed = true;
    }
    return Math.max(session.untilDue(), this.patience(peer));
  }

  /** From sensors to sensors at least [ms]. */
  private patience({ hasAnswered, isAnswered, isDue, hasMissed, hasLockstep, sent }: Peer): number {
    if (!hasAnswered) return sent < START_UP ? 1000 * this.options.interval : SLOWLY;
    if (isAnswered) return 0;
    return isDue && hasLockstep && !hasMissed ? MOST_PATIENCE : PATIENCE;
  }

  /** Sends a sample to PX4. */
  sampled(row: Float64Array): void {
    const { state, peer } = this;
    state.take(row);
    // PX4's clock must not stand at zero.
    if (peer === undefined || state.t <= peer.begin) return;
    const { home, beams, radio, now } = this.options;
    const time = Math.round((state.t - peer.begin) * 1e6);
    const measured = hilSensor(state, time);
    peer.isDue = (Number(measured.fields_updated) & GYRO) !== 0;
    const frames = [peer.writer.write(HIL_SENSOR, measured)];
    if (state.isFresh("gnss")) frames.push(peer.writer.write(HIL_GPS, hilGps(state, time)));
    beams.forEach((beam, i) => {
      if (state.isFresh(`rangefinder_${i + 1}`))
        frames.push(peer.writer.write(DISTANCE_SENSOR, distanceSensor(state, time, i, beam)));
    });
    const { stateEvery, sent } = peer;
    if (stateEvery > 0 && Math.floor(time / stateEvery) > Math.floor(sent / stateEvery)) {
      frames.push(peer.writer.write(HIL_STATE_QUATERNION, hilState(state, time, home)));
    }
    const sticks = time >= peer.radioDue ? radio() : undefined;
    if (sticks) {
      peer.radioDue = time + RADIO_EVERY;
      const pulses = channelsOf(sticks, -1).map((us, i) => [`chan${i + 1}_raw`, us] as const);
      frames.push(
        peer.writer.write(RC_CHANNELS, {
          time_boot_ms: Math.floor(time / 1000),
          chancount: pulses.length,
          rssi: 254,
          ...Object.fromEntries(pulses),
        }),
      );
    }
    peer.sent = time;
    peer.sentAt = now();
    peer.isAnswered = false;
    this.counts.frames += frames.length;
    this.speed.add(state.t, peer.sentAt);
    // Sensors last, so that all else is there when PX4's clock goes on.
    const [sensors, ...others] = frames;
    peer.socket.write(Buffer.concat([...others, sensors]));
    this.eagerness.sent(now());
  }

  isEager = () => this.eagerness.isEager(this.options.now());

  waitsFor(): string | undefined {
    const { peer } = this;
    const { session, now, port } = this.options;
    const waited = now() - this.waitingSince;
    const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
    if (peer === undefined)
      return (
        `waiting for PX4 to connect to ${this.address}` +
        (waited < LONG
          ? ""
          : ` for ${seconds(waited)}: start it with PX4_SIM_MODEL=none_iris (instance ${port - PX4_PORT}); ` +
            "from another machine it needs PX4_SIM_HOSTNAME, and this one --interface")
      );
    if (!session.isPlaying) return "PX4 waits: the simulation is paused or at its end";
    if (!peer.hasAnswered)
      return waited < LONG
        ? "PX4 starts up"
        : `PX4 is connected and has not sent actuators for ${seconds(waited)}: look at its console ` +
            "(airframes for gz, jmavsim or sihsim do not use this interface)";
    if (peer.hasAnswered && !peer.isAnswered && now() - peer.sentAt > PATIENCE)
      return (
        `waiting for PX4 to answer the HIL_SENSOR of its time ${(peer.sent / 1e6).toFixed(3)} s ` +
        `for ${seconds(now() - peer.heardAt)}: is it stopped in a debugger, or busy?`
      );
    return undefined;
  }

  status() {
    const { peer } = this;
    return {
      ...this.counts,
      real_time_factor: this.speed.value,
      state: peer === undefined ? "not connected" : peer.isArmed ? "armed" : "disarmed",
    };
  }

  async close(): Promise<void> {
    this.peer?.socket.destroy();
    this.pending.each((socket) => socket.destroy());
    this.peer = undefined;
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
