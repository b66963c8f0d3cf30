/** The flight deck without a page: orders, questions, files of every kind. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { writeVehicle, writtenVehicle } from "../../src/formats/vehicle-yaml.ts";
import { pack } from "../../src/model/parameters.ts";
import { parseYaml } from "../../src/model/yaml.ts";
import type { Frame, SessionEvent, SessionInfo } from "../../src/session/protocol.ts";
import { Session } from "../../src/session/session.ts";
import { study } from "../../src/session/study.ts";
import { preset, presetNames, readVehicle } from "../../src/vehicle-types/index.ts";
import { describeWithShared, sharedPath } from "../support/shared.ts";

let clock = 0;
let news: SessionEvent[] = [];
let deck: Session;
beforeEach(() => {
  clock = 0;
  news = [];
  deck = new Session(
    (n) => news.push(n),
    () => clock,
  );
});
const begun = () => (news.findLast((n) => n.type === "started") as { info: SessionInfo }).info;
const instant = () => (news.findLast((n) => n.type === "frame") as { frame: Frame }).frame;
const refusals = () =>
  news.flatMap((n) => (n.type === "rejected" || n.type === "stopped" ? [n.message] : []));
const value = (name: string) => instant().row[begun().channels.findIndex((c) => c.name === name)];
/** Lets time pass in steps of a frame. */
const pass = (seconds: number) => {
  for (let k = 0; k < seconds * 50; k++) {
    clock += 20;
    deck.turn();
  }
};

/** What flew, shared and opened again. */
const expectTheSameAgain = () => {
  const log = JSON.parse(JSON.stringify(deck.query({ type: "log" })));
  deck.handle({ type: "repeat", log });
  pass(1);
  expect(news.findLast((n) => n.type === "repeated")).toEqual({
    type: "repeated",
    wanted: log.hash,
    hash: log.hash,
  });
};

const open = (...files: { name: string; text: string }[]) => {
  news = [];
  deck.handle({ type: "openFiles", files });
  return refusals();
};
const example = (name: string) => ({
  name,
  text: readFileSync(new URL(`../../examples/${name}`, import.meta.url), "utf8"),
});

