/** serve, replay and teleop as a person types them, also wrongly. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { pressed } from "../../src/cli/teleop.ts";
import { McapReading } from "../../src/formats/mcap.ts";
import { folder, sideslip, writeFile } from "../support/cli.ts";
import { hasCyclone } from "../support/dds/build.ts";
import { follow, fromBits, newDomain, peer, stopPeers } from "../support/dds/peers.ts";
import { serve } from "../support/served.ts";

const bin = new URL("../../bin/sideslip.js", import.meta.url).pathname;
afterAll(stopPeers);

describe("wrong words", () => {
  for (const [args, words] of [
    [["serve", "parafoil"], /serve needs a client.*--ros2, --foxglove, --studio/],
    [["serve", "parafol", "--ros2"], /parafol.*did you mean|parafoil/],
    [["serve", "parafoil", "--ros2", "--domain", "233"], /--domain.*233.*0 to 232/],
    [["serve", "parafoil", "--ros2", "--domain", "x"], /--domain.*x.*0 to 232/],
    [
      ["serve", "parafoil", "--ros2", "--interface", "nowhere0"],
      /--interface.*nowhere0.*lo \(127\.0\.0\.1\)/,
    ],
    [["serve", "parafoil", "--ros2", "--peer", "10.1.2.3"], /--peer.*10\.1\.2\.3.*--interface/],
    [["serve", "parafoil", "--ros2", "--peer", "nohost.invalid"], /--peer.*nohost\.invalid.*cannot be found/],
    [["serve", "parafoil", "--ros2", "--rate", "0"], /--rate.*0.*1 to 10000/],
    [["serve", "parafoil", "--ros2", "--speed", "-1"], /--speed.*-1/],
    [["serve", "parafoil", "--foxglove", "99999"], /--foxglove.*99999.*0 to 65535/],
    [["serve", "x500", "--ros2", "--namespace", "9 lives"], /--namespace.*9 lives.*letters, digits/],
    [["serve", "x500", "--ros2", "--origin", "95,0,0"], /--origin.*95,0,0.*between -90 and 90/],
    [["serve", "x500", "--ros2", "--out", "x.html"], /--out.*x\.html.*\.mcap/],
    [["serve", "x500", "--ros2", "--set", "nonsense=1"], /nonsense/],
    [["serve", "iris", "--px4", "--ardupilot"], /--ardupilot.*one autopilot.*--px4 or --ardupilot/],
    [["serve", "iris", "--px4", "--instance", "1.5"], /--instance.*1\.5.*0 to 99/],
    [["serve", "iris", "--px4", "--instance", "100"], /--instance.*100.*0 to 99/],
    [["serve", "iris", "--foxglove", "--instance", "1"], /--instance.*no effect.*--px4 or --ardupilot/],
    [["serve", "iris", "--px4", "--layout", "x.yaml"], /--layout.*no effect.*--joystick/],
    [["serve", "iris", "--px4", "--log-rate", "50"], /--log-rate.*no effect.*--out/],
    [["serve", "iris", "--px4", "--instance", "31", "--log-rate", "x", "--out", "a.mcap"], /--log-rate.*x/],
    [["serve", "iris", "--px4", "--instance", "32", "--joystick", "/nowhere"], /--joystick.*\/nowhere/],
    [
      ["serve", "iris", "--px4", "--instance", "33", "--joystick", "package.json"],
      /--joystick.*package\.json/,
    ],
    [["replay", "nothing.mcap", "--ros2"], /nothing\.mcap.*no such file/],
    [["teleop", "x500"], /x500.*has no brakes.*sideslip fly x500/],
    [["teleop"], /needs an interactive terminal/],
  ] as const)
    it(`${args.join(" ")} is refused in words`, () => {
      const cwd = folder();
      const { status, stderr, stdout } = sideslip(args, cwd);
      expect(stderr).toMatch(words);
      expect(stderr).not.toMatch(/internal error/);
      expect([status, stdout]).toEqual([2, ""]);
      expect(existsSync(join(cwd, "x.html.part"))).toBe(false);
    });

  it("a port that is taken is said, and nothing is left behind", async () => {
    const first = follow(
      spawn(process.execPath, [bin, "serve", "parafoil", "--foxglove", "0", "--json"], { cwd: folder() }),
    );
    const { foxglove } = JSON.parse(await first.until("{"));
    const cwd = folder();
    const { status, stderr } = sideslip(
      ["serve", "parafoil", "--foxglove", new URL(foxglove).port, "--out", "a.csv"],
      cwd,
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/cannot serve on 127\.0\.0\.1:\d+.*EADDRINUSE/),
    ]);
    expect(existsSync(join(cwd, "a.csv.part"))).toBe(false);
    first.process.kill("SIGINT");
    expect(await first.ended).toBe(0);
  });
});

describe("serve", () => {
  it("completes its log however often it is told to end", async () => {
    const cwd = folder();
    const args = ["serve", "x500", "--studio", "0", "--out", "x.mcap", "--json"];
    const served = follow(spawn(process.execPath, [bin, ...args], { cwd }));
    await served.until("{");
    await new Promise((go) => setTimeout(go, 500));
    for (let k = 0; k < 3; k++) served.process.kill("SIGINT");
    expect(await served.ended).toBe(0);
    expect(existsSync(join(cwd, "x.mcap"))).toBe(true);
    expect(existsSync(join(cwd, "x.mcap.part"))).toBe(false);
  });

  it("ends at its duration, whatever its speed, and counts its ticks", () => {
    const cwd = folder();
    const flags = ["--studio", "0", "--rate", "100", "--duration", "3", "--out", "x.csv", "--json"];
    for (const speed of ["5", "20", "100"]) {
      const { status, stdout } = sideslip(["serve", "x500", "--speed", speed, ...flags], cwd);
      expect(status).toBe(0);
      const lines = readFileSync(join(cwd, "x.csv"), "utf8").trim().split("\n");
      expect(Number(lines[lines.length - 1].split(",")[0])).toBeCloseTo(3, 9);
      expect(lines.length - 1).toBe(301);
      expect(JSON.parse(stdout.trim().split("\n")[1]).pace.ticks).toBe(301);
    }
  });

  it("ends with an error where its log cannot be written, and keeps what was", () => {
    const cwd = folder();
    const command = `ulimit -f 64; exec ${process.execPath} ${bin} serve parafoil --studio 0 --speed 50 --duration 900 --out x.csv`;
    const { status, stderr } = spawnSync("sh", ["-c", command], { cwd, encoding: "utf8", timeout: 60_000 });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/x\.csv.*could not be written.*x\.csv\.part/),
    ]);
    expect(readFileSync(join(cwd, "x.csv.part")).length).toBeGreaterThan(10_000);
    expect(
      sideslip(["serve", "parafoil", "--studio", "0", "--out", "a.csv", "--out", "a.csv"], cwd),
    ).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/a\.csv.*given twice/),
    });
  });

  it("takes scenarios with files of their own, and ROS 2 parameter files", () => {
    const cwd = folder();
    const vehicle = readFileSync(
      new URL("../../src/vehicles/parafoil/presets/parafoil.yaml", import.meta.url),
      "utf8",
    );
    writeFileSync(join(cwd, "mine.yaml"), vehicle);
    writeFile(
      "vehicle: mine.yaml\nduration: 1\ncontrol_dt: 0.02\nsensors: { imu: { rate: 10 }, gyro: {} }\n",
      "s.yaml",
      cwd,
    );
    writeFile(
      "parafoil_simulator:\n  ros__parameters:\n    imu.publish_rate: 5.0\n    imu.frame_id: nose\n",
      "p.yaml",
      cwd,
    );
    const args = [
      "serve",
      "s.yaml",
      "--studio",
      "0",
      "--params",
      "p.yaml",
      "--duration",
      "1",
      "--out",
      "x.csv",
      "--json",
    ];
    const { status, stdout, stderr } = sideslip(args, cwd);
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout.split("\n")[0]).vehicle).toBe("mine");
    const csv = readFileSync(join(cwd, "x.csv"), "utf8").trim().split("\n");
    expect(csv[0]).toContain("gyro_x");
    const column = csv[0].split(",").indexOf("imu_gyro_x");
    const readings = csv.slice(1, -1).map((l) => l.split(",")[column]);
    expect(new Set(readings).size).toBe(5);
  });

  it("gives the same bits as run, from the same scenario", () => {
    const cwd = folder();
    const flags = ["examples/gusty.yaml", "--duration", "3", "--set", "m=2.6"];
    const root = new URL("../..", import.meta.url).pathname;
    const [ran, served] = [join(cwd, "ran.csv"), join(cwd, "served.csv")];
    expect(sideslip(["run", ...flags, "--out", ran], root).status).toBe(0);
    expect(
      sideslip(["serve", ...flags, "--studio", "0", "--speed", "20", "--out", served], root).status,
    ).toBe(0);
    const table = (path: string) =>
      readFileSync(path, "utf8")
        .trim()
        .split("\n")
        .slice(0, 140)
        .map((l) => l.split(","));
    const [wanted, got] = [table(ran), table(served)];
    // A served parafoil has an IMU besides.
    const places = wanted[0].map((name) => got[0].indexOf(name));
    expect(got.map((row) => places.map((i) => row[i]))).toEqual(wanted);
    expect(wanted.length).toBe(140);
  });
});

describe("replay", () => {
  it("says what was recorded: topics, rates and cones, whatever the file is called", async () => {
    const cwd = folder();
    const flags = ["--duration", "3", "--speed", "20", "--studio", "0"];
    sideslip(
      ["serve", "x500", ...flags, "--namespace", "bird", "--origin", "10,20,30", "--out", "flight.mcap"],
      cwd,
    );
    const replayed = await serve(["replay", join(cwd, "flight.mcap"), "--foxglove", "0"], cwd);
    const names = replayed.facts.topics.map((t) => t.name);
    expect(names).toContain("/bird/odom");
    expect(names.filter((n) => !n.startsWith("/bird/")).sort()).toEqual(["/clock", "/tf"]);
    // It ends when the log does.
    expect(await replayed.ended).toBe(0);

    sideslip(["serve", "parafoil", ...flags, "--out", "p.mcap"], cwd);
    sideslip(["replay", "p.mcap", "--out", "q.mcap"], cwd);
    const count = async (file: string, topic: string) => {
      let found = 0;
      const reading = new McapReading(file, {
        message: (m) => {
          if (m.topic === topic) found++;
        },
      });
      reading.add(new Uint8Array(readFileSync(join(cwd, file))));
      return found;
    };
    for (const topic of ["/parafoil/imu", "/position", "/parafoil/odom"])
      expect(await count("q.mcap", topic)).toBe(await count("p.mcap", topic));
    expect(await count("p.mcap", "/parafoil/imu")).toBe(4);
  });

  it("takes as much of a log as it is told, and what is complete of one that was cut off", () => {
    const cwd = folder();
    sideslip(["run", "parafoil", "--duration", "4", "--out", "a.csv", "--out", "a.parquet"], cwd);
    expect(sideslip(["replay", "a.csv", "--duration", "2", "--out", "b.csv"], cwd).status).toBe(0);
    const whole = readFileSync(join(cwd, "a.csv"), "utf8");
    const lines = whole.split("\n");
    expect(readFileSync(join(cwd, "b.csv"), "utf8").trim().split("\n")).toEqual(lines.slice(0, 102));
    writeFileSync(join(cwd, "cut.csv"), whole.slice(0, Math.floor(0.6 * whole.length)));
    const cut = sideslip(["replay", "cut.csv", "--out", "c.csv"], cwd);
    expect(cut).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/cut\.csv ends in the middle of line \d+/),
    });
    expect(whole.startsWith(readFileSync(join(cwd, "c.csv"), "utf8"))).toBe(true);
    expect(sideslip(["replay", "a.parquet", "--out", "d.csv"], cwd).status).toBe(0);
    expect(readFileSync(join(cwd, "d.csv"), "utf8")).toBe(whole);
    writeFileSync(join(cwd, "empty.mcap"), "");
    expect(sideslip(["replay", "empty.mcap", "--out", "x.csv"], cwd)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/empty\.mcap.*is empty/),
    });
    expect(sideslip(["replay", "a.csv", "--speed", "0", "--out", "x.csv"], cwd).status).toBe(2);
  });

  it("of a table with some columns has the topics that these allow", () => {
    const cwd = folder();
    const states = "north,east,down,v_north,v_east,v_down,q_w,q_x,q_y,q_z,p,q,r,brake_left,brake_right";
    sideslip(["run", "parafoil", "--duration", "2", "--out", "p.csv", "--fields", states], cwd);
    expect(sideslip(["replay", "p.csv", "--out", "p.mcap"], cwd)).toMatchObject({ status: 0, stderr: "" });
  });

  it("mends in place, and what cannot be written does not take the only copy along", () => {
    const cwd = folder();
    sideslip(["run", "x500", "--duration", "10", "--out", "x.mcap"], cwd);
    const whole = readFileSync(join(cwd, "x.mcap"));
    const cut = whole.subarray(0, Math.floor(0.8 * whole.length));
    const part = join(cwd, "x.mcap.part");
    writeFileSync(part, cut);
    // The disk is full.
    const full = spawnSync(
      "sh",
      ["-c", `ulimit -f 64; exec ${process.execPath} ${bin} replay x.mcap.part --out x.mcap`],
      { cwd, encoding: "utf8" },
    );
    expect([full.status, full.stderr]).toEqual([
      1,
      expect.stringMatching(/may not grow larger|could not be written/),
    ]);
    expect(readFileSync(part).equals(cut)).toBe(true);
    expect(readFileSync(join(cwd, "x.mcap")).equals(whole)).toBe(true);
    expect(sideslip(["replay", "x.mcap.part", "--out", "x.mcap"], cwd).status).toBe(0);
    expect(readFileSync(part).equals(cut)).toBe(true);
  });

  it("turns logs into each other without losing a bit", () => {
    const cwd = folder();
    sideslip(["run", "parafoil", "--duration", "5", "--out", "a.mcap", "--out", "a.csv"], cwd);
    expect(
      sideslip(["replay", "a.mcap", "--out", "b.csv", "--out", "b.html", "--out", "b.parquet"], cwd).status,
    ).toBe(0);
    expect(readFileSync(join(cwd, "b.csv"), "utf8")).toBe(readFileSync(join(cwd, "a.csv"), "utf8"));
    expect(sideslip(["replay", "b.csv", "--out", "c.mcap"], cwd).status).toBe(0);
    expect(sideslip(["replay", "c.mcap", "--out", "c.csv"], cwd).status).toBe(0);
    expect(readFileSync(join(cwd, "c.csv"), "utf8")).toBe(readFileSync(join(cwd, "a.csv"), "utf8"));
    expect(readFileSync(join(cwd, "b.html"), "utf8")).toContain("<svg");
  });
});

describe("teleop", () => {
  it("has the keys of the parafoil's simulator: a twentieth each, all released, full brakes", () => {
    const at = { left: 0.5, right: 0.2 };
    const keys = {
      w: [0.55, 0.25],
      up: [0.55, 0.25],
      s: [0.45, 0.15],
      down: [0.45, 0.15],
      a: [0.55, 0.2],
      left: [0.55, 0.2],
      d: [0.5, 0.25],
      right: [0.5, 0.25],
      q: [0.45, 0.2],
      e: [0.5, 0.15],
      space: [0, 0],
      r: [1, 1],
    };
    for (const [key, [left, right]] of Object.entries(keys))
      expect(pressed(key, at)).toEqual({ left, right });
    expect(pressed("x", at)).toBeUndefined();
    expect(pressed("w", { left: 1, right: 0.98 })).toEqual({ left: 1, right: 1 });
  });

  const hasScript = spawnSync("script", ["--version"]).status === 0;
  /** In a terminal of its own; what the terminal shows, and how its settings are afterwards. */
  function inTerminal(command: string, keys: readonly [string, number][]): Promise<string> {
    const child = spawn("script", ["-qec", `${command}; stty -a`, "/dev/null"], {
      cwd: folder(),
      env: { ...process.env, TERM: "xterm" },
    });
    let text = "";
    child.stdout.on("data", (d) => {
      text += d;
    });
    let at = 0;
    for (const [key, wait] of keys) {
      at += wait;
      setTimeout(() => child.stdin.write(key), at);
    }
    return new Promise((resolve) => child.on("close", () => resolve(text)));
  }
  const isSane = (text: string) => {
    expect(text).toMatch(/ icanon /);
    expect(text).toMatch(/ echo /);
    expect(text.lastIndexOf("\x1b[?25h")).toBeGreaterThan(text.lastIndexOf("\x1b[?25l"));
  };
  const itInTerminal = hasScript ? it : it.skip;

  itInTerminal("flies in a terminal and leaves it as it was, by Esc and by Ctrl-C", async () => {
    const run = `${process.execPath} ${bin} teleop`;
    const byEscape = await inTerminal(run, [
      ["w", 1500],
      ["\x1b[D", 200],
      ["a", 200],
      ["\x1b", 500],
    ]);
    expect(byEscape).toMatch(/left {2}\[###\.*\] 0\.15/);
    expect(byEscape).toMatch(/right \[#\.*\] 0\.05/);
    expect(byEscape).toMatch(/altitude 9\d\.\d m/);
    isSane(byEscape);
    isSane(await inTerminal(run, [["\x03", 1500]]));
  });

  const itWithPeer = hasScript && hasCyclone ? it : it.skip;
  itWithPeer(
    "publishes the command topic twenty times a second, and shows what the simulation says",
    async () => {
      const domain = newDomain();
      const served = await serve(["serve", "parafoil", "--ros2", "--domain", String(domain)]);
      const topic = "rt/rockpara_actuators_node/auto_commands";
      const reader = peer(domain, "sub", {
        topic,
        type: "geometry_msgs/Vector3Stamped",
        count: 1000,
        timeout: 6,
      });
      const run = `${process.execPath} ${bin} teleop --ros2 --domain ${domain}`;
      const shown = await inTerminal(run, [
        ["w", 2000],
        ["d", 1000],
        ["\x1b", 1500],
      ]);
      isSane(shown);
      expect(shown).toMatch(/2 subscribers to the commands/);
      expect(shown).toMatch(/altitude \d+\.\d m/);
      await reader.ended;
      const heard = reader.lines.filter((l) => l.startsWith("{")).map((l) => JSON.parse(l));
      const values = heard.map(({ vector }) => `${fromBits(vector.x)} ${fromBits(vector.y)}`);
      expect([...new Set(values)]).toEqual(["0 0", "0.05 0.05", "0.05 0.1"]);
      const times = heard.map(({ header }) => header.stamp.sec + 1e-9 * header.stamp.nanosec);
      const rate = (times.length - 1) / (times[times.length - 1] - times[0]);
      expect(rate).toBeGreaterThan(17);
      expect(rate).toBeLessThan(21);
      await served.stop();
    },
  );

  itInTerminal(
    "leaves it as it was when it is asked to end, or its terminal is told to hang up",
    async () => {
      for (const signal of ["SIGTERM", "SIGHUP"] as const) {
        const file = join(folder(), "pid");
        const run = `sh -c 'echo $$ > ${file}; exec ${process.execPath} ${bin} teleop'`;
        setTimeout(() => process.kill(Number(readFileSync(file, "utf8")), signal), 2000);
        isSane(await inTerminal(run, []));
      }
    },
  );
});
