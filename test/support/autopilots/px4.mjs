/**
 * A stand-in for PX4's simulator interface, from ../shared/protocols.md: connects by TCP, asks for the truth, lives by the clock of
 * HIL_SENSOR, and answers each with actuators. Its MAVLink is its own.
 * node px4.mjs <port> <vehicle> <seconds>; prints a summary as JSON.
 */
import { connect } from "node:net";
import { euler, PILOTS } from "./controllers.mjs";

const [port, vehicle, seconds] = process.argv.slice(2).map((v, i) => (i === 1 ? v : Number(v)));
const pilot = PILOTS[vehicle]();

/** Checksum seeds of the messages (CRC_EXTRA in common.xml). */
const EXTRA = { 0: 50, 65: 118, 76: 152, 93: 47, 107: 108, 113: 124, 115: 4, 132: 85 };
function crc(bytes, extra) {
  let sum = 0xffff;
  const add = (byte) => {
    let t = (byte ^ sum) & 0xff;
    t = (t ^ (t << 4)) & 0xff;
    sum = ((sum >> 8) ^ (t << 8) ^ (t << 3) ^ (t >> 4)) & 0xffff;
  };
  for (let i = 0; i < bytes.length; i++) add(bytes[i]);
  add(extra);
  return sum;
}
let sequence = 0;
function frame(id, payload) {
  const out = Buffer.alloc(12 + payload.length);
  out.set([0xfd, payload.length, 0, 0, sequence++ & 255, 1, 1, id & 255, id >> 8, 0]);
  payload.copy(out, 10);
  out.writeUInt16LE(crc(out.subarray(1, 10 + payload.length), EXTRA[id]), 10 + payload.length);
  return out;
}
const heartbeat = () => frame(0, Buffer.from([0, 0, 0, 0, 2, 12, 0, 0, 3]));
function askForTruth() {
  const payload = Buffer.alloc(33);
  payload.writeFloatLE(115, 0);
  payload.writeFloatLE(4000, 4);
  payload.writeUInt16LE(511, 28);
  return frame(76, payload);
}
function controls(time, values, isArmed) {
  const payload = Buffer.alloc(81);
  payload.writeBigUInt64LE(BigInt(time), 0);
  payload.writeBigUInt64LE(1n, 8);
  values.forEach((v, i) => {
    payload.writeFloatLE(v, 16 + 4 * i);
  });
  payload[80] = isArmed ? 129 : 1;
  return frame(93, payload);
}

const state = {
  t: 0,
  position: [0, 0, 0],
  velocity: [0, 0, 0],
  q: [1, 0, 0, 0],
  rates: [0, 0, 0],
  airspeed: 0,
};
const seen = {
  sensors: 0,
  gps: 0,
  truths: 0,
  ranges: 0,
  bits: 0,
  rest: undefined,
  worst: { gps: 0, baro: 0, heading: 0 },
};
let origin;
let baroOrigin;

/** Metres near home, on a sphere of PX4's radius; a degree is short by less than a part in two hundred. */
function local(lat, lon, alt) {
  const metres = (Math.PI / 180) * 6371000;
  return [
    (lat - origin[0]) * metres,
    (lon - origin[1]) * metres * Math.cos((origin[0] * Math.PI) / 180),
    origin[2] - alt,
  ];
}

function truth(p) {
  const at = [p.readInt32LE(36) / 1e7, p.readInt32LE(40) / 1e7, p.readInt32LE(44) / 1000];
  origin ??= at;
  seen.truths++;
  state.q = [8, 12, 16, 20].map((i) => p.readFloatLE(i));
  state.rates = [24, 28, 32].map((i) => p.readFloatLE(i));
  state.position = local(...at);
  state.velocity = [48, 50, 52].map((i) => p.readInt16LE(i) / 100);
  state.airspeed = p.readUInt16LE(56) / 100;
}

