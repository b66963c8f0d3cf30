/** Maps a joystick's raw axes and buttons to the sticks: roll, pitch, yaw, throttle and flaps. */

/** In the order of PX4's control group 0. */
export const STICKS = ["roll", "pitch", "yaw", "throttle", "flaps"] as const;
export type StickName = (typeof STICKS)[number];

export interface StickLayout {
  /** Number of an axis (from 0), or of the buttons for less and more. */
  readonly axis?: number;
  readonly minus?: number;
  readonly plus?: number;
  readonly reverse: boolean;
  /** What the ends of the stick mean. */
  readonly range: readonly [number, number];
  /** Dead zone about the centre, part of the travel. */
  readonly deadZone: number;
  /** 0 linear, 1 cubic: less sensitive about the centre. */
  readonly expo: number;
}
export type JoystickLayout = Readonly<Partial<Record<StickName, StickLayout>>>;
export type Sticks = Readonly<Record<StickName, number>>;

/** The raw position of a stick, -1 to 1, as what it means. */
export function shaped({ reverse, range, deadZone, expo }: StickLayout, raw: number): number {
  const size = Math.abs(raw);
  const live = size <= deadZone ? 0 : Math.min(1, (size - deadZone) / (1 - deadZone));
  const signed = (raw < 0 ? -live : live) * (reverse ? -1 : 1);
  const curved = (1 - expo) * signed + expo * signed * signed * signed;
  return range[0] + 0.5 * (curved + 1) * (range[1] - range[0]);
}

/** Sticks that the joystick lacks, and buttons that are not pressed, are at rest: at 0, or at the end of the range next to it. */
export function sticksFrom(
  layout: JoystickLayout,
  axes: readonly number[],
  buttons: readonly number[],
): Sticks {
  const read = (name: StickName): number => {
    const stick = layout[name];
    if (stick === undefined) return 0;
    if (stick.axis !== undefined) return shaped(stick, axes[stick.axis] ?? 0);
    const pressed = (n: number | undefined) => (n === undefined ? 0 : (buttons[n] ?? 0));
    const raw = pressed(stick.plus) - pressed(stick.minus);
    const [low, high] = [Math.min(...stick.range), Math.max(...stick.range)];
    return raw === 0 ? Math.min(high, Math.max(low, 0)) : shaped(stick, raw);
  };
  return {
    roll: read("roll"),
    pitch: read("pitch"),
    yaw: read("yaw"),
    throttle: read("throttle"),
    flaps: read("flaps"),
  };
}

/** The axis that the layout uses and a joystick with so many does not have. */
export function missingAxis(layout: JoystickLayout, axes: number): [StickName, number] | undefined {
  for (const name of STICKS) {
    const axis = layout[name]?.axis;
    if (axis !== undefined && axis >= axes) return [name, axis];
  }
  return undefined;
}
