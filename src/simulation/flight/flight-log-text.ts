/** The action log of a flight as text. Whether it is one, `readFlightLog` finds. */
import type { FlightLog } from "./action.ts";

/** JSON has no infinity; it is written as YAML does. */
const INFINITE = ".inf";
export const writeFlightLog = (value: FlightLog): string =>
  JSON.stringify(value, (_, v) => (v === Number.POSITIVE_INFINITY ? INFINITE : v));
export const parseFlightLog = (text: string): unknown =>
  JSON.parse(text, (_, v) => (v === INFINITE ? Number.POSITIVE_INFINITY : v));
