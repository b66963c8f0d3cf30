/** Names of modes, from what takes part in them. */
import type { LinearModel } from "./linearize.ts";
import type { Mode } from "./modes.ts";

const LONGITUDINAL = ["u", "w", "q", "pitch"];
const LATERAL = ["v", "p", "r", "roll"];
/** Below this speed wings carry nothing [m/s]. */
const HOVER = 1;

type Bare = Omit<Mode, "name">;

/** Modes of one name are told apart by numbers, from fast to slow. */
export function numbered(names: readonly string[]): string[] {
  return names.map((name, i) => {
    if (names.indexOf(name) === names.lastIndexOf(name)) return name;
    return `${name} (${names.slice(0, i + 1).filter((n) => n === name).length})`;
  });
}

/** In the order of the modes, which is from fast to slow. `carries`: whether wings carry it. */
export function nameModes({ states, at }: LinearModel, modes: readonly Bare[], carries: boolean): string[] {
  const share = (mode: Bare, names: readonly string[]) =>
    states.reduce((sum, f, i) => sum + (names.includes(f.name) ? mode.participation[i] : 0), 0);
  const most = (mode: Bare) => states[mode.participation.indexOf(Math.max(...mode.participation))];
  const actuators = states.filter((f) => f.kind === "actuator").map((f) => f.name);
  const isOf = (mode: Bare, names: readonly string[]) => share(mode, names) > 0.5;
  const u = at.states[states.findIndex((f) => f.name === "u")] ?? 0;
  const isFlying = carries && Math.abs(u) > HOVER;
  const ranked = (names: readonly string[]) =>
    modes.filter((m) => !isOf(m, actuators) && share(m, names) >= 0.5 * (1 - share(m, actuators)));
  const longitudinal = ranked(LONGITUDINAL);
  const lateral = ranked(LATERAL).filter((m) => !longitudinal.includes(m));
  const isPair = (m: Bare) => m.eigenvalue.im > 0;
  return modes.map(nameOf);

  function nameOf(mode: Bare): string {
    if (isOf(mode, actuators)) return lagOf(mode);
    if (longitudinal.includes(mode))
      return isFlying ? flightLongitudinal(mode, longitudinal) : hovering(mode, "pitch and speed");
    if (lateral.includes(mode))
      return isFlying ? flightLateral(mode, lateral) : hovering(mode, "roll and side speed");
    return driving(mode);
  }

  /** Of one actuator, or of several of a kind that move together. */
  function lagOf(mode: Bare): string {
    const { name } = most(mode);
    if (share(mode, [name]) > 0.6) return `lag of ${name}`;
    const kind = name.replace(/_\d+$/, "");
    const isOfKind =
      share(
        mode,
        actuators.filter((a) => a.startsWith(`${kind}_`)),
      ) > 0.6;
    return isOfKind ? `lag of the ${kind}s` : `lag of ${name} and others`;
  }

  function flightLongitudinal(mode: Bare, all: readonly Bare[]): string {
    const pairs = all.filter(isPair);
    if (isPair(mode) && pairs.length === 2) return mode === pairs[0] ? "short period" : "phugoid";
    const isSlow = share(mode, ["u", "pitch"]) > share(mode, ["w", "q"]);
    return `${isSlow ? "phugoid" : "short period"}${isPair(mode) ? "" : ", aperiodic"}`;
  }

  function flightLateral(mode: Bare, all: readonly Bare[]): string {
    if (isPair(mode))
      return share(mode, ["v", "r"]) > share(mode, ["p", "roll"]) ? "Dutch roll" : "roll and spiral";
    const name = most(mode).name;
    if (name === "v" || name === "r") return `${name === "v" ? "sideslip" : "yaw"}, aperiodic`;
    const reals = all.filter((m) => !isPair(m) && share(m, ["p", "roll"]) > 0.3);
    return mode === reals[0] ? "roll" : "spiral";
  }

  function hovering(mode: Bare, pair: string): string {
    const prefix = Math.abs(u) > HOVER ? "" : "hover, ";
    if (isPair(mode)) return `${prefix}${pair}`;
    const names: Readonly<Record<string, string>> = {
      u: "forward speed",
      v: "side speed",
      w: "heave",
      p: "roll",
      roll: "roll",
      q: "pitch",
      pitch: "pitch",
      r: "yaw",
    };
    return `${prefix}${names[most(mode).name]}`;
  }

  function driving(mode: Bare): string {
    if (isOf(mode, ["v_y", "omega"]))
      return isPair(mode) ? "yaw and sideslip" : most(mode).name === "omega" ? "yaw" : "sideslip";
    return most(mode).name === "v_x" ? "speed" : most(mode).name;
  }
}
