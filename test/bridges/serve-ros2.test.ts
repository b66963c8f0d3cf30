/** Whole simulations on ROS 2's topics, seen by Cyclone DDS. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { describeWithCyclone, fromBits, newDomain, peer, stopPeers } from "../support/dds/peers.ts";
import { rest } from "../support/dds/samples.ts";
import { type ServedSimulation, serve } from "../support/served.ts";

afterAll(stopPeers);

// biome-ignore lint/suspicious/noExplicitAny: messages of all types
type Any = any;

/** One message of a topic, as Cyclone decodes it. */
async function message(
  domain: number,
  topic: string,
  type: string,
  more: Record<string, number> = {},
): Promise<Any> {
  const reader = peer(domain, "sub", { topic: `rt${topic}`, type, count: 1, timeout: 15, ...more });
  const line = await reader.until("{");
  await reader.ended;
  return JSON.parse(line);
}

/** Rows of a CSV by the microsecond. */
function table(path: string): (t: number) => Record<string, number> {
  const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
  const names = head.split(",").map((n) => n.trim());
  const rows = new Map(
    lines.map((line) => {
      const values = line.split(",").map(Number);
      return [Math.round(values[0] * 1e6), Object.fromEntries(names.map((n, i) => [n, values[i]]))];
    }),
  );
  return (t) => {
    const row = rows.get(Math.round(t * 1e6));
    if (row === undefined) throw new Error(`no sample at ${t}`);
    return row;
  };
}
const timeOf = ({ header }: Any) => header.stamp.sec + 1e-9 * header.stamp.nanosec;
// A table writes -0 as 0.
const xyz = (v: Any) => [v.x, v.y, v.z].map((bits) => fromBits(bits) + 0);
const wxyz = (v: Any) => [v.w, v.x, v.y, v.z].map(fromBits);

