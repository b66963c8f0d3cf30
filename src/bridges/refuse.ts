/** Refuses an upgrade with a status, and closes the socket without waiting for the client to close its side. */
import type { Duplex } from "node:stream";

export function refuse(socket: Duplex, status = "403 Forbidden"): void {
  // Errors of a connection that is being refused are ignored.
  socket.on("error", () => socket.destroy());
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
