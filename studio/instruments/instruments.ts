import type { FunctionComponent } from "preact";
import type { SessionInfo } from "../../src/session/protocol.ts";

/** A number that is shown large. */
export interface Reading {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly digits: number;
}

/** What a pilot or driver looks at. */
export interface Instruments {
  readings(get: (name: string) => number): readonly Reading[];
  /** Drawn in every frame. */
  readonly Dials: FunctionComponent<{ readonly info: SessionInfo }>;
}

/** Whether a vehicle moves in the plane: x to the front, y to the left, phi to the left. */
export const isPlane = ({ channels }: Pick<SessionInfo, "channels">): boolean =>
  channels.some((f) => f.name === "phi") && !channels.some((f) => f.name === "q_w");

/** Calls a function in every frame until the result is called. */
export function everyFrame(draw: () => void): () => void {
  let frame = 0;
  const next = () => {
    frame = requestAnimationFrame(next);
    draw();
  };
  next();
  return () => cancelAnimationFrame(frame);
}
