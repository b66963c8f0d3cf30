/** The race car's interface, as the node of brains2 has it (seed 004; protocols.md, section 4). Its world is plane: x, y, left turns. */
import type { Field } from "../../model/field.ts";
import type { Subscription, Topic, TopicInterface, TopicSettings } from "../../model/topics.ts";
import { aboutUp } from "../../topics/frames.ts";
import { marker, SHAPES } from "../../topics/markers.ts";
import { clock, headerOf, ifThere, RELIABLE, Row, stampOf } from "../../topics/topic.ts";
import type { CarParameters } from "../../vehicles/car/parameters.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";

type Cones = TopicSettings["track"];

const NAMESPACE = "/brains2";
const WORLD = "world";
const WHEELS = ["fl", "fr", "rl", "rr"];
const COLORS = { blue: [0.1, 0.3, 1], yellow: [1, 0.9, 0.1], orange: [1, 0.5, 0.1] } as const;
const CAR = [0.8, 0.1, 0.1] as const;
/** Laps and times are published once a second [s]. */
const DIAGNOSTICS = 1;

interface ControlsMessage {
  readonly delta: number;
  readonly tau_fl: number;
  readonly tau_fr: number;
  readonly tau_rl: number;
  readonly tau_rr: number;
}

const target: Subscription = {
  name: `${NAMESPACE}/target_controls`,
  type: "brains2/Controls",
  qos: RELIABLE,
  receive: (message) => {
    const { delta, tau_fl, tau_fr, tau_rl, tau_rr } = message as ControlsMessage;
    return {
      inputs: { u_delta: delta, u_tau_FL: tau_fl, u_tau_FR: tau_fr, u_tau_RL: tau_rl, u_tau_RR: tau_rr },
    };
  },
};

export function carTopics(
  { parameters: p }: Vehicle<CarParameters>,
  channels: readonly Field[],
  { track }: TopicSettings,
): TopicInterface {
  const row = new Row(channels);
  /** A message of numbers, by the channels that they come from; what has none is zero, as in the original. */
  const numbers = (name: string, type: string, fields: Readonly<Record<string, string>>): Topic => {
    const places = Object.entries(fields).map(
      ([field, channel]) => [field, channel === "" ? -1 : row.at(channel)] as const,
    );
    return {
      name: `${NAMESPACE}/${name}`,
      type,
      qos: RELIABLE,
      message: (r) => {
        const message: Record<string, unknown> = { header: headerOf(r[0], name === "pose" ? WORLD : "car") };
        for (const [field, place] of places) message[field] = place < 0 ? 0 : r[place];
        return message;
      },
    };
  };
  const wheels = Object.fromEntries(WHEELS.map((w) => [`tau_${w}`, `tau_${w.toUpperCase()}`]));
  const [X, Y, phi] = row.all("X", "Y", "phi");
  const pose = (r: Float64Array) => ({ position: { x: r[X], y: r[Y], z: 0 }, orientation: aboutUp(r[phi]) });
  const height = 1;
  return {
    topics: [
      clock,
      numbers("pose", "brains2/Pose", {
        x: "X",
        y: "Y",
        phi: "phi",
        sigma_x: "",
        sigma_y: "",
        sigma_phi: "",
      }),
      numbers("velocity", "brains2/Velocity", {
        v_x: "v_x",
        v_y: "v_y",
        omega: "omega",
        sigma_v_x: "",
        sigma_v_y: "",
        sigma_omega: "",
      }),
      ...ifThere(() => numbers("acceleration", "brains2/Acceleration", { a_x: "a_x", a_y: "a_y" })),
      numbers("current_controls", "brains2/Controls", { delta: "delta", ...wheels }),
      {
        name: `${NAMESPACE}/viz/sim`,
        type: "visualization_msgs/MarkerArray",
        qos: RELIABLE,
        message: (r) => ({
          markers: [
            marker(r[0], WORLD, {
              ns: "car",
              id: 0,
              type: SHAPES.cube,
              pose: { ...pose(r), position: { ...pose(r).position, z: height / 2 } },
              scale: { x: p.length, y: p.width, z: height },
              color: CAR,
            }),
          ],
        }),
      },
      diagnosticsTopic(row, track),
      {
        name: "/tf",
        type: "tf2_msgs/TFMessage",
        qos: RELIABLE,
        message: (r) => {
          const { position: translation, orientation: rotation } = pose(r);
          return {
            transforms: [
              { header: headerOf(r[0], WORLD), child_frame_id: "car", transform: { translation, rotation } },
            ],
          };
        },
      },
    ],
    subscriptions: [target],
    services: { reset: `${NAMESPACE}/reset`, cones: `${NAMESPACE}/publish_cones_markers` },
    onRequest: conesTopic(track),
  };
}

function diagnosticsTopic(row: Row, track: Cones | undefined): Topic {
  const laps = ["lap", "last_lap", "best_lap", "cones_hit"].filter((name) => row.has(name));
  let last = Number.NEGATIVE_INFINITY;
  return {
    name: `${NAMESPACE}/diagnostics/sim`,
    type: "diagnostic_msgs/DiagnosticArray",
    qos: RELIABLE,
    message: (r) => {
      const second = Math.floor(r[0] / DIAGNOSTICS + 1e-9);
      if (second === last) return undefined;
      last = second;
      const values = laps.map((name) => ({ key: name, value: String(r[row.at(name)]) }));
      return {
        header: { stamp: stampOf(r[0]), frame_id: "" },
        status: [
          {
            level: 0,
            name: "sim",
            message: "running",
            hardware_id: "sideslip",
            values: [{ key: "track", value: track?.name ?? "none" }, ...values],
          },
        ],
      };
    },
  };
}

function conesTopic(track: Cones | undefined): Topic {
  return {
    name: `${NAMESPACE}/viz/sim`,
    type: "visualization_msgs/MarkerArray",
    qos: RELIABLE,
    message: (r) => ({
      markers: (track?.cones ?? []).map(({ color, X, Y }, i) =>
        marker(r[0], WORLD, {
          ns: "cones",
          id: i + 1,
          type: SHAPES.cylinder,
          pose: { position: { x: X, y: Y, z: 0.16 }, orientation: aboutUp(0) },
          scale: { x: 0.228, y: 0.228, z: 0.325 },
          color: COLORS[color],
        }),
      ),
    }),
  };
}
