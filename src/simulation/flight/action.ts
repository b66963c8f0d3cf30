/** What a person or a program did to a flight, and at which tick: initial state and actions determine the whole flight. */
import type { StickMotion } from "../../control/manual/stick-source.ts";
import type { Open } from "../../model/document.ts";
import { InputError } from "../../model/input-error.ts";
import type { Spec } from "../../vehicles/vehicle-type.ts";

export type { Spec };

/** Takes effect between the tick and the next step. */
export type Action = { readonly tick: number } & (
  | { readonly kind: StickMotion; readonly stick: number; readonly value: number }
  /** Manual control takes over from whatever flew before. */
  | { readonly kind: "take" }
  /** Inputs by name, set from outside: a controller at the other end of a topic. */
  | { readonly kind: "inputs"; readonly values: Readonly<Record<string, number>> }
  /** The vehicle is taken back to its start; time goes on. */
  | { readonly kind: "reset" }
  | { readonly kind: "parameters"; readonly values: Readonly<Record<string, number>> }
  /** Blocks laid over the scenario: wind, air, faults, boundaries. */
  | { readonly kind: "environment"; readonly spec: Spec }
);

/** Whether an action changes parameters or environment, rather than sticks or inputs. */
export const isChange = ({ kind }: Action): boolean => kind === "parameters" || kind === "environment";

export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** Opens a file that a scenario names among those at hand, by its name without folders. */
export const openAmong =
  (files: readonly TextFile[]): Open =>
  (path) => {
    const file = files.find((f) => f.name === path.replace(/^.*[/\\]/, ""));
    if (file === undefined)
      throw new InputError(`${path} was not opened`, { allowed: "a file opened together with the scenario" });
    return { text: file.text, file: file.name };
  };

/** A flight as data: what a link holds. */
export interface FlightLog {
  /** Of Sideslip. */
  readonly version: string;
  /** A preset's name, or the spec of a vehicle file. */
  readonly vehicle: string | Spec;
  readonly name: string;
  readonly scenario: Spec;
  /** Under manual control from the start. */
  readonly byHand: boolean;
  /** Files that the scenario names. */
  readonly files?: readonly TextFile[];
  readonly actions: readonly Action[];
  readonly ticks: number;
  readonly hash: string;
}
