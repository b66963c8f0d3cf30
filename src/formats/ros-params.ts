/**
 * The ROS 2 parameter file of parafoil_ws (`parafoil_simulator: ros__parameters: ...`), read unchanged: converted to a scenario
 * spec, which has the same checks as any other. Keys without effect are listed.
 */
import type { Document } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import { show } from "../model/schema.ts";

type Path = readonly string[];
type Block = Record<string, unknown>;

/** What a ROS 2 parameter file says of a scenario, and which of its keys are not used. */
export interface RosParameters {
  /** The file as a scenario spec; errors point into the file. */
  readonly scenario: Document;
  /** Keys without effect, with the reason. */
  readonly unused: readonly string[];
  /** The frame_id of IMU messages. */
  readonly imuFrame?: string;
}

const NODE = "parafoil_simulator";
const INTEGRATORS: Readonly<Record<string, string>> = {
  euler: "euler",
  semi_implicit: "semi-implicit",
  rk4: "rk4",
};
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  pendulum_arm: "reserved by the original; the pendulum moment uses line_length",
  m_canopy: "not in the equations",
  I_canopy: "not in the equations",
  "imu.frame_id": "a name for ROS 2 messages; this run publishes none",
};
/** One key of the original for one path of a scenario. */
const PLAIN: Readonly<Record<string, string>> = {
  dt_max: "dt",
  ctl_dt: "control_dt",
  "wind.seed": "wind.seed",
  "sensor.seed": "sensors.seed",
  "sensor.position_noise_std": "sensors.position.noise",
  "sensor.accel_noise_std": "sensors.accelerometer.noise",
  "sensor.gyro_noise_std": "sensors.gyro.noise",
};
/** Three components of the original for three names of a scenario. */
const LISTS: Readonly<Record<string, Path>> = {
  initial_position: ["initial.north", "initial.east", "initial.down"],
  initial_velocity: ["initial.v_north", "initial.v_east", "initial.v_down"],
  initial_euler: ["initial.roll", "initial.pitch", "initial.yaw"],
};
const OTHER_WORDS: Readonly<Record<string, Path>> = {
  initial_position: ["initial.altitude"],
  initial_euler: ["initial.q_w", "initial.q_x", "initial.q_y", "initial.q_z"],
};
/** Winds with a switch: its key, and what it switches, with the original's defaults. */
const WINDS: Readonly<Record<string, Readonly<Record<string, readonly [string, unknown]>>>> = {
  "wind.enable_steady": { "wind.steady_wind": ["wind.steady", [0, 0, 0]] },
  "wind.enable_gust": {
    "wind.gust_interval": ["wind.gust.interval", 10],
    "wind.gust_duration": ["wind.gust.duration", 2],
    "wind.gust_magnitude": ["wind.gust.magnitude", 3],
  },
  "wind.enable_colored": {
    "wind.colored_tau": ["wind.colored.tau", 2],
    "wind.colored_sigma": ["wind.colored.sigma", 1],
  },
};

/**
 * Reads a parameter file of the ROS 2 parafoil simulator.
 *
 * @throws InputError at invalid values
 */
