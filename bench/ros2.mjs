// ROS 2 beside Cyclone DDS: what a served simulation costs, and how long a sample takes there and back.
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { register } from "tsx/esm/api";

register();
const { cyclonePeer, hasCyclone } = await import("../test/support/dds/build.ts");
const { settings } = await import("../test/support/dds/settings.ts");
const { joinDomain } = await import("../src/bridges/ros2/rtps/udp.ts");
const { RosNode } = await import("../src/bridges/ros2/node.ts");

const bin = fileURLToPath(new URL("../bin/sideslip.js", import.meta.url));
const env = { ...process.env, CYCLONEDDS_URI: settings(true) };
const VECTOR = "geometry_msgs/Vector3Stamped";
const DOMAIN = 150;
const MOST_CPU = 25;
const LONGEST_TRIP = 1000;

const rest = (ms) => new Promise((go) => setTimeout(go, ms));
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const peer = (job, words) =>
  spawn(cyclonePeer(), [job, ...Object.entries({ domain: DOMAIN, ...words }).map(([k, v]) => `${k}=${v}`)], {
    env,
  });
const said = (child) =>
  new Promise((resolve) => {
    let text = "";
    child.stdout.on("data", (d) => {
      text += d;
    });
    child.on("close", () => resolve(text));
  });

function verdict(holds) {
  if (!holds) process.exitCode = 1;
  return holds ? "holds" : "MISSED";
}

export async function benchRos2() {
  if (!hasCyclone) {
    console.error("bench ros2: cyclonedds-dev and cyclonedds-tools are needed; install them and run again");
    process.exitCode = 1;
    return;
  }
  await cost(false);
  await cost(true);
  await trip();
}

/** All topics of a quadrotor at 200 Hz, to somebody who records them all, or each to a participant of its own. */
async function cost(isApart) {
  const duration = 15;
  const args = ["serve", "x500", "--ros2", "--domain", String(DOMAIN), "--rate", "200", "--json"];
  const server = spawn(process.execPath, [bin, ...args, "--duration", String(duration)], { cwd: tmpdir() });
  let text = "";
  const topics = await new Promise((resolve) => {
    server.stdout.on("data", (d) => {
      text += d;
      if (text.includes("\n")) resolve(JSON.parse(text.split("\n")[0]).topics);
    });
  });
  const sensor = /imu|position|body|navsat|wind/;
  const words = topics.map(({ name, type }) => `rt${name}:${type}:${sensor.test(name) ? 0 : 1}`);
  const groups = isApart ? words : [words.join(",")];
  const readers = groups.map((list) => said(peer("record", { topics: list, timeout: duration })));
  await new Promise((resolve) => server.on("close", resolve));
  const { pace, ros2 } = JSON.parse(text.trim().split("\n").at(-1));
  const got = (await Promise.all(readers)).map((t) => Number(/end (\d+)/.exec(t)?.[1]));
  const wanted = isApart ? "" : ` (wanted < ${MOST_CPU} %: ${verdict(pace.cpu_percent < MOST_CPU)})`;
  console.log(
    `serving ${topics.length} topics at 200 Hz to ${groups.length} participant${isApart ? "s" : ""}: ${pace.cpu_percent} % of a core` +
      `${wanted}, ${ros2.samples} samples sent, ${got.reduce((a, b) => a + b)} received, ` +
      `${pace.missed} ticks missed, late by ${pace.late_median_ms} ms`,
  );
}

/** From here to an echo of Cyclone's and back; beside it from Cyclone to the same echo. */
async function trip() {
  const echo = peer("echo", { in: "rt/ping", out: "rt/pong", timeout: 60 });
  await rest(500);
  const theirs = Number(
    /median ([\d.]+)/.exec(await said(peer("ping", { in: "rt/ping", out: "rt/pong", count: 2000 })))?.[1],
  );
  const joined = await joinDomain({ name: "bench", domain: DOMAIN, report: () => {} });
  const node = new RosNode(joined.participant, "bench");
  let back = () => {};
  node.subscribe("/pong", VECTOR, {}, () => back());
  const publisher = node.advertise("/ping", VECTOR);
  for (let k = 0; k < 100 && publisher.writer.inTouch === 0; k++) await rest(50);
  await rest(300);
  const took = [];
  for (let n = 0; n < 2000; n++) {
    const begun = performance.now();
    await new Promise((resolve) => {
      back = resolve;
      publisher.publish({
        header: { stamp: { sec: n, nanosec: 0 }, frame_id: "" },
        vector: { x: n, y: 0, z: 0 },
      });
      setTimeout(resolve, 1000);
    });
    took.push(1000 * (performance.now() - begun));
    await rest(1);
  }
  const ours = median(took);
  echo.kill();
  await joined.close();
  console.log(
    `a sample there and back: ${ours.toFixed(0)} us from here to Cyclone, ${theirs.toFixed(0)} us from Cyclone to Cyclone ` +
      `(${(ours / theirs).toFixed(1)} times; wanted < ${LONGEST_TRIP} us: ${verdict(ours < LONGEST_TRIP)})`,
  );
}