describeWithCyclone("the parafoil's node", () => {
  it("has the topics, frames and values of the seed, bit for bit", async () => {
    const domain = newDomain();
    const served = await serve([
      "serve",
      "parafoil",
      "--ros2",
      "--domain",
      String(domain),
      "--out",
      "log.csv",
    ]);
    expect(served.facts.commands).toEqual([
      { name: "/rockpara_actuators_node/auto_commands", type: "geometry_msgs/Vector3Stamped" },
    ]);
    const V = "geometry_msgs/Vector3Stamped";
    const [position, acc, rates, imu, odom, pose, path, tf, marker, clock] = await Promise.all([
      message(domain, "/position", V, { reliable: 0 }),
      message(domain, "/body_acc", V, { reliable: 0 }),
      message(domain, "/body_ang_vel", V, { reliable: 0 }),
      message(domain, "/parafoil/imu", "sensor_msgs/Imu", { reliable: 0 }),
      message(domain, "/parafoil/odom", "nav_msgs/Odometry"),
      message(domain, "/parafoil/pose", "geometry_msgs/PoseStamped"),
      message(domain, "/parafoil/path", "nav_msgs/Path"),
      message(domain, "/tf", "tf2_msgs/TFMessage"),
      message(domain, "/parafoil/marker", "visualization_msgs/Marker"),
      message(domain, "/clock", "rosgraph_msgs/Clock"),
    ]);
    await served.stop();
    const at = table(join(served.cwd, "log.csv"));

    expect(position.header.frame_id).toBe("ned");
    let row = at(timeOf(position));
    expect(xyz(position.vector)).toEqual([row.north, row.east, row.down]);
    expect([acc.header.frame_id, rates.header.frame_id]).toEqual(["body", "body"]);
    row = at(timeOf(acc));
    expect(xyz(acc.vector)).toEqual([row.specific_force_x, row.specific_force_y, row.specific_force_z]);
    row = at(timeOf(rates));
    expect(xyz(rates.vector)).toEqual([row.p, row.q, row.r]);

    row = at(timeOf(imu));
    expect(imu.header.frame_id).toBe("parafoil_body");
    expect(imu.header.stamp.nanosec).toBe(0); // once a second
    expect(xyz(imu.linear_acceleration)).toEqual([row.imu_accel_x, row.imu_accel_y, row.imu_accel_z]);
    expect(xyz(imu.angular_velocity)).toEqual([row.imu_gyro_x, row.imu_gyro_y, row.imu_gyro_z]);
    expect(fromBits(imu.orientation_covariance[0])).toBe(-1);
    expect(fromBits(imu.linear_acceleration_covariance[0])).toBe(6.74 * 6.74);

    // East, north, up; velocity in the world, rates in the body.
    row = at(timeOf(odom));
    expect([odom.header.frame_id, odom.child_frame_id]).toEqual(["world", "parafoil_body"]);
    expect(xyz(odom.pose.pose.position)).toEqual([row.east, row.north, -row.down]);
    expect(xyz(odom.twist.twist.linear)).toEqual([row.v_east, row.v_north, -row.v_down]);
    expect(xyz(odom.twist.twist.angular)).toEqual([row.p, row.q, row.r]);
    row = at(timeOf(pose));
    expect(xyz(pose.pose.position)).toEqual([row.east, row.north, -row.down]);

    // The body's axes are forward, right, down: flying level to the north, forward is north and down is down.
    const [transform] = tf.transforms;
    expect([transform.header.frame_id, transform.child_frame_id]).toEqual(["world", "parafoil_body"]);
    const q = wxyz(transform.transform.rotation);
    const forward = turned(q, [1, 0, 0]);
    expect(forward[0]).toBeCloseTo(0, 6);
    expect(forward[1]).toBeGreaterThan(0.99);
    expect(turned(q, [0, 1, 0])[0]).toBeGreaterThan(0.99); // right is east
    expect(turned(q, [0, 0, 1])[2]).toBeLessThan(-0.99);

    expect(path.header.frame_id).toBe("world");
    expect(path.poses.length).toBeGreaterThan(1);
    const [first, second] = path.poses;
    expect(timeOf(second) - timeOf(first)).toBeCloseTo(0.2, 9); // every tenth sample
    expect([marker.header.frame_id, marker.type]).toEqual(["world", 5]);
    expect(marker.points.length).toBeGreaterThan(20);
    expect(clock.clock.sec).toBeGreaterThanOrEqual(0);
  });

  it("obeys commands, clamps what is too much, refuses what is no number, and says so once", async () => {
    const domain = newDomain();
    const served = await serve([
      "serve",
      "parafoil",
      "--ros2",
      "--domain",
      String(domain),
      "--out",
      "log.csv",
    ]);
    let complaints = "";
    served.process.stderr?.on("data", (d) => {
      complaints += d;
    });
    const topic = "rt/rockpara_actuators_node/auto_commands";
    const type = "geometry_msgs/Vector3Stamped";
    const command = (x: string | number, y: number) =>
      peer(domain, "pub", { topic, type, reliable: 0, count: 20, rate: 50, x, y }).ended;
    await command(0.4, 0.2);
    await command(7, 0.2);
    await command("nan", 0.2);
    const status = await served.stop();
    const csv = readFileSync(join(served.cwd, "log.csv"), "utf8").trim().split("\n");
    const columns = csv[0].split(",").map((n) => n.trim());
    const left = csv.slice(1).map((line) => Number(line.split(",")[columns.indexOf("brake_left_cmd")]));
    expect(new Set(left)).toEqual(new Set([0, 0.4, 1]));
    expect(Number(csv[1].split(",")[0])).toBe(0);
    expect(complaints.match(/brake_left_cmd out of range, clamped/g)?.length).toBe(1);
    expect(complaints.match(/is refused: .*brake_left_cmd.*is not a number/g)?.length).toBe(1);
    expect(status.commands["/rockpara_actuators_node/auto_commands: refused"]).toBeGreaterThan(5);
  });

  it("is steered to a heading by a process that only sees the topics", async () => {
    const domain = newDomain();
    const served = await serve([
      "serve",
      "parafoil",
      "--ros2",
      "--domain",
      String(domain),
      "--out",
      "log.csv",
    ]);
    const controller = peer(domain, "steer", { heading: 2, duration: 20 });
    await controller.ended;
    const [, bits, , seen] = (controller.lines.at(-1) ?? "").split(" ");
    await served.stop();
    expect(Number(seen)).toBeGreaterThan(500);
    expect(Math.abs(fromBits(bits.replaceAll('"', "")) - 2)).toBeLessThan(0.1);
  });

  it("serves slower and faster than real time, at other rates", async () => {
    const domain = newDomain();
    const served = await serve([
      ...["serve", "parafoil", "--ros2", "--domain", String(domain)],
      ...["--rate", "200", "--speed", "2", "--duration", "4", "--out", "log.csv"],
    ]);
    const begun = performance.now();
    await served.ended;
    expect((performance.now() - begun) / 1000).toBeGreaterThan(1.5);
    expect((performance.now() - begun) / 1000).toBeLessThan(3.5);
    expect(readFileSync(join(served.cwd, "log.csv"), "utf8").trim().split("\n").length).toBeGreaterThan(750);
    const { pace } = JSON.parse(served.lines.at(-1) ?? "");
    expect(pace.ticks).toBeGreaterThan(750);
    expect(pace.late_median_ms).toBeLessThan(5);
  });
});

/** A vector turned by a quaternion. */
function turned([w, x, y, z]: number[], [a, b, c]: number[]): number[] {
  const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [
    a + w * t[0] + y * t[2] - z * t[1],
    b + w * t[1] + z * t[0] - x * t[2],
    c + w * t[2] + x * t[1] - y * t[0],
  ];
}

