/**
 * Topics of a rigid body in flight: those of the ROS 2 parafoil simulator, in its frames, under any
 * namespace.
 */
import { toBody } from "../math/quaternion.ts";
import type { Field } from "../model/field.ts";
import type { Topic } from "../model/topics.ts";
import { enuOfFlu, enuOfFrd, enuOfNed, fluOfFrd, type Xyz, type Xyzw } from "./frames.ts";
import { headerOf, ifThere, RELIABLE, Row, SENSOR } from "./topic.ts";

export interface BodyNames {
  /** Before all names: "/parafoil". */
  readonly namespace: string;
  /** Before those of position, specific force and rates: nothing in the parafoil's simulator. */
  readonly sensors: string;
  readonly world: string;
  readonly body: string;
  /** Of the IMU's message. */
  readonly imu: string;
  /**
   * The axes of the body's frame. frd: as the parafoil's simulator has its rates, the velocity of the odometry in the world; flu:
   * as REP 103 and REP 105 want, the velocity in the body.
   */
  readonly axes: "frd" | "flu";
  readonly imuRate?: number;
}

/** Poses of a path: every so many samples, at most so many. */
const PATH_EVERY = 10;
const LONGEST_PATH = 1000;
const NO_COVARIANCE = new Float64Array(36);

const plain = (x: number, y: number, z: number): Xyz => ({ x, y, z });

/** Variances on the diagonal, where the standard deviations are known. */
function covariance(noise: readonly number[] | undefined): Float64Array {
  const all = new Float64Array(9);
  noise?.forEach((sigma, i) => {
    all[4 * i] = sigma * sigma;
  });
  return all;
}

export interface Noise {
  readonly accelerometer?: readonly number[];
  readonly gyro?: readonly number[];
}

/** Reads position, attitude and velocity of a sample in the frames of ROS. */
export class Body {
  private readonly place: readonly number[];
  private readonly names: BodyNames;
  private readonly q_NB = new Float64Array(4);
  private readonly v_N = new Float64Array(3);
  private readonly v_B = new Float64Array(3);

  constructor(row: Row, names: BodyNames) {
    this.names = names;
    this.place = row.all(..."north east down q_w q_x q_y q_z v_north v_east v_down p q r".split(" "));
  }
  position(row: Float64Array): Xyz {
    const [n, e, d] = this.place;
    return enuOfNed(row[n], row[e], row[d]);
  }
  orientation(row: Float64Array): Xyzw {
    const [, , , w, x, y, z] = this.place;
    return (this.names.axes === "flu" ? enuOfFlu : enuOfFrd)(row[w], row[x], row[y], row[z]);
  }
  pose(row: Float64Array) {
    return { position: this.position(row), orientation: this.orientation(row) };
  }
  twist(row: Float64Array) {
    const { place, q_NB, v_N, v_B } = this;
    const [p, q, r] = [row[place[10]], row[place[11]], row[place[12]]];
    if (this.names.axes === "frd") {
      const linear = enuOfNed(row[place[7]], row[place[8]], row[place[9]]);
      return { linear, angular: plain(p, q, r) };
    }
    // A table's columns may stand in any order.
    for (let i = 0; i < 4; i++) q_NB[i] = row[place[3 + i]];
    for (let i = 0; i < 3; i++) v_N[i] = row[place[7 + i]];
    toBody(q_NB, 0, v_N, 0, v_B, 0);
    return { linear: fluOfFrd(v_B[0], v_B[1], v_B[2]), angular: fluOfFrd(p, q, r) };
  }
}

