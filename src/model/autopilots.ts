/** Autopilots that a vehicle's file may be wired to. */
export const AUTOPILOTS = ["px4", "ardupilot"] as const;
export type Autopilot = (typeof AUTOPILOTS)[number];

/** What one output moves: weights by control; empty for nothing. */
export type OutputLine = Readonly<Record<string, number>>;
export type Wiring = Readonly<Partial<Record<Autopilot, readonly OutputLine[]>>>;