describeWithCyclone("the race car's node", () => {
  let served: ServedSimulation;
  const domain = newDomain();

  it("has the messages of brains2, drives as it is told, and goes back to its start by service", async () => {
    served = await serve([
      "serve",
      "formula-student",
      "--ros2",
      "--domain",
      String(domain),
      "--out",
      "log.csv",
    ]);
    const driver = peer(domain, "pub", {
      ...{ topic: "rt/brains2/target_controls", type: "brains2/Controls" },
      ...{ count: 250, rate: 100, x: 0.02, y: 60 },
    });
    const readers = Promise.all([
      message(domain, "/brains2/pose", "brains2/Pose"),
      message(domain, "/brains2/velocity", "brains2/Velocity"),
      message(domain, "/brains2/acceleration", "brains2/Acceleration"),
      message(domain, "/brains2/current_controls", "brains2/Controls"),
      message(domain, "/brains2/viz/sim", "visualization_msgs/MarkerArray"),
      message(domain, "/brains2/diagnostics/sim", "diagnostic_msgs/DiagnosticArray"),
      message(domain, "/tf", "tf2_msgs/TFMessage"),
    ]);
    const [pose, velocity, acceleration, controls, markers, diagnostics, tf] = await readers;
    await driver.ended;
    const moved = await message(domain, "/brains2/velocity", "brains2/Velocity");
    expect(fromBits(moved.v_x)).toBeGreaterThan(3);
    const caller = peer(domain, "call", { service: "/brains2/reset" });
    await caller.ended;
    expect(caller.lines.at(-1)).toBe("reply 1234567890abcdef 42");
    const stopped = await message(domain, "/brains2/velocity", "brains2/Velocity");
    expect(fromBits(stopped.v_x)).toBeLessThan(fromBits(moved.v_x));

    const reader = peer(domain, "sub", {
      topic: "rt/brains2/viz/sim",
      type: "visualization_msgs/MarkerArray",
      count: 400,
      timeout: 6,
    });
    await reader.until("matched");
    await peer(domain, "call", { service: "/brains2/publish_cones_markers" }).ended;
    await rest(300);
    const cones = reader.lines.filter((l) => l.startsWith("{") && l.includes('"cones"'));
    expect(cones.length).toBeGreaterThan(0);
    expect(JSON.parse(cones[0]).markers.length).toBeGreaterThan(50);

    await served.stop();
    const at = table(join(served.cwd, "log.csv"));
    let row = at(timeOf(pose));
    expect([pose.x, pose.y, pose.phi].map(fromBits)).toEqual([row.X, row.Y, row.phi]);
    expect([pose.sigma_x, pose.sigma_y, pose.sigma_phi].map(fromBits)).toEqual([0, 0, 0]);
    row = at(timeOf(velocity));
    expect([velocity.v_x, velocity.v_y, velocity.omega].map(fromBits)).toEqual([row.v_x, row.v_y, row.omega]);
    row = at(timeOf(acceleration));
    expect([acceleration.a_x, acceleration.a_y].map(fromBits)).toEqual([row.a_x, row.a_y]);
    row = at(timeOf(controls));
    expect(fromBits(controls.delta)).toBe(row.delta);
    expect(fromBits(controls.tau_rr)).toBe(row.tau_RR);
    expect(markers.markers[0].header.frame_id).toBe("world");
    expect(diagnostics.status[0].values[0]).toEqual({ key: "track", value: "autocross" });
    expect([tf.transforms[0].header.frame_id, tf.transforms[0].child_frame_id]).toEqual(["world", "car"]);
    row = at(timeOf(tf.transforms[0]));
    const [w, , , z] = wxyz(tf.transforms[0].transform.rotation);
    expect(2 * Math.atan2(z, w)).toBeCloseTo(row.phi, 12);
  });
});

