/** PX4's `.main.mix` files: lines of a capital letter and a colon are definitions, all others comments; numbers over 10000. */
import { geometries, type Mixer, PLAIN, type Scaler } from "../control/mixer.ts";
import { InputError } from "../model/input-error.ts";

const SCALE = 10000;
const MOST_MIXERS = 32;

export function readMixers(text: string, file: string): Mixer[] {
  const mixers: Mixer[] = [];
  /** The simple mixer whose lines are being read, and how many controls it still expects. */
  let open:
    | { at: number; left: number; output: Scaler; inputs: { group: number; index: number; scaler: Scaler }[] }
    | undefined;

  const lines = text.split(/\r?\n/);
  const wrong = (line: number, problem: string, allowed?: string) =>
    new InputError(problem, { file, line: line + 1, allowed });
  const close = (line: number) => {
    if (open === undefined) return;
    if (open.left > 0)
      throw wrong(
        line,
        `the mixer of line ${open.at + 1} still expects ${open.left} lines "S:"`,
        "as many S: lines as M: says",
      );
    mixers.push({ kind: "simple", output: open.output, inputs: open.inputs });
    open = undefined;
  };
  const numbers = (line: number, words: readonly string[], count: number, form: string): number[] => {
    const values = words.map(Number);
    if (words.length !== count || values.some((v) => !Number.isFinite(v)))
      throw wrong(line, `"${words.join(" ")}" is not ${count} numbers`, form);
    return values;
  };
  const scaler = (line: number, v: readonly number[]): Scaler => {
    const [negative, positive, offset, lower, upper] = v.map((x) => x / SCALE);
    if (lower > upper)
      throw wrong(line, `the lower limit ${v[3]} is above the upper ${v[4]}`, "lower <= upper");
    return { negative, positive, offset, lower, upper };
  };

  lines.forEach((raw, i) => {
    const definition = /^([A-Z]):\s*(.*?)\s*$/.exec(raw);
    if (definition === null) return;
    const [, letter, rest] = definition;
    const words = rest === "" ? [] : rest.split(/\s+/);
    if (letter === "O") {
      if (open === undefined || open.inputs.length > 0)
        throw wrong(i, "an output scaler without its mixer", "M: first, then O:, then S: lines");
      open.output = scaler(i, numbers(i, words, 5, "O: <-ve scale> <+ve scale> <offset> <lower> <upper>"));
      return;
    }
    if (letter === "S") {
      if (open === undefined || open.left === 0)
        throw wrong(i, "an input that no mixer expects", "as many S: lines as M: says");
      const form = "S: <group> <index> <-ve scale> <+ve scale> <offset> <lower> <upper>";
      const [group, index, ...values] = numbers(i, words, 7, form);
      if (
        !Number.isInteger(group) ||
        group < 0 ||
        group > 3 ||
        !Number.isInteger(index) ||
        index < 0 ||
        index > 7
      )
        throw wrong(i, `there is no control ${group} ${index}`, "group 0 to 3, index 0 to 7");
      open.inputs.push({ group, index, scaler: scaler(i, values) });
      open.left--;
      return;
    }
    close(i);
    if (mixers.length >= MOST_MIXERS) throw wrong(i, "too many mixers", `up to ${MOST_MIXERS}`);
    if (letter === "Z") mixers.push({ kind: "null" });
    else if (letter === "M") {
      const [count] = numbers(i, words, 1, "M: <number of controls>");
      if (!Number.isInteger(count) || count < 0 || count > 16)
        throw wrong(i, `${count} controls`, "a whole number, 0 to 16");
      open = { at: i, left: count, output: PLAIN, inputs: [] };
    } else if (letter === "R") {
      const [geometry, ...values] = words;
      if (!geometries().includes(geometry))
        throw wrong(i, `the geometry "${geometry ?? ""}" is not known here`, geometries().join(", "));
      const [roll, pitch, yaw, idle] = numbers(i, values, 4, "R: <geometry> <roll> <pitch> <yaw> <idle>").map(
        (v) => v / SCALE,
      );
      // PX4 counts idle from 0 to 1 over the outputs' whole range.
      mixers.push({ kind: "multirotor", geometry, roll, pitch, yaw, idle: 2 * idle - 1 });
    } else
      throw wrong(i, `"${letter}:" is not a mixer that is known here`, "Z: null, M: simple, R: multirotor");
  });
  close(lines.length - 1);
  if (mixers.length === 0)
    throw new InputError("holds no mixer", { file, allowed: "lines Z:, M: with O: and S:, or R:" });
  return mixers;
}
