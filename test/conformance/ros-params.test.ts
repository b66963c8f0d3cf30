import { describe, expect, it } from "vitest";
import { readRosParameters } from "../../src/formats/ros-params.ts";
import { overlay } from "../../src/model/document.ts";
import { parseYaml } from "../../src/model/yaml.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { sideslip, writeFile } from "../support/cli.ts";

/** The layout of parafoil_ws's params.yaml with its published numbers. */
const FILE = `
parafoil_simulator:
  ros__parameters:
    ctl_dt: 0.02
    dt_max: 0.005
    integrator_type: "rk4"
    initial_position: [0.0, 0.0, -100.0]
    initial_velocity: [4.5, 0.0, 0.9]
    initial_euler: [0.0, 0.0, 0.0]
    rho: 1.29
    g: 9.81
    m: 2.45
    I_B_diag: [0.8, 0.15, 0.85]
    S: 1.5
    b: 1.88
    c: 0.80
    S_pd: 0.1
    c_D_pd: 1.0
    r_canopy_B: [0.0, 0.0, -0.3]
    r_pd_B: [0.0, 0.0, 0.2]
    pendulum_arm: 0.3
    c_L0: 0.55
    c_La: 3.80
    c_Lds: 0.30
    c_D0: 0.16
    c_Da2: 0.50
    c_Dds: 0.75
    alpha_stall: 0.35
    alpha_stall_brake: 0.02
    alpha_stall_width: 0.15
    c_D_stall: 0.15
    c_Yb: -6.8
    c_lp: -0.84
    c_lda: -0.005
    c_m0: 0.1
    c_ma: -0.72
    c_mq: -1.49
    c_nr: -0.27
    c_nda: -0.133
    c_nb: 0.15
    c_n_weath: 0.02
    tau_act: 0.2
    eps: 1.0e-6
    V_min: 1.0
    wind:
      enable_steady: true
      enable_gust: false
      enable_colored: false
      steady_wind: [0.0, 2.0, 0.0]
      gust_interval: 10.0
      gust_duration: 2.0
      gust_magnitude: 3.0
      colored_tau: 2.0
      colored_sigma: 1.0
      seed: -1
    sensor:
      position_noise_std: [0.0, 0.0, 0.0]
      accel_noise_std: [6.74, 7.30, 8.72]
      gyro_noise_std: [0.520, 0.567, 0.769]
      seed: -1
    imu:
      publish_rate: 1.0
      frame_id: parafoil_body
`;
const { model } = preset("parafoil");
const parse = (text: string) => readRosParameters(parseYaml(text, "params.yaml"), model);
/** The file laid over the default scenario and checked. */
const read = (text: string, base = "vehicle: parafoil") =>
  readScenario(overlay(parseYaml(base, "base.yaml"), parse(text).scenario), preset("parafoil"));