describeWithCyclone("an aircraft's node", () => {
  it("speaks as REP 103 wants: east-north-up, forward-left-up, and takes a joystick", async () => {
    const domain = newDomain();
    const served = await serve([
      "serve",
      "x500",
      "--ros2",
      "--domain",
      String(domain),
      "--out",
      "log.csv",
      "--origin",
      "47.4,8.5,500",
    ]);
    const joy = peer(domain, "pub", {
      topic: "rt/x500/joy",
      type: "sensor_msgs/Joy",
      count: 150,
      rate: 50,
      a0: 0.4,
      a1: 0,
      a2: 0,
      a3: 0,
    });
    await joy.until("matched");
    await rest(2000);
    const [odom, imu, fix, acc] = await Promise.all([
      message(domain, "/x500/odom", "nav_msgs/Odometry"),
      message(domain, "/x500/imu", "sensor_msgs/Imu", { reliable: 0 }),
      message(domain, "/x500/navsat", "sensor_msgs/NavSatFix", { reliable: 0 }),
      message(domain, "/x500/body_acc", "geometry_msgs/Vector3Stamped", { reliable: 0 }),
    ]);
    await joy.ended;
    await served.stop();
    const at = table(join(served.cwd, "log.csv"));
    let row = at(timeOf(odom));
    expect(odom.child_frame_id).toBe("x500/base_link");
    // The velocity in the body, forward left up: turned into the world it is the velocity over ground.
    const inWorld = turned(wxyz(odom.pose.pose.orientation), xyz(odom.twist.twist.linear));
    [row.v_east, row.v_north, -row.v_down].forEach((v, i) => {
      expect(inWorld[i]).toBeCloseTo(v, 9);
    });
    expect(xyz(odom.twist.twist.angular)).toEqual([row.p, -row.q, -row.r]);
    expect(Math.hypot(row.v_north, row.v_east, row.v_down, row.r)).toBeGreaterThan(0.05); // the stick does something
    row = at(timeOf(imu));
    expect(imu.header.frame_id).toBe("x500/base_link");
    expect(xyz(imu.linear_acceleration)).toEqual([
      row.specific_force_x,
      -row.specific_force_y,
      -row.specific_force_z,
    ]);
    expect(fromBits(imu.linear_acceleration.z)).toBeGreaterThan(5); // up at rest: +g
    row = at(timeOf(acc));
    expect(xyz(acc.vector)).toEqual([row.specific_force_x, row.specific_force_y, row.specific_force_z]);
    row = at(timeOf(fix));
    expect(fromBits(fix.altitude)).toBeCloseTo(500 - row.down, 9);
    // A minute of arc of latitude is 1852.3 m at this place (WGS 84).
    expect((fromBits(fix.latitude) - 47.4) * 60 * 1852.3).toBeCloseTo(row.north, 2);
  });

  it("every topic reaches the peer, and its inputs are obeyed one by one", async () => {
    const domain = newDomain();
    const served = await serve([
      "serve",
      "x500",
      "--ros2",
      "--domain",
      String(domain),
      "--wind",
      "1,2,0.25",
      "--out",
      "log.csv",
    ]);
    const sensor = /imu|position|body|navsat|wind/;
    const got: Record<string, Any> = {};
    await Promise.all(
      served.facts.topics.map(async ({ name, type }) => {
        got[name] = await message(domain, name, type, { reliable: sensor.test(name) ? 0 : 1 });
      }),
    );
    expect(Object.keys(got).length).toBe(12);
    const words = {
      topic: "rt/x500/inputs",
      type: "std_msgs/Float64MultiArray",
      size: 4,
      x: 650,
      count: 20,
      rate: 50,
    };
    await peer(domain, "pub", words).ended;
    await served.stop();
    const at = table(join(served.cwd, "log.csv"));
    const rows = readFileSync(join(served.cwd, "log.csv"), "utf8").trim().split("\n");
    const column = rows[0].split(",").indexOf("rotor_3_cmd");
    expect(Number(rows[rows.length - 1].split(",")[column])).toBe(650);

    let row = at(timeOf(got["/x500/position"]));
    expect(xyz(got["/x500/position"].vector)).toEqual([row.north, row.east, row.down]);
    row = at(timeOf(got["/x500/wind"]));
    expect(xyz(got["/x500/wind"].vector)).toEqual([1, 2, 0.25]);
    expect([row.wind_north, row.wind_east, row.wind_down]).toEqual([1, 2, 0.25]);
    row = at(timeOf(got["/x500/body_ang_vel"]));
    expect(xyz(got["/x500/body_ang_vel"].vector)).toEqual([row.p, row.q, row.r]);
    const { poses } = got["/x500/path"];
    for (const stamped of [got["/x500/pose"], poses[poses.length - 1]]) {
      row = at(timeOf(stamped));
      expect(xyz(stamped.pose.position)).toEqual([row.east, row.north, -row.down]);
    }
    const [tf] = got["/tf"].transforms;
    row = at(timeOf(tf));
    expect(tf.child_frame_id).toBe("x500/base_link");
    expect(xyz(tf.transform.translation)).toEqual([row.east, row.north, -row.down]);
    // Level, heading north: forward is north, left is west, up is up.
    const q = wxyz(tf.transform.rotation);
    expect(turned(q, [1, 0, 0])[1]).toBeGreaterThan(0.9);
    expect(turned(q, [0, 1, 0])[0]).toBeLessThan(-0.9);
    expect(turned(q, [0, 0, 1])[2]).toBeGreaterThan(0.9);
    expect(got["/x500/marker"].points.length).toBe(2 * 3 * 4);
  });
});
