/** Gazebo's plugins that move vehicles, of both generations, and what each of their tags becomes here. */
import { InputError } from "../../model/input-error.ts";
import { ADVANCED_PARAMETERS } from "../../parts/advanced-lift-drag.ts";
import { LIFT_DRAG_PARAMETERS } from "../../parts/lift-drag.ts";
import { child, childrenOf, flagIn, numberIn, numbersIn, STRAY_DOT, type XmlElement } from "../xml.ts";
import type { Triple } from "./frames.ts";
import type { Plugin, Remark } from "./model.ts";

export type PluginKind =
  | "motor"
  | "advanced"
  | "plain"
  | "joint-controller"
  | "joint-force"
  | "ardupilot"
  | "channels";

/** By the library's file name; `lib` and `.so` are decoration. */
const LIBRARIES: Readonly<Record<string, { kind: PluginKind; isClassic: boolean }>> = {
  gazebo_motor_model: { kind: "motor", isClassic: true },
  rotors_gazebo_motor_model: { kind: "motor", isClassic: true },
  "gz-sim-multicopter-motor-model-system": { kind: "motor", isClassic: false },
  "ignition-gazebo-multicopter-motor-model-system": { kind: "motor", isClassic: false },
  AdvancedLiftDragPlugin: { kind: "advanced", isClassic: true },
  "gz-sim-advanced-lift-drag-system": { kind: "advanced", isClassic: false },
  LiftDragPlugin: { kind: "plain", isClassic: true },
  "gz-sim-lift-drag-system": { kind: "plain", isClassic: false },
  "ignition-gazebo-lift-drag-system": { kind: "plain", isClassic: false },
  "gz-sim-apply-joint-force-system": { kind: "joint-force", isClassic: false },
  "gz-sim-joint-position-controller-system": { kind: "joint-controller", isClassic: false },
  "ignition-gazebo-joint-position-controller-system": { kind: "joint-controller", isClassic: false },
  gazebo_mavlink_interface: { kind: "channels", isClassic: true },
  ArduPilotPlugin: { kind: "ardupilot", isClassic: false },
};

export function kindOf({ filename }: Plugin): { kind: PluginKind; isClassic: boolean } | undefined {
  const name = bareName(filename);
  return Object.hasOwn(LIBRARIES, name) ? LIBRARIES[name] : undefined;
}

/** Plugins that only measure, transmit or draw: nothing moves differently without them. */
const OBSERVERS =
  /(^|[-_])(imu|gps|magnetometer|barometer|altimeter|groundtruth|camera|lidar|sonar|rangefinder|multirotor_base|joint-state-publisher|pose-publisher|odometry-publisher|sensors|logger)([-_]|$)|^(AirSpeedPlugin|ForceVisual|GstCameraPlugin|CameraManagerPlugin)$/i;
