/**
 * A connection to PX4's port counts only after a first MAVLink frame, so that a web request cannot
 * replace PX4.
 */
import type { Socket } from "node:net";
import { FrameReader, type Received } from "../mavlink/frame.ts";

/** Time for a first frame [ms], and how many may be waited for: PX4 sends a heartbeat as soon as it is connected. */
const PATIENCE = 5000;
const MOST = 8;
/** First bytes of MAVLink. */
const MAGICS = [0xfd, 0xfe];

export class PendingConnections {
  private readonly sockets = new Set<Socket>();

  /** Calls `enter` with the first valid frames, `refuse` if the connection sends anything else. */
  take(
    socket: Socket,
    enter: (reader: FrameReader, frames: readonly Received[]) => void,
    refuse: () => void,
  ): void {
    const { sockets } = this;
    const [oldest] = sockets;
    if (sockets.size >= MOST) oldest.destroy();
    sockets.add(socket);
    const timer = setTimeout(() => socket.destroy(), PATIENCE);
    const reader = new FrameReader();
    const leave = () => {
      clearTimeout(timer);
      sockets.delete(socket);
    };
    let isFirst = true;
    const listen = (data: Uint8Array) => {
      const isFrame = !isFirst || MAGICS.includes(data[0]);
      isFirst = false;
      const frames = isFrame ? [...reader.push(data)] : [];
      if (frames.length > 0) {
        leave();
        socket.off("data", listen);
        enter(reader, frames);
      } else if (!isFrame || reader.skipped.bytes + reader.skipped.checksums > 0) refuse();
    };
    socket.on("data", listen);
    socket.on("close", leave);
  }

  /** Applies `work` to all pending connections. */
  each(work: (socket: Socket) => void): void {
    for (const socket of [...this.sockets]) work(socket);
  }
}
