/** Whether somebody is still there at the other end of a socket. */
import type { WebSocket } from "ws";

/** Between two questions [ms], and how many may stay without an answer. */
const PULSE = 5000;
const MOST_SILENCE = 2;

/** Lets go who neither answers nor says anything; a sleeping laptop must not keep its place. */
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