export const isObserver = ({ filename }: Plugin) => OBSERVERS.test(bareName(filename));
const bareName = (filename: string) => filename.replace(/^.*\//, "").replace(/^lib/, "").replace(/\.so$/, "");

/** Tags that say nothing about motion: where commands come from, what is published, what is drawn. */
const SILENT = [
  ...["robotNamespace", "commandSubTopic", "motorSpeedPubTopic", "jointName", "joint_name", "linkName"],
  ...["link_name", "motorNumber", "actuator_number", "motorType", "rotorVelocitySlowdownSim"],
  ...["turningDirection", "topic_name", "windSubTopic", "num_ctrl_surfaces", "control_surface", "index"],
  ...["control_joint_name", "gazebo_joint_control_pid", "joint_control_pid"],
];
/** Tags that stand in public models and that the plugin itself does not read, though they look as if it did. */
const IGNORED: Readonly<Record<string, readonly string[]>> = {
  advanced: ["a0", "CLa_stall", "CDa_stall", "radial_symmetry", "control_joint_rad_to_cl"],
  plain: [],
  motor: [],
};

/** Tags of a plugin that are not read, as remarks. */
export function strayTags(plugin: Plugin, kind: PluginKind, read: readonly string[]): Remark[] {
  return plugin.element.children.flatMap((tag) => {
    if (STRAY_DOT.test(tag.text))
      return [
        {
          file: tag.file,
          line: tag.line,
          sentence: `<${tag.name}> is written "${tag.text}": its last dot is ignored`,
        },
      ];
    if (SILENT.includes(tag.name) || read.includes(tag.name)) return [];
    const known = IGNORED[kind]?.includes(tag.name);
    if (known && Number(tag.text) === 0) return [];
    return [
      {
        file: tag.file,
        line: tag.line,
        sentence: known
          ? `<${tag.name}> is not read by Gazebo's plugin either: it has no effect`
          : `<${tag.name}> is unknown to this plugin, and Gazebo ignores it silently: a wrong name?`,
      },
    ];
  });
}

export const textIn = (e: XmlElement, name: string): string | undefined => child(e, name)?.text || undefined;

export function needed(e: XmlElement, name: string): string {
  const text = textIn(e, name);
  if (text === undefined)
    throw new InputError(`<${name}> is missing`, {
      file: e.file,
      line: e.line,
      field: e.attributes.name ?? e.name,
      allowed: `a plugin with <${name}>`,
    });
  return text;
}

/** Tags that are numbers of the same name here. */
const numbersOf = (e: XmlElement, names: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = numberIn(e, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
export const vectorIn = (e: XmlElement, name: string): Triple | undefined =>
  numbersIn(e, name, [3]) as Triple | undefined;

const NOT_TAGS = /^(position|forward|upward)\.|^(M|k1|k2|servo|chord)$/;
const ADVANCED = ADVANCED_PARAMETERS.map((f) => f.name).filter((name) => !NOT_TAGS.test(name));
const PLAIN = LIFT_DRAG_PARAMETERS.map((f) => f.name).filter((name) => !NOT_TAGS.test(name));
const GEOMETRY = ["cp", "ref_pt", "forward", "upward", "air_density"];
export const ADVANCED_TAGS = [...ADVANCED, ...GEOMETRY];
export const PLAIN_TAGS = [...PLAIN, ...GEOMETRY];

export interface SurfaceTags {
  readonly numbers: Readonly<Record<string, number | string>>;
  readonly point: Triple;
  readonly forward: Triple;
  readonly upward: Triple;
  readonly density: number;
}

function geometry(e: XmlElement): Omit<SurfaceTags, "numbers"> {
  return {
    point: vectorIn(e, "cp") ?? vectorIn(e, "ref_pt") ?? [0, 0, 0],
    forward: vectorIn(e, "forward") ?? [1, 0, 0],
    upward: vectorIn(e, "upward") ?? [0, 0, 1],
    density: numberIn(e, "air_density") ?? 1.2041,
  };
}

/** Defaults differ between the generations where a tag is absent. */
export function advancedTags(e: XmlElement, isClassic: boolean): SurfaceTags {
  for (const name of ["area", "AR"]) needed(e, name);
  const numbers = numbersOf(e, ADVANCED);
  return {
    ...geometry(e),
    numbers: {
      alpha_stall: isClassic ? Math.PI / 6 : Math.PI / 2,
      CLa: isClassic ? 2 * Math.PI : 0,
      CD0: isClassic ? 0.02 : 0,
      ...numbers,
    },
  };
}

export function plainTags(e: XmlElement): SurfaceTags {
  const { alpha_stall, ...numbers } = numbersOf(
    e,
    PLAIN.filter((name) => name !== "radial_symmetry"),
  );
  const isRadial = flagIn(e, "radial_symmetry") === true;
  return {
    ...geometry(e),
    numbers: {
      area: 1,
      ...numbers,
      ...(alpha_stall === undefined ? {} : { alpha_stall: Math.min(alpha_stall, Math.PI / 2) }),
      ...(isRadial ? { radial_symmetry: "on" } : {}),
    },
  };
}

export interface ControlTags {
  readonly joint: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly element: XmlElement;
}

export function controlTags(e: XmlElement): ControlTags[] {
  return childrenOf(e, "control_surface").map((element) => ({
    joint: needed(element, "name"),
    element,
    numbers: {
      direction: numberIn(element, "direction") ?? 1,
      ...numbersOf(element, ["CD_ctrl", "CY_ctrl", "CL_ctrl", "Cell_ctrl", "Cem_ctrl", "Cen_ctrl"]),
    },
  }));
}

export const MOTOR_TAGS = [
  "motorConstant",
  "momentConstant",
  "rotorDragCoefficient",
  "rollingMomentCoefficient",
  "maxRotVelocity",
  "timeConstantUp",
  "timeConstantDown",
  "reversible",
  "maxRelativeAirspeed",
];

/** As the plugins have them where a tag is absent. */
const MOTOR_DEFAULTS = {
  motorConstant: 8.54858e-6,
  momentConstant: 0.016,
  rotorDragCoefficient: 1e-4,
  rollingMomentCoefficient: 1e-6,
  maxRotVelocity: 838,
  timeConstantUp: 1 / 80,
  timeConstantDown: 1 / 40,
};

export function motorTags(e: XmlElement): Record<string, number | string> {
  const direction = textIn(e, "turningDirection") ?? "ccw";
  if (direction !== "cw" && direction !== "ccw")
    throw new InputError(`"${direction}" is not a turning direction`, {
      file: e.file,
      line: e.line,
      field: "turningDirection",
      allowed: "cw or ccw",
    });
  const isReversible = flagIn(e, "reversible") === true;
  return {
    direction,
    ...MOTOR_DEFAULTS,
    ...numbersOf(e, Object.keys(MOTOR_DEFAULTS)),
    ...(isReversible ? { reversible: "on" } : {}),
    ...numbersOf(e, ["maxRelativeAirspeed"]),
  };
}
