/** What happened to a flight from outside, and when: with its beginning it is the whole flight. */
import type { Gesture } from "../../control/hands/stick-source.ts";
import { InputError } from "../../model/input-error.ts";
import type { Open } from "../manual-schema.ts";

/** Words of a scenario, as a file would have them. */
export type Words = Readonly<Record<string, unknown>>;

/** Between tick and the next step. */
export type Deed = { readonly tick: number } & (
  | { readonly kind: Gesture; readonly stick: number; readonly value: number }
  /** Hands take over from whoever flew. */
  | { readonly kind: "take" }
  /** Inputs by name, set from outside: a controller at the other end of a topic. */
  | { readonly kind: "inputs"; readonly values: Readonly<Record<string, number>> }
  /** The vehicle is taken back to its start; time goes on. */
  | { readonly kind: "reset" }
  | { readonly kind: "parameters"; readonly values: Readonly<Record<string, number>> }
  /** Words laid over the scenario: wind, air, faults, boundaries. */
  | { readonly kind: "surroundings"; readonly words: Words }
);

/** Of those that change more than sticks. */
export const isChange = ({ kind }: Deed): boolean => kind === "parameters" || kind === "surroundings";

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
      throw new InputError(`${path} is not here`, { allowed: "opened together with the scenario" });
    return { text: file.text, file: file.name };
  };

/** A flight as data: what a link holds. */
export interface FlightLog {
  /** Of Sideslip. */
  readonly version: string;
  /** A preset's name, or the words of a vehicle file. */
  readonly vehicle: string | Words;
  readonly name: string;
  readonly scenario: Words;
  /** Flown by hand from the beginning. */
  readonly byHand: boolean;
  /** Files that the scenario names. */
  readonly files?: readonly TextFile[];
  readonly deeds: readonly Deed[];
  readonly ticks: number;
  readonly hash: string;
}