describe("the deck", () => {
  it("keeps real time, at any speed, and does not catch up after a pause", () => {
    deck.handle({ type: "start", vehicle: "parafoil" });
    pass(2);
    expect(value("t")).toBeCloseTo(2, 1);
    deck.handle({ type: "setSpeed", value: 10 });
    pass(1);
    expect(value("t")).toBeCloseTo(12, 0);
    deck.handle({ type: "pause" });
    pass(5);
    expect(value("t")).toBeCloseTo(12, 0);
    deck.handle({ type: "setSpeed", value: 1 });
    deck.handle({ type: "play" });
    pass(1);
    expect(value("t")).toBeCloseTo(13, 0);
    expect(instant().lost).toBe(0);
    deck.handle({ type: "step" });
    const { tick } = instant();
    deck.handle({ type: "step" });
    expect(instant().tick).toBe(tick + 1);
    deck.handle({ type: "seek", tick: 100 });
    expect(value("t")).toBeCloseTo(2, 9);
    expect(instant().end).toBe(tick + 1);
  });

  it("tells an impossible wish apart from a flight that goes on", () => {
    deck.handle({ type: "start", vehicle: "x500" });
    pass(0.5);
    deck.handle({ type: "setParameters", values: { m: -1 } });
    deck.handle({ type: "setEnvironment", spec: { wind: { steady: [1, 2] } } });
    deck.handle({ type: "start", vehicle: "ufo" });
    expect(refusals().length).toBe(3);
    expect(refusals()[2]).toMatch(/ufo.*x500/);
    const before = instant().tick;
    pass(0.5);
    expect(instant().tick).toBeGreaterThan(before + 20);
  });

  it("stops a flight that cannot go on, and keeps what was before", () => {
    deck.handle({ type: "start", vehicle: "parafoil" });
    pass(1);
    // Almost no inertia: the first moment spins it beyond all measure.
    deck.handle({
      type: "setParameters",
      values: { "I_B_diag.x": 1e-9, "I_B_diag.y": 1e-9, "I_B_diag.z": 1e-9 },
    });
    deck.handle({ type: "moveStick", stick: 0, motion: "push", value: 1 });
    pass(3);
    expect(refusals().join()).toMatch(/diverged|implausible/);
    expect(instant().row.every(Number.isFinite)).toBe(true);
    deck.handle({ type: "seek", tick: 10 });
    expect(instant().tick).toBe(10);
    expect(instant().row.every(Number.isFinite)).toBe(true);
  });

  it("refuses what a hostile or damaged link or order asks, and flies on", () => {
    deck.handle({ type: "start", vehicle: "x500" });
    pass(0.5);
    const log = deck.query({ type: "log" });
    const hostile = [
      { ...log, ticks: 1e12 },
      { ...log, ticks: Number.NaN },
      { ...log, actions: [{ tick: 0, kind: "push", stick: 99, value: 1 }] },
      {
        ...log,
        actions: [
          { tick: 5, kind: "take" },
          { tick: 1, kind: "take" },
        ],
      },
      { ...log, actions: [{ tick: 0, kind: "parameters", values: { m: -1 } }] },
      { ...log, actions: [{ tick: 0, kind: "environment", spec: { wind: "strong" } }] },
      { ...log, vehicle: "ufo" },
      { ...log, scenario: { vehicle: "x500", dt: -1 } },
      {},
    ];
    for (const bad of hostile) {
      news = [];
      deck.handle({ type: "repeat", log: bad as never });
      pass(0.2);
      expect(refusals().length, JSON.stringify(bad).slice(0, 100)).toBeGreaterThan(0);
      expect(refusals().join()).not.toMatch(/undefined is not|cannot read/i);
    }
    deck.handle({ type: "start", vehicle: "x500" });
    news = [];
    deck.handle({ type: "moveStick", stick: -1, motion: "push", value: 1 });
    deck.handle({ type: "moveStick", stick: 0, motion: "hold", value: Number.NaN });
    expect(refusals().length).toBe(2);
    deck.handle({ type: "setSpeed", value: Number.NaN });
    deck.handle({ type: "seek", tick: Number.NaN });
    deck.handle({ type: "play" });
    pass(1);
    expect(instant().row.every(Number.isFinite)).toBe(true);
    expect(instant().row[0]).toBeCloseTo(1, 0);
  });

  it("repeats a shared flight and tells whether it came out the same", () => {
    deck.handle({ type: "start", vehicle: "x500" });
    pass(0.5);
    deck.handle({ type: "moveStick", stick: 0, motion: "push", value: 1 });
    pass(2);
    expectTheSameAgain();
  });

  it("keeps what flies until a link has proved good, and the future until an order is possible", () => {
    deck.handle({ type: "start", vehicle: "x500" });
    pass(2);
    const log = deck.query({ type: "log" });
    deck.handle({
      type: "repeat",
      log: {
        ...log,
        vehicle: "parafoil",
        scenario: { vehicle: "parafoil" },
        actions: [{ tick: 20, kind: "parameters", values: { nope: 1 } }],
      } as never,
    });
    pass(0.2);
    expect(refusals()).toEqual([expect.stringContaining('no parameter "nope"')]);
    expect(begun().name).toBe("x500");
    const { end } = instant();
    deck.handle({ type: "seek", tick: 50 });
    // A key let go while one looks at the past ends nothing.
    deck.handle({ type: "moveStick", stick: 0, motion: "push", value: 0 });
    deck.handle({ type: "setParameters", values: { m: -1 } });
    deck.handle({ type: "setEnvironment", spec: { control_dt: 0.01 } });
    expect(refusals().slice(1).join()).toMatch(/m: .*range.*control_dt.*cannot change in flight/s);
    expect(instant().end).toBe(end);
  });

  it("a scenario with a mixer file flies here and, by its link, elsewhere", () => {
    const mixer = { ...example("manual/flying-wing.main.mix"), name: "flying-wing.main.mix" };
    const sticks = { ...example("manual/joystick.yaml"), name: "joystick.yaml" };
    const files = [example("zephyr-by-hand.yaml"), mixer, sticks];
    expect(open(...files)).toEqual([]);
    pass(1);
    expectTheSameAgain();
  });

  it("keeps slow time with long ticks", () => {
    const scenario = { vehicle: "parafoil", control_dt: 0.05 };
    deck.handle({ type: "start", vehicle: "parafoil", scenario });
    deck.handle({ type: "setSpeed", value: 0.1 });
    pass(10);
    expect(instant().tick).toBe(20);
    expect(instant().lost).toBe(0);
  });

  it("gives channels of any length with their peaks, outputs among them", () => {
    deck.handle({ type: "start", vehicle: "x500" });
    pass(1);
    deck.handle({ type: "moveStick", stick: 2, motion: "push", value: 1 });
    pass(0.2);
    deck.handle({ type: "moveStick", stick: 2, motion: "push", value: 0 });
    pass(8);
    const end = value("t");
    const names = ["v_down", "altitude", "rotor_1"];
    const all = deck.query({ type: "history", names, from: 0, to: end, most: 1e6 });
    const few = deck.query({ type: "history", names, from: 0, to: end, most: 60 });
    expect(all.t.length).toBe(instant().end + 1);
    expect(few.t.length).toBe(60);
    expect(Math.min(...few.columns[0])).toBe(Math.min(...all.columns[0]));
    expect(Math.max(...few.columns[2])).toBe(Math.max(...all.columns[2]));
    // Outputs are computed again from what was kept: altitude is -down.
    const down = deck.query({ type: "history", names: ["down"], from: 0, to: end, most: 1e6 }).columns[0];
    expect([...all.columns[1]]).toEqual([...down].map((d) => -d));
  });

  it("explains the present moment: parts add up", () => {
    deck.handle({ type: "start", vehicle: "advanced-plane" });
    pass(1);
    const { contributions } = deck.query({ type: "explain" });
    const lift = contributions.find((c) => c.name === "CL_1");
    expect(lift?.parts.reduce((sum, p) => sum + p.value, 0)).toBeCloseTo(lift?.value ?? Number.NaN, 12);
  });
});

