/**
 * The ROS 2 parameter file of parafoil_ws (`parafoil_simulator: ros__parameters: ...`), read as it is. Nested blocks and dotted
 * names mean the same. What the simulation has no use for is listed, not swallowed.
 */
import type { WindSpecification } from "../environment/wind.ts";
import type { IntegratorName } from "../integrators/index.ts";
import type { Source } from "../model/document.ts";
import { allowed, type Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import { readNumber, show } from "../model/schema.ts";
import type { SensorsSpecification } from "../sensors/sensors.ts";

type Triple = [number, number, number];
type Path = readonly string[];

export interface RosParameters {
  readonly parameters: Readonly<Record<string, number>>;
  readonly initial: Readonly<Record<string, number>>;
  readonly wind: WindSpecification & { readonly seed?: number };
  readonly sensors: SensorsSpecification;
  readonly dt?: number;
  readonly controlDt?: number;
  readonly integrator?: IntegratorName;
  /** Keys that are known but have no effect, or that nobody knows, with the reason. */
  readonly unused: readonly string[];
}

const INTEGRATOR_NAMES: Readonly<Record<string, IntegratorName>> = {
  euler: "euler",
  semi_implicit: "semi-implicit",
  rk4: "rk4",
};
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  pendulum_arm: "reserved by the original; the pendulum moment uses line_length",
  m_canopy: "not in the equations",
  I_canopy: "not in the equations",
  I_canopy_diag: "not in the equations",
  "imu.frame_id": "a name for ROS 2 messages; this run publishes none",
};
const DEFAULTS = { interval: 10, duration: 2, magnitude: 3, tau: 2, sigma: 1, rate: 1 };

