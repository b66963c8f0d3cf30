/**
 * A stand-in for ArduPilot's JSON interface, from ../shared/protocols.md: sends servo pulses, waits for the state, and flies.
 * node ardupilot.mjs <port> <vehicle> <seconds> [rate] [channels]; prints a summary as JSON.
 */
import { createSocket } from "node:dgram";
import { PILOTS } from "./controllers.mjs";

const [port, vehicle, seconds, rate = 1200, channels = 16] = process.argv
  .slice(2)
  .map((v, i) => (i === 1 ? v : Number(v)));
const pilot = PILOTS[vehicle]();
const socket = createSocket("udp4");
const packet = Buffer.alloc(8 + 2 * channels);
packet.writeUInt16LE(channels === 32 ? 29569 : 18458, 0);
packet.writeUInt16LE(rate, 2);
const seen = { first: undefined, fields: [], largest: 0, restPull: undefined };
let count = 0;
let last;
let sentAt = 0;

function send(pulses) {
  packet.writeUInt32LE(count, 4);
  for (let i = 0; i < channels; i++) packet.writeUInt16LE(pulses[i] ?? 0, 8 + 2 * i);
  sentAt = performance.now();
  socket.send(packet);
}
// As ArduPilot does when nothing comes.
const again = setInterval(() => {
  if (performance.now() - sentAt < 1000) return;
  sentAt = performance.now();
  socket.send(packet);
}, 100);

const signed = (v) => Math.round(1500 + 500 * v);
const pushed = (v) => Math.round(1000 + 1000 * v);
/** Motors turn with the root of their thrust. */
function pulsesOf(order) {
  if (Array.isArray(order)) return order.map((thrust) => pushed(Math.sqrt(thrust)));
  if (vehicle === "zephyr") {
    const left = order.elevator - order.aileron;
    const right = order.elevator + order.aileron;
    return [signed(left), signed(right), pushed(order.throttle)].map((us) =>
      Math.max(1000, Math.min(2000, us)),
    );
  }
  if ("steering" in order) return [signed(order.steering), 1500, signed(order.throttle)];
  return [signed(order.aileron), signed(order.elevator), pushed(order.throttle), signed(order.rudder)];
}
const RESTING = {
  "advanced-plane": [1500, 1500, 1000, 1500],
  zephyr: [1500, 1500, 1000],
  "formula-student": [1500, 1500, 1500],
};
const resting = RESTING[vehicle] ?? [1000, 1000, 1000, 1000];

socket.on("message", (bytes) => {
  const text = bytes.toString();
  if (!text.startsWith("\n") || !text.endsWith("\n")) throw new Error("not a line of its own");
  const json = JSON.parse(text);
  const { timestamp, imu, position, quaternion, velocity } = json;
  if (last !== undefined && timestamp <= last)
    throw new Error(`time stands or goes back: ${last} to ${timestamp}`);
  if (last === undefined) {
    seen.first = timestamp;
    seen.fields = Object.keys(json);
  } else seen.largest = Math.max(seen.largest, timestamp - last);
  if (timestamp < 1.9) seen.restPull = imu.accel_body;
  const dt = last === undefined ? 1 / rate : timestamp - last;
  last = timestamp;
  const ground = Math.hypot(...velocity);
  const state = {
    t: timestamp,
    position,
    velocity,
    q: quaternion,
    rates: imu.gyro,
    airspeed: json.airspeed ?? ground,
  };
  const order = pilot.fly(state, dt);
  count++;
  if (timestamp < seconds - 1e-6) send(order ? pulsesOf(order) : resting);
  else {
    clearInterval(again);
    process.stdout.write(`${JSON.stringify({ ...pilot.summary(), t: timestamp, packets: count, seen })}\n`);
    socket.close();
    isOver = true;
  }
});
/** A real one is busy between answers; one that sleeps would be woken late. */
let isOver = false;
const stayAwake = () => isOver || setImmediate(stayAwake);
stayAwake();

socket.on("error", () => {}); // nobody there yet
socket.connect(port, "127.0.0.1", () => send(resting));
