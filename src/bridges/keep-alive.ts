/** Detects dead connections by ping and pong. */
import type { WebSocket } from "ws";

/** Interval of pings [ms], and how many may stay unanswered. */
const PULSE = 5000;
const MOST_SILENCE = 2;

/** Disconnects silent peers, so that a sleeping laptop does not occupy a connection. */
export function keepAlive(socket: WebSocket): void {
  let silent = 0;
  const heard = () => {
    silent = 0;
  };
  const pulse = setInterval(() => {
    if (silent++ >= MOST_SILENCE) socket.terminate();
    else socket.ping();
  }, PULSE);
  socket.on("pong", heard);
  socket.on("message", heard);
  socket.on("close", () => clearInterval(pulse));
}
