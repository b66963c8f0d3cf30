/** What an input source may read: time, true state, outputs and sensor readings. */
export interface Sensed {
  readonly t: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
}

/** A timeline, an autopilot, a keyboard, a log: whatever decides the inputs, once a tick. */
export interface InputSource {
  update(sensed: Sensed, u: Float64Array): void;
  /** Everything that changes, for snapshots. */
  readonly memory?: readonly Float64Array[];
  /** Of the memory, what stays when the vehicle is taken back to its start. */
  readonly survivesReset?: readonly Float64Array[];
}
