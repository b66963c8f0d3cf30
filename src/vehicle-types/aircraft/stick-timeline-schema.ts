/** The `manual` block of a scenario: sticks, a joystick's layout, a mixer file, and which actuator each output moves. */
import * as z from "zod";
import {
  type JoystickLayout,
  missingAxis,
  STICKS,
  type StickLayout,
  type StickName,
  sticksFrom,
} from "../../control/joystick.ts";
import { readMixers } from "../../formats/px4-mix.ts";
import { check, type Document, type Open } from "../../model/document.ts";
import { InputError } from "../../model/input-error.ts";
import { quantity, strict } from "../../model/schema.ts";
import { parseYaml } from "../../model/yaml.ts";
import type { StickLine, StickTimeline } from "./stick-timeline.ts";

const number = (meaning: string, min: number, max: number) => quantity({ unit: "1", meaning, min, max });
const whole = (meaning: string) => z.number().int().min(0).max(63).meta({ description: meaning });

const stick = strict({
  axis: whole("number of the axis, from 0").optional(),
  buttons: z
    .tuple([whole("less"), whole("more")])
    .optional()
    .meta({ description: "numbers of two buttons: less, more" }),
  reverse: z.boolean().optional().meta({ description: "the axis is reversed" }),
  range: z
    .tuple([number("at one end", -1, 1), number("at the other", -1, 1)])
    .optional()
    .meta({ description: "values at the ends: [-1, 1], for throttle and flaps [0, 1]" }),
  dead_zone: number("dead zone about the centre, part of the travel", 0, 0.9).optional(),
  expo: number("0 linear, 1 cubic: less sensitive about the centre", 0, 1).optional(),
});
export const joystickSchema = strict({
  roll: stick.optional(),
  pitch: stick.optional(),
  yaw: stick.optional(),
  throttle: stick.optional(),
  flaps: stick.optional(),
});

/** A joystick's layout file: for each stick the axis or buttons, and how it is shaped. */
export function readJoystick(source: Document): JoystickLayout {
  const file = check(joystickSchema, source);
  const layout: Partial<Record<StickName, StickLayout>> = {};
  for (const name of STICKS) {
    const said = file[name];
    if (said === undefined) continue;
    if ((said.axis === undefined) === (said.buttons === undefined))
      throw new InputError(
        said.axis === undefined ? "has neither axis nor buttons" : "has both axis and buttons",
        {
          file: source.file,
          ...source.locate([name]),
          field: name,
          allowed: "axis: 0, or buttons: [4, 5]",
        },
      );
    layout[name] = {
      axis: said.axis,
      minus: said.buttons?.[0],
      plus: said.buttons?.[1],
      reverse: said.reverse ?? false,
      range: said.range ?? (name === "throttle" || name === "flaps" ? [0, 1] : [-1, 1]),
      deadZone: said.dead_zone ?? 0,
      expo: said.expo ?? 0,
    };
  }
  return layout;
}

const time = quantity({ unit: "s", meaning: "when this line takes effect", min: 0 });
const part = (meaning: string) => number(meaning, -1, 1).optional();
export const manualSchema = strict({
  mixer: z.string().meta({ description: "path of a PX4 .main.mix file, or its text" }),
  outputs: z.array(z.string()).meta({ description: "actuator of each output: servo_1, rotor_1, none" }),
  joystick: z
    .string()
    .optional()
    .meta({ description: "path of a joystick layout file; then lines hold axes" }),
  sticks: z
    .array(
      strict({
        t: time,
        roll: part("right positive"),
        pitch: part("nose up positive"),
        yaw: part("nose right positive"),
        throttle: number("0 closed, 1 open", 0, 1).optional(),
        flaps: number("0 up, 1 down", 0, 1).optional(),
        axes: z.array(number("a raw axis", -1, 1)).optional(),
        buttons: z.array(number("a raw button", 0, 1)).optional(),
      }),
    )
    .min(1)
    .meta({ description: "stick positions, each line held until the next" }),
}).meta({ description: "manual control through a mixer; instead of inputs or a pilot" });

type Block = z.infer<typeof manualSchema>;

export function readManual(block: Block, source: Document, open: Open | undefined): StickTimeline {
  const opened = (path: string, key: string) => {
    if (open === undefined)
      throw new InputError(`${path} cannot be opened here`, {
        file: source.file,
        ...source.locate(["manual", key]),
        field: `manual.${key}`,
        allowed: "a scenario run from the command line, or the text itself",
      });
    return open(path);
  };
  const mixer = block.mixer.includes("\n")
    ? { text: block.mixer, file: `${source.file}, manual.mixer` }
    : opened(block.mixer, "mixer");
  const layout =
    block.joystick === undefined
      ? undefined
      : (() => {
          const { text, file } = opened(block.joystick, "joystick");
          return readJoystick(parseYaml(text, file));
        })();
  const lines = block.sticks.map(({ t, axes, buttons, ...sticks }, i): StickLine => {
    const named = Object.values(sticks).some((v) => v !== undefined);
    if (layout ? named : axes !== undefined || buttons !== undefined)
      throw new InputError(
        layout ? "with a joystick a line holds axes and buttons" : "axes and buttons need a joystick layout",
        {
          file: source.file,
          ...source.locate(["manual", "sticks", i]),
          field: `manual.sticks.[${i}]`,
          allowed: layout ? "axes: [...], buttons: [...]" : STICKS.join(", "),
        },
      );
    const complain = (problem: string, allowed: string) =>
      new InputError(problem, {
        file: source.file,
        ...source.locate(["manual", "sticks", i]),
        field: `manual.sticks.[${i}]`,
        allowed,
      });
    const absent = layout && missingAxis(layout, axes?.length ?? 0);
    if (absent)
      throw complain(
        `has ${axes?.length ?? 0} axes, and the layout takes ${absent[0]} from axis ${absent[1]}`,
        `at least ${absent[1] + 1} axes (the first is 0)`,
      );
    if (i > 0 && t <= block.sticks[i - 1].t)
      throw complain(
        `${t} s comes after ${block.sticks[i - 1].t} s`,
        "times that increase from line to line",
      );
    const { roll = 0, pitch = 0, yaw = 0, throttle = 0, flaps = 0 } = sticks;
    return {
      t,
      sticks: layout ? sticksFrom(layout, axes ?? [], buttons ?? []) : { roll, pitch, yaw, throttle, flaps },
    };
  });
  return { mixers: readMixers(mixer.text, mixer.file), outputs: block.outputs, lines };
}