describe("a vehicle as a file again", () => {
  it.each(presetNames())("%s comes back with the same numbers", (name) => {
    const vehicle = preset(name);
    const text = writeVehicle(writtenVehicle(vehicle));
    const again = readVehicle(parseYaml(text, "again.yaml"), name);
    const numbers = (v: typeof vehicle) => [...pack(v.model.parameters, v.parameters)];
    const [before, after] = [numbers(vehicle), numbers(again)];
    expect(after.length).toBe(before.length);
    // Normalised axes may change in the last digit.
    before.forEach((v, i) => {
      if (/axis|forward|upward/.test(vehicle.model.parameters[i].name)) expect(after[i]).toBeCloseTo(v, 14);
      else expect(after[i], vehicle.model.parameters[i].name).toBe(v);
    });
  });

  it("with what was changed in flight", () => {
    deck.handle({ type: "start", vehicle: "parafoil" });
    deck.handle({ type: "setParameters", values: { m: 3.25 } });
    const text = deck.query({ type: "yaml" });
    expect((readVehicle(parseYaml(text, "x.yaml"), "x").parameters as { m: number }).m).toBe(3.25);
  });
});

describe("files that are opened", () => {
  it("a scenario flies as it says", () => {
    expect(open(example("parafoil.yaml"))).toEqual([]);
    expect(begun().name).toBe("parafoil");
    expect(instant().isByHand).toBe(false);
  });

  it("a vehicle file flies by hand", () => {
    const text = writeVehicle(writtenVehicle(preset("iris")));
    expect(open({ name: "mine.yaml", text })).toEqual([]);
    expect(begun().name).toBe("mine");
    expect(instant().isByHand).toBe(true);
  });

  it("a scenario with a vehicle of its own beside it, and a complaint without", () => {
    const vehicle = { name: "mine.yaml", text: writeVehicle(writtenVehicle(preset("iris"))) };
    const scenario = {
      name: "go.yaml",
      text: "vehicle: mine.yaml\nduration: 5\npilot: [{ t: 0, takeoff: { altitude: 2 } }]\n",
    };
    expect(open(scenario, vehicle)).toEqual([]);
    expect(begun().name).toBe("mine");
    expect(open(scenario)[0]).toMatch(/go\.yaml:1.*mine\.yaml.*together/);
  });

  it("a log is looked at, moment by moment, and cannot be flown", () => {
    deck.handle({ type: "start", vehicle: "x500" });
    pass(3);
    const pieces = deck.query({ type: "csv", names: [] });
    const altitude = value("altitude");
    expect(open({ name: "flight.csv", text: pieces.join("") })).toEqual([]);
    expect(begun().isLog).toBe(true);
    deck.handle({ type: "seek", tick: 1e9 });
    expect(value("altitude")).toBe(altitude);
    deck.handle({ type: "setParameters", values: { m: 3 } });
    expect(refusals()[0]).toMatch(/not available for a log/);
    expect(deck.query({ type: "history", names: ["altitude"], from: 0, to: 3, most: 50 }).t.length).toBe(50);
  });

  it.each([
    [
      "a broken vehicle",
      { name: "v.yaml", text: "model: aircraft\nparameters:\n  m: heavy\n" },
      /v\.yaml:3.*m.*heavy/,
    ],
    ["not YAML", { name: "v.yaml", text: "{ model: [" }, /v\.yaml.*YAML/],
    ["nothing known", { name: "v.yaml", text: "a: 1\n" }, /neither a vehicle/],
    ["an empty log", { name: "l.csv", text: "t,north\n" }, /l\.csv/],
    ["a log that breaks off", { name: "l.csv", text: "t,x\n0,1\n0.1\n" }, /l\.csv/],
    ["SDF without a model", { name: "m.sdf", text: "<sdf version='1.6'></sdf>" }, /m\.sdf/],
    ["a propeller on nothing", { name: "apce_10x5_geom.txt", text: "r/R c/R beta\n0.2 0.1 30\n" }, /./],
  ])("%s is refused with its place, and the flight before it goes on", (_, file, message) => {
    deck.handle({ type: "start", vehicle: "parafoil" });
    pass(0.5);
    const { tick } = instant();
    expect(open(file).join()).toMatch(message);
    expect(news.some((n) => n.type === "started")).toBe(false);
    pass(0.5);
    expect(instant().tick).toBeGreaterThan(tick);
  });

  it("ROS 2 parameters of the parafoil", () => {
    const text = "parafoil_simulator:\n  ros__parameters:\n    m: 2.6\n    dt_max: 0.005\n    ctl_dt: 0.02\n";
    expect(open({ name: "params.yaml", text })).toEqual([]);
    expect(begun().name).toBe("parafoil");
    expect(begun().values[begun().parameters.findIndex((f) => f.name === "m")]).toBe(2.6);
  });
});

