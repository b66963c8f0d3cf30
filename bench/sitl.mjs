// Autopilots in lockstep: how much faster than real time the stand-ins of test/ fly, beside the bare exchange of as many bytes
// between two Node processes on the same two cores (what is left of a step when nothing is simulated).
import { fork, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);
const bin = fileURLToPath(new URL("../bin/sideslip.js", import.meta.url));
const standIn = (kind) => fileURLToPath(new URL(`../test/support/autopilots/${kind}.mjs`, import.meta.url));
const SECONDS = 120;
const ROUNDS = 3;
const TRIPS = 20_000;
const INSTANCE = 90;
/** Real-time factor wanted, steps a second, bytes there and back. */
const WANTED = {
  px4: { vehicle: "x500", factor: 15, rate: 250, port: 4560 + INSTANCE, bytes: [93, 180] },
  ardupilot: { vehicle: "iris", factor: 8, rate: 1200, port: 9002 + 10 * INSTANCE, bytes: [40, 420] },
};
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const awake = () => setImmediate(awake);

/** Simulated seconds per second. */
async function flight(kind) {
  const { vehicle, port } = WANTED[kind];
  const args = ["serve", vehicle, `--${kind}`, "--instance", String(INSTANCE), "--speed", "100", "--json"];
  const server = spawn(process.execPath, [bin, ...args, "--duration", String(SECONDS)], { cwd: tmpdir() });
  let text = "";
  await new Promise((resolve) => {
    server.stdout.on("data", (d) => {
      text += d;
      if (text.includes("\n")) resolve();
    });
  });
  spawn(process.execPath, [standIn(kind), String(port), vehicle, String(SECONDS)]);
  await new Promise((resolve) => server.on("close", resolve));
  return JSON.parse(text.trim().split("\n").at(-1))[kind].real_time_factor;
}

/** Microseconds of a round trip that does nothing. */
function bare(kind) {
  const { bytes } = WANTED[kind];
  const echo = fork(here, ["echo", kind]);
  return new Promise((resolve) => {
    let count = 0;
    let begun = 0;
    const message = Buffer.alloc(bytes[0]);
    let send = () => {};
    const heard = () => {
      if (++count === TRIPS / 10) begun = performance.now();
      if (count < TRIPS) return send();
      echo.kill();
      resolve(((performance.now() - begun) / (0.9 * TRIPS)) * 1000);
    };
    echo.once("message", (port) => {
      if (kind === "ardupilot") {
        const socket = createSocket("udp4", heard);
        socket.unref();
        send = () => socket.send(message, port, "127.0.0.1");
      } else {
        const socket = connect(port, "127.0.0.1");
        socket.setNoDelay(true);
        socket.on("data", heard);
        socket.on("error", () => {});
        send = () => socket.write(message);
      }
      send();
    });
    const spin = () => count < TRIPS && setImmediate(spin);
    spin();
  });
}

function echo(kind) {
  const reply = Buffer.alloc(WANTED[kind].bytes[1]);
  awake();
  if (kind === "ardupilot") {
    const socket = createSocket("udp4", (_, from) => socket.send(reply, from.port, from.address));
    socket.bind(0, "127.0.0.1", () => process.send(socket.address().port));
  } else {
    const server = createServer((socket) => {
      socket.setNoDelay(true);
      socket.on("data", () => socket.write(reply));
    });
    server.listen(0, "127.0.0.1", () => process.send(server.address().port));
  }
}

export async function benchSitl() {
  for (const [kind, { vehicle, factor, rate }] of Object.entries(WANTED)) {
    const factors = [];
    const trips = [];
    for (let round = 0; round < ROUNDS; round++) {
      trips.push(await bare(kind));
      factors.push(await flight(kind));
    }
    const step = 1e6 / (rate * median(factors));
    const holds = median(factors) >= factor;
    if (!holds) process.exitCode = 1;
    console.log(
      `${kind}, ${vehicle}, ${rate} steps a second: ${median(factors)} times real time ` +
        `(${factors.join(", ")}; wanted ${factor}: ${holds ? "holds" : "MISSED"}); a step takes ${step.toFixed(0)} us, ` +
        `${(step / median(trips)).toFixed(2)} times the bare exchange of ${median(trips).toFixed(0)} us`,
    );
  }
}

if (process.argv[2] === "echo") echo(process.argv[3]);
