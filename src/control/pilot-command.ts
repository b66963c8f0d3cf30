/** Commands that a scenario may give to a pilot, and from when on. Which of them a vehicle can fly, its pilot decides. */
import { InputError } from "../model/input-error.ts";

/** Coordinates that are not given stay as they are when the command begins. */
export interface Waypoint {
  readonly north?: number;
  readonly east?: number;
  readonly altitude?: number;
  /** Heading of the nose in hover, course over ground on wings. */
  readonly yaw?: number;
}

/** On wings `airspeed` says how fast (its own cruise unless given); in hover `speed` is the fastest level speed. */
export type PilotCommand =
  | {
      readonly kind: "hold" | "goto";
      readonly place: Waypoint;
      readonly speed?: number;
      readonly airspeed?: number;
    }
  | {
      readonly kind: "waypoints";
      readonly places: readonly Waypoint[];
      readonly speed?: number;
      readonly airspeed?: number;
    }
  | {
      readonly kind: "loiter";
      readonly place: Waypoint;
      readonly radius: number;
      /** 1 clockwise seen from above, -1 the other way. */
      readonly turn: number;
      readonly airspeed?: number;
    }
  | { readonly kind: "takeoff"; readonly place: Waypoint; readonly airspeed?: number }
  | { readonly kind: "velocity"; readonly velocity: readonly [number, number, number]; readonly yaw?: number }
  | {
      readonly kind: "attitude";
      readonly roll: number;
      readonly pitch: number;
      readonly yaw?: number;
      readonly thrust?: number;
      readonly airspeed?: number;
    }
  | { readonly kind: "land"; readonly place: Waypoint; readonly airspeed?: number }
  | { readonly kind: "off" };

export const PILOT_COMMANDS = [
  "hold",
  "goto",
  "waypoints",
  "loiter",
  "takeoff",
  "velocity",
  "attitude",
  "land",
  "off",
] as const satisfies readonly PilotCommand["kind"][];

/** A line of a pilot's plan: a command, and from when on it holds. */
export interface PilotLine {
  readonly t: number;
  readonly command: PilotCommand;
  /** Its place in the file, for error messages. */
  readonly place?: { readonly file?: string; readonly line?: number; readonly column?: number };
}

/** A vehicle that no pilot can fly. */
export const unflyable = (problem: string, allowed: string) =>
  new InputError(`the pilot cannot fly this vehicle: ${problem}`, { field: "pilot", allowed });

/** Throws where a vehicle cannot fly a line's command; the message lists the commands that it can fly. */
export function validateCommands(
  lines: readonly PilotLine[],
  vehicle: string,
  known: readonly PilotCommand["kind"][],
  problem: (command: PilotCommand) => string | undefined = () => undefined,
): void {
  lines.forEach(({ command, place }, i) => {
    const complain = (why: string, allowed = known.join(", ")) =>
      new InputError(why, { ...place, field: `pilot.[${i}]`, allowed });
    if (!known.includes(command.kind)) throw complain(`${command.kind} is not a command for ${vehicle}`);
    let why: string | undefined;
    try {
      why = problem(command);
    } catch (error) {
      if (!(error instanceof InputError) || place === undefined) throw error;
      throw complain(error.problem, error.details.allowed);
    }
    if (why !== undefined) throw complain(why);
  });
}

/** The line in effect at a time; -1 before the first. */
export function lineAt(lines: readonly { readonly t: number }[], t: number): number {
  let line = lines.length - 1;
  while (line >= 0 && lines[line].t > t + 1e-9) line--;
  return line;
}
