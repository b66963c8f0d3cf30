/** `sideslip teleop`: a parafoil's brakes on the keys of its ROS 2 simulator's teleop, in a terminal. */
import { emitKeypressEvents } from "node:readline";
import type { Command } from "commander";
import { hasBrakes } from "../analysis/polar.ts";
import { InputError } from "../model/input-error.ts";
import { collect, findVehicle } from "./inputs.ts";
import { SIGNALS } from "./interrupted.ts";
import type { Brakes, Cockpit } from "./teleop-cockpits.ts";

export interface TeleopOptions {
  readonly ros2?: boolean;
  readonly domain?: string;
  readonly interface?: string;
  readonly peer: readonly string[];
  readonly multicast: boolean;
}

export function addTeleop(program: Command): void {
  program
    .command("teleop")
    .description("fly a parafoil by keys in this terminal: a local simulation, or one connected by ROS 2")
    .argument("[vehicle]", "a parafoil", "parafoil")
    .option("--ros2", "publish /rockpara_actuators_node/auto_commands at 20 Hz, show /parafoil/odom")
    .option("--domain <n>", "ROS 2 domain (default: ROS_DOMAIN_ID, or 0)")
    .option("--interface <name>", "network interface or its address (default: this machine alone)")
    .option("--peer <host>", "look for ROS 2 participants there (repeatable)", collect, [])
    .option("--no-multicast", "do not use multicast")
    .addHelpText(
      "after",
      `\nKeys:\n${KEYS}\n\nExamples:\n  sideslip teleop\n  sideslip teleop --ros2 --domain 7\n`,
    )
    .action(teleop);
}

/** A key moves a brake by so much. */
const STEP = 0.05;
const REFRESH = 100;
const PUBLISH = 50;

const KEYS = `  W or up      both brakes more (slower)     S or down    both brakes less (faster)
  A or left    left brake more (turn left)   D or right   right brake more (turn right)
  Q            left brake less               E            right brake less
  space        release all                   R            full brakes
  Esc or Ctrl-C ends it`;

const clamp = (v: number) => Math.min(1, Math.max(0, Number(v.toFixed(2))));

/** The brakes after a key; undefined for other keys. */
export function pressed(key: string, { left, right }: Brakes): Brakes | undefined {
  const by = (l: number, r: number): Brakes => ({
    left: clamp(left + l * STEP),
    right: clamp(right + r * STEP),
  });
  if (key === "w" || key === "up") return by(1, 1);
  if (key === "s" || key === "down") return by(-1, -1);
  if (key === "a" || key === "left") return by(1, 0);
  if (key === "d" || key === "right") return by(0, 1);
  if (key === "q") return by(-1, 0);
  if (key === "e") return by(0, -1);
  if (key === "space") return { left: 0, right: 0 };
  return key === "r" ? { left: 1, right: 1 } : undefined;
}

async function teleop(name: string, options: TeleopOptions): Promise<void> {
  const vehicle = findVehicle(name);
  if (!hasBrakes(vehicle))
    throw new InputError(`${name} has no brakes for teleop to move`, {
      field: "vehicle",
      value: name,
      allowed: `a parafoil; sideslip fly ${name} flies it in the Studio`,
    });
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new InputError("teleop needs an interactive terminal");
  const { localCockpit, rosCockpit } = await import("./teleop-cockpits.ts");
  const cockpit = options.ros2 ? await rosCockpit(options) : localCockpit(vehicle);
  await fly(cockpit);
}

/** Switches to raw mode; the returned function restores the terminal, also on exit. */
function borrowTerminal(): () => void {
  const { stdin, stdout } = process;
  let isBorrowed = true;
  const giveBack = () => {
    if (!isBorrowed) return;
    isBorrowed = false;
    process.off("exit", giveBack);
    if (stdin.isTTY) stdin.setRawMode(false);
    stdin.pause();
    stdout.write("\x1b[?25h\n");
  };
  process.once("exit", giveBack);
  stdin.setRawMode(true);
  stdout.write("\x1b[?25l");
  return giveBack;
}

async function fly(cockpit: Cockpit): Promise<void> {
  const giveBack = borrowTerminal();
  let brakes: Brakes = { left: 0, right: 0 };
  let lines = 0;
  const draw = () => {
    const { columns } = process.stdout;
    // Wrapped lines would not be overwritten; some terminals do not report their width.
    const width = columns > 0 ? columns - 1 : 200;
    const text = screen(brakes, cockpit.state()).map((line) => line.slice(0, width));
    // Over what was there before, line by line.
    process.stdout.write(`${lines > 0 ? `\x1b[${lines}A` : ""}${text.map((l) => `\r\x1b[K${l}\n`).join("")}`);
    lines = text.length;
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const timers = [
        setInterval(draw, REFRESH),
        setInterval(() => {
          try {
            cockpit.command(brakes);
          } catch (error) {
            end(error);
          }
        }, PUBLISH),
      ];
      const end = (error?: unknown) => {
        for (const timer of timers) clearInterval(timer);
        process.stdin.off("keypress", onKey);
        for (const signal of SIGNALS) process.off(signal, onSignal);
        if (error === undefined) resolve();
        else reject(error);
      };
      const onSignal = () => end();
      const onKey = (_: string | undefined, key: { name?: string; ctrl?: boolean }) => {
        if (key.name === "escape" || (key.ctrl && (key.name === "c" || key.name === "d"))) end();
        else if (key.name !== undefined && !key.ctrl) brakes = pressed(key.name, brakes) ?? brakes;
      };
      for (const signal of SIGNALS) process.once(signal, onSignal);
      emitKeypressEvents(process.stdin, { escapeCodeTimeout: 50 } as never);
      process.stdin.on("keypress", onKey);
      process.stdin.once("end", onSignal);
      process.stdin.resume();
      draw();
    });
  } finally {
    giveBack();
    await cockpit.close();
  }
}

const bar = (value: number) => {
  const full = Math.round(20 * value);
  return `[${"#".repeat(full)}${".".repeat(20 - full)}] ${value.toFixed(2)}`;
};

function screen({ left, right }: Brakes, state: readonly string[]): string[] {
  return [`left  ${bar(left)}`, `right ${bar(right)}`, ...state, "", ...KEYS.split("\n")];
}