function sensor(p) {
  const time = Number(p.readBigUInt64LE(0));
  const dt = state.t === 0 ? 0.004 : time / 1e6 - state.t;
  if (time / 1e6 <= state.t) throw new Error("time stands or goes back");
  state.t = time / 1e6;
  const bits = p.readUInt32LE(60);
  seen.sensors++;
  seen.bits |= bits;
  if (state.t < 1.9) seen.rest = [8, 12, 16].map((i) => p.readFloatLE(i));
  if ((bits & 0x1a00) === 0x1a00) {
    const altitude = 44330.8 * (1 - (p.readFloatLE(44) / 1013.25) ** 0.190263);
    baroOrigin ??= altitude + state.position[2];
    seen.worst.baro = Math.max(seen.worst.baro, Math.abs(altitude - baroOrigin + state.position[2]));
  }
  const { roll, pitch, yaw } = euler(state.q);
  if ((bits & 0x1c0) === 0x1c0 && Math.abs(roll) < 0.02 && Math.abs(pitch) < 0.02) {
    const shown = Math.atan2(-p.readFloatLE(36), p.readFloatLE(32)) + (3.6 * Math.PI) / 180;
    seen.worst.heading = Math.max(
      seen.worst.heading,
      Math.abs(Math.atan2(Math.sin(shown - yaw), Math.cos(shown - yaw))),
    );
  }
  return { time, dt };
}

function gps(p) {
  seen.gps++;
  if (origin === undefined || Math.hypot(...state.velocity) > 1) return;
  const at = local(p.readInt32LE(8) / 1e7, p.readInt32LE(12) / 1e7, p.readInt32LE(16) / 1000);
  seen.worst.gps = Math.max(seen.worst.gps, Math.hypot(...at.map((v, i) => v - state.position[i])));
}

/** Order of PX4's airframes; motors turn with the root of their thrust. */
function outputsOf(order) {
  if (Array.isArray(order)) return order.map(Math.sqrt);
  if (vehicle === "zephyr")
    return [order.elevator - order.aileron, order.elevator + order.aileron, order.throttle];
  if ("steering" in order) return [order.steering, order.throttle];
  return [0, 0, order.rudder, 0, order.throttle, -order.aileron, order.aileron, order.elevator];
}

/** A real one is busy between answers; one that sleeps would be woken late. */
let isOver = false;
const stayAwake = () => isOver || setImmediate(stayAwake);
stayAwake();

let rest = Buffer.alloc(0);
const socket = connect(port, "127.0.0.1");
socket.setNoDelay(true);
socket.on("connect", () => {
  socket.write(heartbeat());
  socket.write(askForTruth());
});
socket.on("data", (data) => {
  rest = Buffer.concat([rest, data]);
  while (rest.length >= 12) {
    if (rest[0] !== 0xfd) throw new Error("not the beginning of a frame");
    const length = rest[1];
    if (rest.length < 12 + length) return;
    const id = rest.readUIntLE(7, 3);
    if (rest.readUInt16LE(10 + length) !== crc(rest.subarray(1, 10 + length), EXTRA[id]))
      throw new Error(`checksum of ${id}`);
    const payload = Buffer.alloc(64 + 40);
    rest.copy(payload, 0, 10, 10 + length);
    rest = rest.subarray(12 + length);
    if (id === 115) truth(payload);
    else if (id === 113) gps(payload);
    else if (id === 132) seen.ranges++;
    else if (id === 107) {
      const { time, dt } = sensor(payload);
      const order = origin === undefined ? undefined : pilot.fly(state, dt);
      if (state.t >= seconds - 1e-6) {
        process.stdout.write(`${JSON.stringify({ ...pilot.summary(), t: state.t, seen })}\n`);
        socket.end();
        isOver = true;
        return;
      }
      socket.write(controls(time, order ? outputsOf(order) : [], order !== undefined));
    }
  }
});
socket.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
  isOver = true;
});
