/** Which keys do what: a vehicle's own, changed by the user, stored in the browser. */
import type { KeyAction } from "../../src/model/manual-control.ts";
import { areTexts, readStored, store } from "../storage.ts";

/** Keys of the page itself; none of them is used by a vehicle. */
export const PAGE_KEYS: readonly { readonly key: string; readonly meaning: string }[] = [
  { key: "KeyP", meaning: "pause, go on" },
  { key: "Period", meaning: "single step" },
  { key: "Comma", meaning: "back 5 s" },
  { key: "Backspace", meaning: "restart" },
  { key: "Minus", meaning: "slower time" },
  { key: "Equal", meaning: "faster time" },
  { key: "KeyC", meaning: "next camera" },
  { key: "KeyV", meaning: "force arrows" },
];

const KEY_NAMES: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Space: "Space",
  Period: ".",
  Comma: ",",
  Minus: "−",
  Equal: "+",
  Backspace: "⌫",
};

/** A key's place as a person calls it. */
export const keyName = (code: string): string => KEY_NAMES[code] ?? code.replace(/^(Key|Digit)/, "");

type Changes = Readonly<Record<string, readonly string[]>>;

export const storedKeys = (vehicle: string): Changes => readStored(`keys.${vehicle}`, areTexts) ?? {};

export const storeKeys = (vehicle: string, changes: Changes): void =>
  store(`keys.${vehicle}`, Object.keys(changes).length === 0 ? undefined : changes);

/** The actions of a vehicle with the person's own keys, by meaning. */
export function boundActions(vehicle: string, actions: readonly KeyAction[]): readonly KeyAction[] {
  const changes = storedKeys(vehicle);
  return actions.map((a) => (changes[a.meaning] ? { ...a, keys: changes[a.meaning] } : a));
}