export function bodyTopics(channels: readonly Field[], names: BodyNames, noise: Noise = {}): Topic[] {
  const row = new Row(channels);
  const body = new Body(row, names);
  const { namespace, world, sensors } = names;
  /** Three components, each by the first of its names that there is. */
  const vector = (name: string, frame: string, of: readonly string[]): Topic => {
    const places = of.map((choices) => row.at(...choices.split(" ")));
    return {
      name: `${sensors}/${name}`,
      type: "geometry_msgs/Vector3Stamped",
      qos: SENSOR,
      message: (r) => ({
        header: headerOf(r[0], frame),
        vector: plain(r[places[0]], r[places[1]], r[places[2]]),
      }),
    };
  };
  const stamped = (name: string, type: string, message: (r: Float64Array) => object): Topic => ({
    name: `${namespace}/${name}`,
    type,
    qos: RELIABLE,
    message: (r) => ({ header: headerOf(r[0], world), ...message(r) }),
  });
  return [
    // Sensor values, or true values without a sensor.
    ...ifThere(() =>
      vector("position", "ned", ["position_north north", "position_east east", "position_down down"]),
    ),
    ...ifThere(() =>
      vector(
        "body_acc",
        "body",
        ["x", "y", "z"].map((a) => `accel_${a} specific_force_${a}`),
      ),
    ),
    ...ifThere(() => vector("body_ang_vel", "body", ["gyro_x p", "gyro_y q", "gyro_z r"])),
    ...ifThere(() => imuTopic(row, names, noise)),
    stamped("odom", "nav_msgs/Odometry", (r) => ({
      child_frame_id: names.body,
      pose: { pose: body.pose(r), covariance: NO_COVARIANCE },
      twist: { twist: body.twist(r), covariance: NO_COVARIANCE },
    })),
    stamped("pose", "geometry_msgs/PoseStamped", (r) => ({ pose: body.pose(r) })),
    pathTopic(body, names),
    {
      name: "/tf",
      type: "tf2_msgs/TFMessage",
      qos: RELIABLE,
      message: (r) => {
        const transform = { translation: body.position(r), rotation: body.orientation(r) };
        return { transforms: [{ header: headerOf(r[0], world), child_frame_id: names.body, transform }] };
      },
    },
  ];
}

/** With a rate of its own where the sensor has one; its attitude is not known to it (REP 145). */
function imuTopic(row: Row, { namespace, imu, axes, imuRate }: BodyNames, noise: Noise): Topic {
  const [ax, ay, az] = ["x", "y", "z"].map((a) =>
    row.at(`imu_accel_${a}`, `accel_${a}`, `specific_force_${a}`),
  );
  const [gx, gy, gz] = [
    row.at("imu_gyro_x", "gyro_x", "p"),
    row.at("imu_gyro_y", "gyro_y", "q"),
    row.at("imu_gyro_z", "gyro_z", "r"),
  ];
  const turned = axes === "flu" ? fluOfFrd : plain;
  const unknown = covariance(undefined);
  unknown[0] = -1;
  const [linear, angular] = [covariance(noise.accelerometer), covariance(noise.gyro)];
  let last = Number.NEGATIVE_INFINITY;
  return {
    name: `${namespace}/imu`,
    type: "sensor_msgs/Imu",
    qos: SENSOR,
    message: (r) => {
      if (imuRate !== undefined) {
        const due = Math.floor(r[0] * imuRate + 1e-9);
        if (due === last) return undefined;
        last = due;
      }
      return {
        header: headerOf(r[0], imu),
        orientation: { x: 0, y: 0, z: 0, w: 1 },
        orientation_covariance: unknown,
        angular_velocity: turned(r[gx], r[gy], r[gz]),
        angular_velocity_covariance: angular,
        linear_acceleration: turned(r[ax], r[ay], r[az]),
        linear_acceleration_covariance: linear,
      };
    },
  };
}

function pathTopic(body: Body, { namespace, world }: BodyNames): Topic {
  let poses: object[] = [];
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  return {
    name: `${namespace}/path`,
    type: "nav_msgs/Path",
    qos: RELIABLE,
    message: (r) => {
      // Back in time: another flight.
      if (r[0] < last) [poses, count] = [[], 0];
      last = r[0];
      if (count++ % PATH_EVERY !== 0) return undefined;
      const header = headerOf(r[0], world);
      poses.push({ header, pose: body.pose(r) });
      if (poses.length > LONGEST_PATH) poses.shift();
      return { header, poses };
    },
  };
}