describeWithShared("files of other tools", () => {
  const read = (path: string) => ({
    name: path.replace(/^.*\//, ""),
    text: readFileSync(sharedPath(`data/${path}`), "utf8"),
  });

  it("AVL's ST and SB with a mass file, and the advice without one", () => {
    const [st, sb] = ["st", "sb"].map((kind) => read(`avl/outputs/3.40-mrf/plane_a4.mrf.${kind}`));
    const mass = read("avl/geometry/plane.mass");
    expect(open(st, sb, mass)).toEqual([]);
    expect(begun().model).toBe("aircraft");
    expect(open(st, sb)[0]).toMatch(/mass file/);
  });

  it("a Gazebo model, and a measured propeller on the rotors of what flies", () => {
    expect(open(read("sdf/classic/iris.sdf"))).toEqual([]);
    expect(begun().model).toBe("aircraft");
    deck.handle({ type: "start", vehicle: "x500" });
    expect(open(read("uiuc/apce_10x5_kt0823_6005.txt"))).toEqual([]);
    expect(begun().name).toMatch(/^x500-/);
    pass(1);
    expect(refusals()).toEqual([]);
    expect(open(read("uiuc/apce_10x5_geom.txt"))).toEqual([]);
  });
});

describe("the analyst", () => {
  const subject = (vehicle: string, parameters = {}) => ({ vehicle, parameters });

  it("a flight begun in a steady turn goes on turning", () => {
    const { point } = study({
      study: "trim",
      subject: subject("advanced-plane"),
      condition: { airspeed: 14, turn: 0.4 },
    });
    expect(point).toBeDefined();
    if (!point) return;
    deck.handle({ type: "start", vehicle: "advanced-plane", from: point });
    pass(6);
    expect(refusals()).toEqual([]);
    // Bank of a coordinated turn: tan(roll) = V turn / g.
    expect(Math.tan(value("roll"))).toBeCloseTo((14 * 0.4) / 9.81, 1);
    expect(value("altitude")).toBeGreaterThan(57);
  });

  it("every brake setting of the parafoil's polar is where its flight stays", () => {
    const { rows } = study({ study: "polar", subject: subject("parafoil") });
    const row = rows[10];
    deck.handle({ type: "start", vehicle: "parafoil", from: row });
    pass(5);
    expect(value("sink")).toBeCloseTo(row.numbers.sink, 2);
    expect(value("brake_left")).toBeCloseTo(row.values[0], 3);
  });

  it("counts what was changed", () => {
    const light = study({ study: "trim", subject: subject("parafoil"), condition: {} });
    const heavy = study({
      study: "trim",
      subject: subject("parafoil", { m: 4.9, m_payload: 4 }),
      condition: {},
    });
    // Twice the weight everywhere: the same angles, and the speed goes with its root.
    expect((heavy.point?.numbers.v_forward ?? 0) / (light.point?.numbers.v_forward ?? 1)).toBeCloseTo(
      Math.SQRT2,
      6,
    );
  });

  it("names modes, finds an envelope, checks the physics", () => {
    const { modes, states } = study({ study: "modes", subject: subject("advanced-plane") });
    expect(modes.map((m) => m.name)).toEqual(
      expect.arrayContaining(["short period", "phugoid", "Dutch roll", "spiral"]),
    );
    expect(modes[0].magnitude.length).toBe(states.length);
    const map = study({ study: "envelope", subject: subject("parafoil") });
    expect(map.cells.length).toBe(map.axes[0].values.length * map.axes[1].values.length);
    expect(
      study({ study: "check", subject: subject("parafoil") }).filter((f) => f.status === "wrong"),
    ).toEqual([]);
  });
});

describe("a deck that others follow", () => {
  function shared() {
    let now = 0;
    const news: SessionEvent[] = [];
    const times: number[] = [];
    const deck = new Session(
      (n) => news.push(n),
      () => now,
    );
    deck.isShared = true;
    deck.onSample = (row) => times.push(row[0]);
    deck.handle({ type: "start", vehicle: "parafoil" });
    const wait = (ms: number) => {
      for (const end = now + ms; now < end; now += 10) deck.turn();
    };
    return { deck, news, times, wait };
  }
  const rises = (times: number[]) => times.every((t, i) => i === 0 || t > times[i - 1]);

  it("shows them a time that only goes forward, whoever looks back, restarts or resets", () => {
    const { deck, times, wait } = shared();
    wait(2000);
    deck.handle({ type: "seek", tick: 10 });
    deck.handle({ type: "play" });
    wait(500);
    deck.handle({ type: "restart" });
    wait(500);
    deck.handle({ type: "seek", tick: 5 });
    deck.handle({ type: "reset" });
    deck.handle({ type: "play" });
    wait(500);
    expect(times.length).toBeGreaterThan(150);
    expect(rises(times)).toBe(true);
  });

  it("takes commands by name, clamps them, and refuses all of what is partly nonsense", () => {
    const { deck, wait, news } = shared();
    wait(100);
    expect(deck.setInputs({ brake_left_cmd: 3 })).toEqual(["brake_left_cmd"]);
    expect(() => deck.setInputs({ brake_left_cmd: 0.5, brake_right_cmd: Number.NaN })).toThrow(
      /brake_right_cmd/,
    );
    expect(() => deck.setInputs({ nonsense: 1 })).toThrow(/nonsense/);
    wait(100);
    const [row] = news.flatMap((n) => (n.type === "frame" ? [n.frame.row] : [])).slice(-1);
    const begun = news.find((n) => n.type === "started") as SessionEvent & { type: "started" };
    const at = (name: string) => row[begun.info.channels.findIndex((c) => c.name === name)];
    expect(at("brake_left_cmd")).toBe(1);
    const before = deck.query({ type: "log" }).actions.length;
    expect(() => deck.holdSticks([0.5, Number.NaN])).toThrow(/NaN/);
    expect(deck.query({ type: "log" }).actions.length).toBe(before);
  });

  it("keeps few deeds of sticks that tremble in a pause, and repeats the flight from its log", () => {
    const { deck, wait, news } = shared();
    wait(300);
    deck.handle({ type: "pause" });
    for (let k = 0; k < 1000; k++) deck.holdSticks([Math.sin(k), Math.cos(k)]);
    expect(deck.query({ type: "log" }).actions.length).toBeLessThan(5);
    deck.handle({ type: "play" });
    wait(300);
    deck.setInputs({ brake_left_cmd: 0.25 });
    wait(300);
    deck.handle({ type: "reset" });
    wait(300);
    const log = deck.query({ type: "log" });
    deck.handle({ type: "repeat", log });
    for (let k = 0; k < 100; k++) deck.turn();
    const repeated = news.find((n) => n.type === "repeated") as SessionEvent & { type: "repeated" };
    expect(repeated.hash).toBe(log.hash);
  });
});