export function readRosParameters(source: Document, model: Model): RosParameters {
  const { values, paths } = flatten(source);
  const words: Block = {};
  const places = new Map<string, Path>();
  const used = new Set<string>();
  const unused: string[] = [];
  const put = (target: string, value: unknown, key: string) => {
    const path = target.split(".");
    const leaf = path.pop() as string;
    let block = words;
    for (const step of path) block = (block[step] ??= {}) as Block;
    block[leaf] = value;
    places.set(target, paths.get(key) ?? []);
  };
  const complain = (key: string, problem: string, allowed: string) =>
    new InputError(problem, {
      file: source.file,
      ...source.locate(paths.get(key) ?? []),
      field: key,
      value: values.get(key),
      allowed,
    });
  const take = (key: string): unknown => {
    used.add(key);
    const value = values.get(key);
    if (value === null) throw complain(key, "is empty", "a value, or no such line");
    return value;
  };

  for (const name of new Set(model.parameters.map((f) => f.name.split(".")[0])))
    if (values.has(name)) put(`parameters.${name}`, take(name), name);
  for (const [key, target] of Object.entries(PLAIN)) if (values.has(key)) put(target, take(key), key);
  for (const [key, targets] of Object.entries(LISTS)) {
    if (!values.has(key)) continue;
    const list = take(key);
    if (!Array.isArray(list) || list.length !== 3)
      throw complain(key, `${show(list)} is not a list`, "three numbers");
    targets.forEach((target, i) => {
      put(target, list[i], key);
    });
    // A scenario's other words for the same thing give way.
    for (const other of OTHER_WORDS[key] ?? []) put(other, null, key);
  }
  if (values.has("initial_altitude")) {
    const altitude = take("initial_altitude");
    put("initial.down", typeof altitude === "number" ? -altitude : altitude, "initial_altitude");
    put("initial.altitude", null, "initial_altitude");
  }
  if (values.has("integrator_type")) {
    const name = String(take("integrator_type"));
    if (!Object.hasOwn(INTEGRATORS, name))
      throw complain(
        "integrator_type",
        `"${name}" is not an integrator of the original`,
        Object.keys(INTEGRATORS).join(", "),
      );
    put("integrator", INTEGRATORS[name], "integrator_type");
  }

  for (const [key, parts] of Object.entries(WINDS)) {
    const on = take(key);
    if (on !== undefined && typeof on !== "boolean")
      throw complain(key, `${show(on)} is not a switch`, "true or false");
    for (const [part, [target, standard]] of Object.entries(parts)) {
      const value = take(part) ?? standard;
      if (on === true) put(target, value, values.has(part) ? part : key);
      else if (values.has(part))
        unused.push(`${part}: ${key} is ${on === false ? "off" : "not given, so this wind is off"}`);
    }
    // Switched off: also what the scenario itself says of this wind.
    if (on === false) put(Object.values(parts)[0][0].split(".").slice(0, 2).join("."), null, key);
  }

  if (values.has("imu.publish_rate")) {
    const rate = take("imu.publish_rate");
    put("sensors.imu.rate", typeof rate === "number" && rate < 0 ? 0 : rate, "imu.publish_rate");
  }
  for (const key of values.keys())
    if (!used.has(key))
      unused.push(
        `${key}: ${(Object.hasOwn(WITHOUT_EFFECT, key) ? WITHOUT_EFFECT[key] : undefined) ?? "unknown to this simulator"}`,
      );
  const frame = values.get("imu.frame_id");
  return {
    unused,
    ...(typeof frame === "string" ? { imuFrame: frame } : {}),
    scenario: {
      file: source.file,
      value: words,
      locate(path, key) {
        const full = key === undefined ? path : [...path, key];
        // The longest part of the path that came from one key.
        for (let n = full.length; n > 0; n--) {
          const place = places.get(full.slice(0, n).map(String).join("."));
          if (place) return source.locate(place);
        }
        return {};
      },
    },
  };
}

/** All leaves by dotted name below `<node>: ros__parameters:`, and where each stands in the file. */
function flatten(source: Document): { values: Map<string, unknown>; paths: Map<string, Path> } {
  const values = new Map<string, unknown>();
  const paths = new Map<string, Path>();
  const isBlock = (v: unknown): v is Block => typeof v === "object" && v !== null && !Array.isArray(v);
  const walk = (v: Block, name: string, path: Path) => {
    for (const [key, inner] of Object.entries(v)) {
      const full = name === "" ? key : `${name}.${key}`;
      if (isBlock(inner)) walk(inner, full, [...path, key]);
      else {
        values.set(full, inner);
        paths.set(full, [...path, key]);
      }
    }
  };
  const root = isBlock(source.value) ? source.value : {};
  const nodes = Object.keys(root).filter(
    (node) => isBlock(root[node]) && isBlock((root[node] as Block).ros__parameters),
  );
  const ours = nodes.filter((node) => node === "/**" || node === NODE);
  const chosen = ours.length > 0 ? ours : nodes;
  if (chosen.length === 0 || (ours.length === 0 && nodes.length > 1))
    throw new InputError(
      nodes.length === 0
        ? "is not a ROS 2 parameter file"
        : `has several nodes (${nodes.join(", ")}), none called ${NODE}`,
      { file: source.file, allowed: `${NODE}: ros__parameters: ...` },
    );
  for (const node of chosen)
    walk((root[node] as Block).ros__parameters as Block, "", [node, "ros__parameters"]);
  return { values, paths };
}
