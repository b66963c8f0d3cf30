/** The same flight whenever PX4 comes, however long it takes to start up, and though it stands still in between. */
import { connect } from "node:net";
import { expect, it } from "vitest";
import { FrameReader, FrameWriter } from "../../src/bridges/mavlink/frame.ts";
import {
  COMMAND_LONG,
  HEARTBEAT,
  HIL_ACTUATOR_CONTROLS,
  HIL_SENSOR,
  HIL_STATE_QUATERNION,
} from "../../src/bridges/mavlink/messages.ts";
import { Px4Bridge } from "../../src/bridges/px4/bridge.ts";
import { SimulationServer } from "../../src/bridges/server.ts";
import { AUTOPILOT_RATES, autopilotDefaults, waiting } from "../../src/cli/autopilots.ts";
import { findScenario } from "../../src/cli/inputs.ts";
import { uniform } from "../../src/math/random.ts";
import { plainSource } from "../../src/model/document.ts";
import type { SessionInfo } from "../../src/session/protocol.ts";
import { Session } from "../../src/session/session.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { settingsOf, topicsOf } from "../../src/topics/topics-of.ts";
import { vehicleSpec } from "../../src/vehicle-types/vehicle-spec.ts";

const SECONDS = 2.5;
/** Longer than a whole second of its clock at the speed of this test, so that it begins after its outputs would have counted. */
const LONGEST_START_MS = 400;
const SOAK = process.env.SIDESLIP_SOAK === "1";
const rest = (ms: number) => new Promise((go) => setTimeout(go, ms));

/** A PX4 that pushes its motors from its first answer on, in a way that depends on nothing but its clock. */
const outputsAt = (us: number): number[] =>
  Array.from({ length: 16 }, (_, k) => (k < 4 ? 0.6 + 0.1 * Math.sin(us / 2e5 + k) : 0));

async function flight(
  port: number,
  delays: { connect: number; heartbeat: number; start: number; request: number },
) {
  const { vehicle } = findScenario("x500");
  const rate = AUTOPILOT_RATES.px4;
  const words = {
    ...autopilotDefaults(vehicle, "px4", rate),
    ...waiting(vehicle),
    control_dt: 1 / rate,
    seed: 3,
    wind: { dryden: { turbulence: "light", height: 30, airspeed: 12 } },
  };
  const now = () => performance.now();
  let begun: SessionInfo | undefined;
  const session = new Session((news) => {
    if (news.type === "started") begun = news.info;
  }, now);
  session.handle({ type: "setSpeed", value: 100 });
  session.handle({ type: "start", vehicle: vehicleSpec(vehicle), scenario: words, byHand: false, files: [] });
  session.handle({ type: "pause" });
  session.isShared = true;
  const scenario = readScenario(plainSource(words, "starts"), vehicle);
  const { channels } = begun as SessionInfo;
  const server = new SimulationServer({
    session,
    spoken: topicsOf(vehicle, channels, settingsOf(scenario)),
    report: () => {},
  });
  const bridge = await Px4Bridge.open({
    session,
    vehicle,
    channels,
    home: scenario.home as never,
    interval: scenario.controlDt,
    host: "127.0.0.1",
    port,
    report: () => {},
    radio: () => undefined,
    now,
    beams: [],
  });
  server.driver = bridge;
  server.add(bridge);
  const ended = new Promise<void>((over) => {
    server.add({
      name: "end",
      sampled([t]: Float64Array) {
        if (t < SECONDS - 1e-9) return;
        session.handle({ type: "pause" });
        over();
      },
      status: () => ({}),
      close: async () => {},
    } as never);
  });
  session.handle({ type: "play" });
  server.start();

  await rest(delays.connect);
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  socket.on("error", () => {});
  await new Promise((go) => socket.once("connect", go));
  const [reader, writer] = [new FrameReader(), new FrameWriter(1, 1)];
  let startsAt = Number.POSITIVE_INFINITY;
  let truths = 0;
  socket.on("data", (data) => {
    for (const { type, values } of reader.push(data)) {
      if (type === HIL_STATE_QUATERNION) truths++;
      if (type !== HIL_SENSOR || now() < startsAt) continue;
      const time_usec = Number(values.time_usec);
      socket.write(
        writer.write(HIL_ACTUATOR_CONTROLS, {
          time_usec,
          controls: outputsAt(time_usec),
          flags: 1,
          mode: 129,
        }),
      );
    }
  });
  await rest(delays.heartbeat);
  socket.write(writer.write(HEARTBEAT, { autopilot: 12, mavlink_version: 3 }));
  startsAt = now() + delays.start;
  await rest(delays.request);
  socket.write(writer.write(COMMAND_LONG, { command: 511, param1: HIL_STATE_QUATERNION.id, param2: 4000 }));
  await ended;
  const hash = session.simulation.digest();
  await server.close();
  socket.destroy();
  return { hash, truths };
}

it("one hash from many starts with random delays, in turbulence, with outputs that push from the first answer on", async () => {
  const starts = SOAK ? 200 : 40;
  const hashes = new Set<string>();
  let next = 0;
  const some = async () => {
    while (next < starts) {
      const k = next++;
      const draw = (name: string, most: number) => most * uniform(1, name, k);
      const { hash, truths } = await flight(14_000 + k, {
        connect: draw("connect", 50),
        heartbeat: draw("heartbeat", 30),
        start: draw("start", LONGEST_START_MS),
        request: draw("request", 40),
      });
      hashes.add(hash);
      expect(truths).toBeGreaterThan(100);
    }
  };
  await Promise.all([some(), some(), some(), some()]);
  expect([...hashes]).toHaveLength(1);
}, 600_000);