describe("the ROS 2 parameter file of the original", () => {
  it("is read as it is", () => {
    const s = read(FILE);
    expect(s.changedParameters).toMatchObject({
      m: 2.45,
      "I_B_diag.y": 0.15,
      "r_canopy_B.z": -0.3,
      c_n_weath: 0.02,
    });
    expect([...s.initial.slice(0, 10)]).toEqual([0, 0, -100, 4.5, 0, 0.9, 1, 0, 0, 0]);
    expect(s).toMatchObject({ dt: 0.005, controlDt: 0.02, integrator: "rk4" });
    expect(s.wind.steady).toEqual([0, 2, 0]);
    expect([s.wind.gust, s.wind.colored]).toEqual([undefined, undefined]);
    expect(s.sensors.imu).toMatchObject({ rate: 1, gyro: { noise: [0.52, 0.567, 0.769] } });
    expect(s.wind.seed).toBeGreaterThanOrEqual(0);
    expect(s.sensors.seed).toBeGreaterThanOrEqual(0);
  });
  it("what has no use is listed with the reason, not swallowed", () => {
    expect(parse(FILE).unused).toEqual([
      "wind.gust_interval: wind.enable_gust is off",
      "wind.gust_duration: wind.enable_gust is off",
      "wind.gust_magnitude: wind.enable_gust is off",
      "wind.colored_tau: wind.enable_colored is off",
      "wind.colored_sigma: wind.enable_colored is off",
      "pendulum_arm: reserved by the original; the pendulum moment uses line_length",
      "imu.frame_id: a name for ROS 2 messages; this run publishes none",
    ]);
    expect(parse(FILE.replace("rho: 1.29", "rho: 1.29\n    colour: red")).unused).toContain(
      "colour: unknown to this simulator",
    );
    expect(
      parse("parafoil_simulator: { ros__parameters: { wind: { steady_wind: [1, 2, 3] } } }").unused,
    ).toEqual(["wind.steady_wind: wind.enable_steady is not given, so this wind is off"]);
  });
  it("initial_altitude overrides the position's height, switches turn winds on, dotted names mean the same", () => {
    const s = read(
      FILE.replace("rho: 1.29", "rho: 1.29\n    initial_altitude: 50.0").replace(
        "enable_gust: false",
        "enable_gust: true",
      ),
    );
    expect(s.initial[2]).toBe(-50);
    expect(s.wind.gust).toEqual({ interval: 10, duration: 2, magnitude: 3 });
    expect(
      read("sim:\n  ros__parameters:\n    wind.enable_steady: true\n    wind.steady_wind: [1, 2, 3]\n").wind
        .steady,
    ).toEqual([1, 2, 3]);
  });
  it("leaves alone what it does not mention", () => {
    const base =
      "vehicle: parafoil\nwind: { steady: [1, 0, 0], colored: { tau: 1, sigma: 1 } }\nsensors: { gyro: {} }\nparameters: { S: 2 }";
    const s = read("/**: { ros__parameters: { m: 3 } }", base);
    expect(s.changedParameters).toEqual({ S: 2, m: 3 });
    expect(s.wind).toMatchObject({ steady: [1, 0, 0], colored: { tau: 1, sigma: 1 } });
    expect(s.sensors.gyro).toBeDefined();
  });
  it("switches off a scenario's wind, and its words win over other words for the same thing", () => {
    const base =
      "vehicle: parafoil\nwind: { gust: { interval: 1, duration: 1, magnitude: 3 } }\ninitial: { altitude: 70, q_w: 0, q_x: 0, q_y: 0, q_z: 1 }";
    const s = read(FILE, base);
    expect(s.wind.gust).toBeUndefined();
    expect(s.initial[2]).toBe(-100);
    expect([...s.initial.slice(6, 10)]).toEqual([1, 0, 0, 0]);
  });
  it("takes the simulator's node of several, and refuses to guess", () => {
    const two = "planner: { ros__parameters: { m: 9 } }\nparafoil_simulator: { ros__parameters: { m: 3 } }";
    expect(read(two).changedParameters.m).toBe(3);
    expect(() => parse("a: { ros__parameters: {} }\nb: { ros__parameters: {} }")).toThrow(
      /several nodes \(a, b\), none called parafoil_simulator/,
    );
    expect(() => parse("a: 1\n")).toThrow(/not a ROS 2 parameter file/);
  });
  it("semi_implicit is understood; another integrator is refused with its line", () => {
    expect(read(FILE.replace('"rk4"', "semi_implicit")).integrator).toBe("semi-implicit");
    expect(() => read(FILE.replace('"rk4"', "rk45"))).toThrow(
      /params\.yaml:6:\d+: integrator_type: "rk45" is not an integrator of the original; allowed: euler, semi_implicit, rk4/,
    );
  });
  it("wrong values are refused with file, line, and the scenario's own ranges", () => {
    expect(() => read(FILE.replace("m: 2.45", "m: -2"))).toThrow(
      /^params\.yaml:12:5: parameters\.m: -2 is out of range; allowed: > 0 kg/,
    );
    expect(() => read(FILE.replace("[0.8, 0.15, 0.85]", "[0.8, 0.15]"))).toThrow(
      /^params\.yaml:13:5: parameters\.I_B_diag: \[0\.8,0\.15\]/,
    );
    expect(() => read(FILE.replace("[4.5, 0.0, 0.9]", "[4.5, 0.0]"))).toThrow(
      /^params\.yaml:8:5: initial_velocity: \[4\.5,0\] is not a list; allowed: three numbers/,
    );
    expect(() => read(FILE.replace("enable_gust: false", "enable_gust: maybe"))).toThrow(
      /wind\.enable_gust: "maybe" is not a switch; allowed: true or false/,
    );
    expect(() => read(FILE.replace("[0.0, 2.0, 0.0]", "[0.0, 5000.0, 0.0]"))).toThrow(
      /^params\.yaml:\d+:7: wind\.steady\.\[1\]: 5000 is out of range/,
    );
    expect(() => read(FILE.replace("dt_max: 0.005", "dt_max: 1.0e-9"))).toThrow(
      /^params\.yaml:5:5: dt: 1e-9 is out of range/,
    );
  });
  it("flies from the command line: wind on, seeds drawn and printed, unused keys on standard error", () => {
    const file = writeFile(FILE, "params.yaml");
    const { status, stdout, stderr } = sideslip([
      "run",
      "parafoil",
      "--params",
      file,
      "--duration",
      "5",
      "--json",
    ]);
    expect(status).toBe(0);
    expect(stderr).toContain("not used: pendulum_arm");
    const result = JSON.parse(stdout);
    expect(result.final.wind_east).toBe(2);
    expect(Number.isInteger(result.wind_seed) && result.wind_seed >= 0).toBe(true);
    expect(Number.isInteger(result.sensor_seed) && result.sensor_seed >= 0).toBe(true);
    expect(typeof result.final.imu_accel_x).toBe("number");
  });
  it("without wind it flies exactly the preset: the numbers are the same", () => {
    const file = writeFile(FILE.replace("enable_steady: true", "enable_steady: false"), "params.yaml");
    const hash = (...args: string[]) =>
      JSON.parse(sideslip(["run", "parafoil", "--duration", "5", "--json", ...args]).stdout).hash;
    expect(hash("--params", file)).toBe(hash());
  });
});