export function readRosParameters(source: Source, model: Model): RosParameters {
  const { values, paths } = flatten(source);
  const used = new Set<string>();
  const problem = (key: string, text: string, allowedText?: string) =>
    new InputError(text, {
      file: source.file,
      ...source.locate(paths.get(key) ?? []),
      field: key,
      value: values.get(key),
      allowed: allowedText,
    });
  const number = (key: string, field: Omit<Field, "name">): number | undefined => {
    if (!values.has(key)) return undefined;
    used.add(key);
    const full = { ...field, name: key };
    const result = readNumber(values.get(key), full);
    if (typeof result === "number") return result;
    throw problem(key, result.problem, `${allowed(full)}; ${field.meaning}`);
  };
  const triple = (key: string, field: Omit<Field, "name">): Triple | undefined => {
    if (!values.has(key)) return undefined;
    used.add(key);
    const list = values.get(key);
    if (!Array.isArray(list) || list.length !== 3)
      throw problem(key, `${show(list)} is not a list of three numbers`);
    return list.map((v) => {
      const full = { ...field, name: key };
      const result = readNumber(v, full);
      if (typeof result === "number") return result;
      throw problem(key, result.problem, `${allowed(full)}; ${field.meaning}`);
    }) as Triple;
  };
  const flag = (key: string): boolean => {
    if (!values.has(key)) return false;
    used.add(key);
    const v = values.get(key);
    if (typeof v !== "boolean") throw problem(key, `${show(v)} is not a switch`, "true or false");
    return v;
  };
  const seconds = (meaning: string) => ({ unit: "s", meaning, above: 0 });
  const speed = (meaning: string) => ({ unit: "m/s", meaning, min: 0 });
  const seed = (key: string) => {
    const s = number(key, {
      unit: "1",
      meaning: "seed, -1 draws one",
      min: -1,
      max: Number.MAX_SAFE_INTEGER,
    });
    if (s !== undefined && !Number.isInteger(s)) throw problem(key, `${s} is not a whole number`);
    return s;
  };

  const parameters: Record<string, number> = {};
  for (const f of model.parameters) {
    const [head, axis] = f.name.split(".");
    const v = axis === undefined ? number(head, f) : triple(head, f)?.["xyz".indexOf(axis)];
    if (v !== undefined) parameters[f.name] = v;
  }

  const initial: Record<string, number> = {};
  const place = (names: Path, list?: Triple) => {
    list?.forEach((v, i) => {
      initial[names[i]] = v;
    });
  };
  place(["north", "east", "down"], triple("initial_position", { unit: "m", meaning: "north, east, down" }));
  place(
    ["v_north", "v_east", "v_down"],
    triple("initial_velocity", { unit: "m/s", meaning: "north, east, down" }),
  );
  place(
    ["roll", "pitch", "yaw"],
    triple("initial_euler", { unit: "rad", meaning: "roll, pitch, yaw", min: -1000, max: 1000 }),
  );
  const altitude = number("initial_altitude", {
    unit: "m",
    meaning: "overrides the initial position's height",
  });
  if (altitude !== undefined) initial.down = -altitude;

  const integratorName = values.get("integrator_type");
  const integrator = typeof integratorName === "string" ? INTEGRATOR_NAMES[integratorName] : undefined;
  if (integratorName !== undefined) used.add("integrator_type");
  if (integratorName !== undefined && integrator === undefined)
    throw problem(
      "integrator_type",
      `${show(integratorName)} is not an integrator of the original`,
      Object.keys(INTEGRATOR_NAMES).join(", "),
    );

  const steady = triple("wind.steady_wind", { unit: "m/s", meaning: "north, east, down (blows to)" });
  const gust = {
    interval: number("wind.gust_interval", seconds("mean waiting time")) ?? DEFAULTS.interval,
    duration: number("wind.gust_duration", seconds("length of a gust")) ?? DEFAULTS.duration,
    magnitude: number("wind.gust_magnitude", speed("largest peak")) ?? DEFAULTS.magnitude,
  };
  const colored = {
    tau: number("wind.colored_tau", seconds("correlation time")) ?? DEFAULTS.tau,
    sigma: number("wind.colored_sigma", speed("standard deviation")) ?? DEFAULTS.sigma,
  };
  const wind = {
    steady: flag("wind.enable_steady") ? (steady ?? [0, 0, 0]) : undefined,
    gust: flag("wind.enable_gust") ? gust : undefined,
    colored: flag("wind.enable_colored") ? colored : undefined,
    seed: seed("wind.seed"),
  } as const;

  const noise = (key: string, unit: string) => {
    const std = triple(key, { unit, meaning: "standard deviation per axis", min: 0 });
    return std && { noise: std, bias: [0, 0, 0] as Triple };
  };
  const accelerometer = noise("sensor.accel_noise_std", "m/s^2");
  const gyro = noise("sensor.gyro_noise_std", "rad/s");
  const rate = number("imu.publish_rate", {
    unit: "Hz",
    meaning: "IMU samples per second, 0 or less for none",
  });
  const sensors = {
    position: noise("sensor.position_noise_std", "m"),
    accelerometer,
    gyro,
    imu: accelerometer && gyro && { rate: Math.max(0, rate ?? DEFAULTS.rate), accelerometer, gyro },
    seed: seed("sensor.seed"),
  };
  return {
    parameters,
    initial,
    wind,
    sensors,
    dt: number("dt_max", seconds("largest integration step")),
    controlDt: number("ctl_dt", seconds("control period")),
    integrator,
    unused: [...values.keys()]
      .filter((key) => !used.has(key))
      .map((key) => `${key}: ${WITHOUT_EFFECT[key] ?? "unknown to this simulator"}`),
  };
}

/** All leaves by dotted name below `<node>: ros__parameters:`, and where each stands in the file. */
function flatten(source: Source): { values: Map<string, unknown>; paths: Map<string, Path> } {
  const values = new Map<string, unknown>();
  const paths = new Map<string, Path>();
  const isObject = (v: unknown): v is Record<string, unknown> =>
    typeof v === "object" && v !== null && !Array.isArray(v);
  const walk = (v: Record<string, unknown>, name: string, path: Path) => {
    for (const [key, inner] of Object.entries(v)) {
      const full = name === "" ? key : `${name}.${key}`;
      if (isObject(inner)) walk(inner, full, [...path, key]);
      else {
        values.set(full, inner);
        paths.set(full, [...path, key]);
      }
    }
  };
  const root = source.value;
  let found = false;
  if (isObject(root))
    for (const [node, block] of Object.entries(root))
      if (isObject(block) && isObject(block.ros__parameters)) {
        found = true;
        walk(block.ros__parameters, "", [node, "ros__parameters"]);
      }
  if (!found)
    throw new InputError("is not a ROS 2 parameter file", {
      file: source.file,
      allowed: "<node>: ros__parameters: ...",
    });
  return { values, paths };
}
