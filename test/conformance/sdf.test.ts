import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultFlight } from "../../src/analysis/default-flight.ts";
import { importSdf } from "../../src/cli/sdf-source.ts";
import { fromAngles, rotate } from "../../src/formats/sdf/frames.ts";
import { type Resolve, readSdf } from "../../src/formats/sdf/model.ts";
import { vehicleFromSdf } from "../../src/formats/sdf/vehicle.ts";
import { type Generation, writeSdf as writeAircraftSdf } from "../../src/formats/sdf/write.ts";
import { writeVehicle } from "../../src/formats/vehicle-yaml.ts";
import { parseYaml } from "../../src/model/yaml.ts";
import { deriveAxes } from "../../src/parts/surface-axes.ts";
import { asAircraft } from "../../src/vehicle-types/aircraft.ts";
import { preset, readVehicle } from "../../src/vehicle-types/index.ts";
import type { AircraftParameters } from "../../src/vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";
import { evaluate, vectorOf } from "../support/aircraft.ts";
import { sideslip } from "../support/cli.ts";
import { folder } from "../support/folder.mjs";
import { describeWithShared, sharedPath } from "../support/shared.ts";

const writeSdf = (vehicle: Vehicle, generation: Generation) =>
  writeAircraftSdf(asAircraft(vehicle)!, generation);
const vehicleOf = (text: string, file = "model.sdf", resolve?: Resolve): Vehicle => {
  const { name, parameters, labels, initial } = vehicleFromSdf(readSdf(text, file, resolve), file);
  const words = writeVehicle({ description: name, source: file, labels, parameters, initial });
  return readVehicle(parseYaml(words, file), name);
};
const shared = (path: string) => sharedPath(`data/sdf/${path}`);
const parametersOf = (v: Vehicle) => v.parameters as AircraftParameters;

describeWithShared("every Gazebo model at hand", () => {
  /** File, rotors, surfaces, servos, the sum of all its <mass>, and where it should be after 30 s of flying from the file alone. */
  const FLYING: readonly [string, number, number, number, number, "hover" | "cruise"][] = [
    ["classic/advanced_plane.sdf", 1, 1, 4, 1.52, "cruise"],
    ["classic/believer.sdf", 2, 4, 4, 2.075, "cruise"],
    ["classic/iris.sdf", 4, 0, 0, 1.535, "hover"],
    ["classic/plane.sdf", 1, 6, 6, 1.52, "cruise"],
    ["classic/standard_vtol.sdf", 5, 4, 3, 5.04, "hover"],
    ["classic/typhoon_h480.sdf", 6, 0, 0, 2.665, "hover"],
    ["gz/advanced_plane/model.sdf", 1, 1, 4, 1.006, "cruise"],
    ["gz/quadtailsitter/model.sdf", 4, 1, 0, 1.62, "hover"],
    ["gz/rc_cessna/model.sdf", 1, 6, 6, 1.67, "cruise"],
    ["gz/standard_vtol/model.sdf", 5, 3, 3, 5.025, "hover"],
    ["gz/x500/model.sdf", 4, 0, 0, 2.0643, "hover"],
  ];
  for (const [path, rotors, surfaces, servos, mass, what] of FLYING)
    it(`${path} is read whole and flies from its file alone`, () => {
      const { vehicle } = importSdf(shared(path));
      const p = parametersOf(vehicle);
      const count = (o: object | undefined) => Object.keys(o ?? {}).length;
      expect([count(p.rotors), count(p.surfaces), count(p.servos)]).toEqual([rotors, surfaces, servos]);
      expect(p.m).toBeCloseTo(mass, 2);
      // As far as the first line of its plan goes, which is to hold a height.
      const plan = defaultFlight(vehicle).scenario.pilot as { t: number; hold: { altitude: number } }[];
      const { stdout, status } = sideslip(["run", shared(path), "--json", "--duration", String(plan[1].t)]);
      expect(status).toBe(0);
      const { final } = JSON.parse(stdout);
      expect(Math.abs(final.altitude - plan[0].hold.altitude)).toBeLessThan(0.6);
      expect(Math.abs(final.roll)).toBeLessThan(0.02);
      if (what === "hover") expect(final.airspeed).toBeLessThan(0.02);
      else expect(final.airspeed).toBeGreaterThan(10);
    });

  it.each([
    ["gz/x500_base/model.sdf", /has no motor and no lift-drag plugin/],
    ["gz/iris_with_ardupilot/model.sdf", /:\d+: has no links.*model:\/\/iris_with_standoffs is not beside/],
    ["gz/zephyr_with_ardupilot/model.sdf", /:4: has no links.*model:\/\/zephyr is not beside this model/],
    [
      "gz/quadcopter-world.sdf",
      /has no links.*fuel\.gazebosim\.org.*on the network, from which nothing is read/,
    ],
  ])("%s says in a sentence why it does not fly", (path, why) => {
    expect(() => importSdf(shared(path))).toThrow(why);
  });

  it("x500 takes its links from x500_base, and has the published mass, inertia and hover speed", () => {
    const p = parametersOf(importSdf(shared("gz/x500/model.sdf")).vehicle);
    expect(p.m).toBeCloseTo(2.0 + 4 * 0.016076923, 8);
    // Base (0.0216667 about x) and four rotors 0.174 m to the side, a little above the common centre of mass.
    expect(p.I.xx).toBeGreaterThan(0.0216667 + 4 * 0.016076923 * 0.174 * 0.174);
    const constants = Object.values(p.rotors).map((r) => r.motorConstant);
    expect(Math.sqrt((p.m * 9.81) / constants.reduce((a, b) => a + b))).toBeCloseTo(769.56, 2);
    expect(p.rotors[1]).toMatchObject({ direction: 1, position: { x: 0.174, y: 0.174 } });
  });

  it("what has no effect or is not understood is told with its line", () => {
    const remarks = importSdf(shared("gz/quadtailsitter/model.sdf")).imported.remarks.map(
      (r) => `${r.line}: ${r.sentence}`,
    );
    expect(remarks.join("\n")).toMatch(
      /432: <cda> is unknown to this plugin, and Gazebo ignores it silently/,
    );
    expect(remarks.join("\n")).toMatch(/458: <CLa_stall> is not read by Gazebo's plugin either/);
    const plane = importSdf(shared("gz/advanced_plane/model.sdf")).imported.remarks;
    expect(plane.map((r) => r.sentence).join("\n")).toMatch(/plugin ParachutePlugin is not understood here/);
  });

  it("the gz advanced_plane has the coefficients, servos and signs of the preset", () => {
    const ours = parametersOf(preset("advanced-plane")).surfaces[1];
    const theirs = parametersOf(importSdf(shared("gz/advanced_plane/model.sdf")).vehicle).surfaces[1];
    for (const key of [
      "area",
      "AR",
      "mac",
      "eff",
      "CL0",
      "CLa",
      "CD0",
      "Cem0",
      "Cema",
      "Cellp",
      "Cemq",
      "CYr",
    ] as const)
      expect(theirs[key], key).toBe(ours[key]);
    expect(Array.from(theirs.table)).toEqual(Array.from(ours.table));
    // The joint controllers' gain of 10 against a damping of 1 is a lag of 0.1 s.
    expect(parametersOf(importSdf(shared("gz/advanced_plane/model.sdf")).vehicle).servos[1].tau).toBeCloseTo(
      0.1,
      12,
    );
  });

  for (const path of ["gz/rc_cessna/model.sdf", "classic/standard_vtol.sdf", "gz/advanced_plane/model.sdf"])
    for (const generation of ["classic", "gz"] as const)
      it(`${path}, exported for ${generation} and read again, is the same in the air`, () => {
        sameInTheAir(importSdf(shared(path)).vehicle, generation);
      });
});

/** Forces and accelerations of a vehicle and of its copy by way of an SDF file. */
function sameInTheAir(vehicle: Vehicle, generation: Generation): void {
  const { text } = writeSdf(vehicle, generation);
  const copy = vehicleOf(text);
  const p = parametersOf(vehicle);
  const law = generation === "gz" ? 1 : 0;
  const states = {
    q_w: 0.9,
    q_x: 0.1,
    q_y: -0.2,
    q_z: 0.3,
    v_north: 14,
    v_east: 3,
    v_down: 1,
    p: 0.3,
    q: -0.2,
    r: 0.4,
    down: -100,
    ...Object.fromEntries(Object.keys(p.rotors ?? {}).map((k) => [`rotor_${k}`, 300 + 50 * Number(k)])),
    ...Object.fromEntries(Object.keys(p.servos ?? {}).map((k) => [`servo_${k}`, 0.1 * Number(k) - 0.2])),
  };
  const inputs = Object.fromEntries(
    Object.keys(p.servos ?? {}).map((k) => [`servo_${k}_cmd`, 0.1 * Number(k) - 0.2]),
  );
  const a = evaluate(vehicle, states, inputs);
  const b = evaluate(copy, states, inputs);
  const close = (what: string, x: number, y: number) => {
    expect(Math.abs(x - y), what).toBeLessThan(1e-9 * Math.max(1, Math.abs(x)));
  };
  const q = parametersOf(copy);
  close("mass", p.m, q.m);
  for (const k of ["xx", "yy", "zz", "xy", "xz", "yz"] as const) close(`I.${k}`, p.I[k], q.I[k]);
  Object.keys(p.surfaces ?? {}).forEach((k) => {
    for (const what of ["force", "moment"])
      vectorOf(a.y, `${what}_surface_${k}`).forEach((x, i) => {
        close(`${what}_surface_${k}`, x, vectorOf(b.y, `${what}_surface_${k}`)[i]);
      });
  });
  // A rotor written for the other generation follows that one's law.
  for (const [k, rotor] of Object.entries(p.rotors ?? {})) {
    const other = q.rotors[Number(k)];
    for (const axis of ["x", "y", "z"] as const) {
      close(`rotor ${k}`, rotor.position[axis], other.position[axis]);
      close(`rotor ${k}`, rotor.axis[axis], other.axis[axis]);
    }
    if (rotor.law === law)
      vectorOf(a.y, `force_rotor_${k}`).forEach((x, i) => {
        close(`force_rotor_${k}`, x, vectorOf(b.y, `force_rotor_${k}`)[i]);
      });
  }
}

describe("export to SDF and back gives the same physics", () => {
  for (const name of [
    "advanced-plane",
    "rc-cessna",
    "standard-vtol",
    "zephyr",
    "iris",
    "x500",
    "typhoon-h480",
  ])
    for (const generation of ["classic", "gz"] as const)
      it(`${name}, ${generation}`, () => sameInTheAir(preset(name), generation));

  it("says that gz before July 2026 forgets the pitching moment, and what Gazebo has no word for", () => {
    expect(writeSdf(preset("advanced-plane"), "gz").remarks.join("\n")).toMatch(/July 2026.*Cem0 and Cema/);
    expect(writeSdf(preset("advanced-plane"), "classic").remarks.join("\n")).not.toMatch(/July/);
    expect(writeSdf(preset("hakoniwa"), "gz").remarks.join("\n")).toMatch(/battery/);
  });
});

describe("what Gazebo shows of an export", () => {
  const numbers = (text = "") => text.trim().split(/\s+/).map(Number);
  const partOf = (text: string, name: string) => {
    const [, pose, shape] =
      new RegExp(`<visual name="${name}">\\s*<pose>(.*?)</pose>\\s*<geometry>(.*?)</geometry>`).exec(text) ??
      [];
    return { pose: numbers(pose), size: numbers(shape?.replace(/<.*?>/g, " ")) };
  };

  it("a fin stands and a canted wing leans as its forces do", () => {
    const vehicle = preset("standard-vtol");
    const fin = {
      position: { x: -0.6, y: 0.1, z: -0.2 },
      forward: { x: 1, y: 0, z: 0 },
      upward: { x: 0, y: 1, z: 0 },
    };
    const canted = {
      position: { x: 0, y: 0.4, z: 0 },
      forward: { x: 1, y: 0.2, z: -0.1 },
      upward: { x: 0, y: 0.5, z: -1 },
    };
    const surfaces = parametersOf(vehicle).surfaces;
    for (const { position, forward, upward } of [fin, canted]) {
      const own = { ...surfaces[1], area: 0.2, position, forward, upward };
      deriveAxes(own);
      const { text } = writeSdf(
        { ...vehicle, parameters: { ...parametersOf(vehicle), surfaces: { 1: own } } },
        "gz",
      );
      const { pose, size } = partOf(text, "wing_1");
      expect(pose.slice(0, 3)).toEqual([position.x, 0 - position.y, 0 - position.z]);
      expect(size[0] * size[1]).toBeCloseTo(0.2, 12);
      const rotation = fromAngles(pose[3], pose[4], pose[5]);
      const [lift, nose] = [rotate(rotation, [0, 0, 1]), rotate(rotation, [1, 0, 0])];
      // Across forward, and in the plane of both.
      const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, v, i) => sum + v * b[i], 0);
      const flu = ({ x, y, z }: typeof forward) => [x, -y, -z];
      expect(dot(lift, flu(forward))).toBeCloseTo(0, 12);
      expect(dot(lift, flu(upward))).toBeGreaterThan(0.9);
      expect(dot(nose, flu(forward))).toBeCloseTo(Math.hypot(forward.x, forward.y, forward.z), 12);
    }
  });

  it("a body of twice the box's size has the vehicle's moments of inertia, arms reach the rotors", () => {
    const vehicle = preset("x500");
    const { m, I, rotors } = parametersOf(vehicle);
    const { text } = writeSdf(vehicle, "classic");
    const [x, y, z] = partOf(text, "body").size.map((v) => 2 * v);
    expect((m / 12) * (y * y + z * z)).toBeCloseTo(I.xx, 9);
    expect((m / 12) * (x * x + z * z)).toBeCloseTo(I.yy, 9);
    expect((m / 12) * (x * x + y * y)).toBeCloseTo(I.zz, 9);
    const { pose, size } = partOf(text, "arm_2");
    const end = rotate(fromAngles(pose[3], pose[4], pose[5]), [0, 0, size[0] / 2]);
    const { position } = rotors[2];
    [position.x, -position.y, -position.z].forEach((v, i) => {
      expect(pose[i] + end[i]).toBeCloseTo(v, 12);
    });
  });
});

const MODEL = (inside: string, more = "") =>
  `<sdf version="1.9">${more}<model name="m">${inside}</model></sdf>`;
const INERTIAL =
  "<inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz></inertia></inertial>";
const WING = `<plugin filename="gz-sim-lift-drag-system" name="x"><link_name>base_link</link_name><area>1</area></plugin>`;

describe("frames", () => {
  it("a link turned and shifted gives the same body as the numbers turned by hand", () => {
    // A rod along its own x, turned to point along the model's y (left), 2 m ahead.
    const rod = `<link name="rod"><pose>2 0 0 0 0 1.5707963267948966</pose><inertial><pose>0.5 0 0 0 0 0</pose><mass>1</mass>
      <inertia><ixx>0.01</ixx><iyy>0.4</iyy><izz>0.39</izz></inertia></inertial></link>`;
    const base = `<link name="base_link">${INERTIAL}</link>`;
    const joint = '<joint name="j" type="fixed"><parent>base_link</parent><child>rod</child></joint>';
    const p = parametersOf(vehicleOf(MODEL(base + rod + joint + WING)));
    expect(p.m).toBe(2);
    // Common centre (1, 0.25, 0): each mass is 1 m away in x and 0.25 m in y.
    expect(p.I.xx).toBeCloseTo(0.1 + 0.4 + 2 * 0.25 * 0.25, 12);
    expect(p.I.yy).toBeCloseTo(0.2 + 0.01 + 2 * 1, 12);
    expect(p.I.zz).toBeCloseTo(0.25 + 0.39 + 2 * (1 + 0.0625), 12);
    // In forward-right-down the product of x and y changes sign once more.
    expect(p.I.xy).toBeCloseTo(2 * 1 * 0.25, 12);
    // The surface at the base's origin, from the centre of mass: 1 m behind, 0.25 m to the right.
    expect(p.surfaces[1].position).toMatchObject({ x: -1, y: 0.25, z: 0 });
  });

  it("a nested model moves as one, and its plugins find its links", () => {
    const inner = `<model name="inner"><pose>0 1 0 0 0 0</pose><link name="wing"><pose>0 0 1 0 0 0</pose>${INERTIAL}</link>
      <plugin filename="gz-sim-lift-drag-system" name="x"><link_name>wing</link_name><area>1</area></plugin></model>`;
    const joint = '<joint name="j" type="fixed"><parent>base_link</parent><child>inner::wing</child></joint>';
    const p = parametersOf(vehicleOf(MODEL(`<link name="base_link">${INERTIAL}</link>${inner}${joint}`)));
    expect(p.m).toBe(2);
    expect(p.surfaces[1].position).toMatchObject({ x: 0, y: -0.5, z: -0.5 });
  });

  it("poses relative to joints and links, in any order", () => {
    const text = MODEL(
      `<link name="tip"><pose relative_to="hinge">0 0 1 0 0 0</pose>${INERTIAL}</link><link name="base_link">${INERTIAL}</link>
      <joint name="hinge" type="revolute"><pose relative_to="base_link">0 2 0 0 0 0</pose><parent>base_link</parent><child>tip</child>
      <axis><xyz>0 1 0</xyz></axis></joint>${WING.replace("base_link", "tip")}`,
    );
    expect(parametersOf(vehicleOf(text)).surfaces[1].position).toMatchObject({ x: 0, y: -1, z: -0.5 });
  });
});

describe("bad SDF is refused or remarked with file and line", () => {
  const BASE = `<link name="base_link">${INERTIAL}</link>`;
  it.each([
    ["not XML", "<sdf><model>", /model\.sdf:\d+: is not well-formed XML/],
    ["empty", "", /model\.sdf:1: is not an SDF file/],
    ["another document", "<robot/>", /model\.sdf:1: begins with <robot>; allowed: <sdf>/],
    ["a template", MODEL("{{ mass }}"), /is a template \(jinja or xacro\)/],
    ["no model", "<sdf/>", /holds no <model>/],
    [
      "zero inertia",
      MODEL(
        `<link name="base_link"><inertial><mass>1</mass><inertia><ixx>0</ixx></inertia></inertial></link>`,
      ),
      /link base_link: moments of inertia 0, 1, 1; allowed: all above 0/,
    ],
    [
      "negative mass",
      MODEL(`<link name="base_link"><inertial><mass>-1</mass></inertial></link>`),
      /a mass of -1 kg/,
    ],
    [
      "words for numbers",
      MODEL(`<link name="base_link"><inertial><mass>heavy</mass></inertial></link>`),
      /mass: "heavy" is not a number/,
    ],
    [
      "a short pose",
      MODEL(`<link name="base_link"><pose>1 2 3</pose>${INERTIAL}</link>`),
      /pose: holds 3 numbers; allowed: 6/,
    ],
    [
      "no link name",
      MODEL(`${BASE}<plugin filename="gz-sim-lift-drag-system" name="x"/>`),
      /<link_name> is missing/,
    ],
    [
      "a pose of itself",
      MODEL(
        `<link name="base_link"><pose relative_to="base_link">0 0 0 0 0 0</pose>${INERTIAL}</link>${WING}`,
      ),
      /depends on itself/,
    ],
    [
      "an entity bomb",
      `<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${MODEL("&b;")}`,
      /:1: has a document type/,
    ],
    [
      "an external entity",
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${MODEL("&e;")}`,
      /has a document type/,
    ],
    ["an undefined entity", MODEL("&e;"), /not well-formed XML/],
    ["too deep", `<sdf>${"<a>".repeat(200)}${"</a>".repeat(200)}</sdf>`, /nested too deeply/],
  ])("%s", (_, text, expected) => {
    expect(() => vehicleOf(text)).toThrow(expected);
  });

  it("joints to nowhere, missing inertials and lonely links are remarks, and the rest still flies", () => {
    const text = MODEL(
      `${BASE}<link name="ghost"/><link name="lonely">${INERTIAL}</link>
      <joint name="j" type="fixed"><parent>base_link</parent><child>nobody</child></joint>
      <joint name="k" type="fixed"><parent>base_link</parent><child>ghost</child></joint>${WING}`,
    );
    const { remarks, parameters } = vehicleFromSdf(readSdf(text, "model.sdf"), "model.sdf");
    const told = remarks.map((r) => r.sentence).join("\n");
    expect(told).toMatch(/joint j leads to "nobody", which is not in this file/);
    expect(told).toMatch(/link ghost has no <inertial>/);
    expect(told).toMatch(/link lonely is not connected/);
    expect(parameters.m).toBe(1);
  });

  it("a model that includes itself ends in a sentence", () => {
    const text = MODEL(`${BASE}<include><uri>model://m</uri></include>`);
    expect(() => vehicleOf(text, "model.sdf", () => ({ text, file: "m/model.sdf" }))).toThrow(
      /includes too many models, or itself|second link/,
    );
  });

  it("nothing outside the folder that holds the model is opened", () => {
    const root = folder("sdf");
    const place = (path: string, text: string) => {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    place("secret/model.sdf", MODEL(BASE));
    place("models/friend/model.sdf", MODEL(BASE));
    const asks = (uri: string) =>
      MODEL(`<include merge="true"><uri>${uri}</uri></include><link name="other">${INERTIAL}</link>
        <joint name="j" type="fixed"><parent>other</parent><child>base_link</child></joint>${WING.replace("base_link", "other")}`);
    const told = (uri: string) => {
      place("models/mine/model.sdf", asks(uri));
      return importSdf(join(root, "models/mine/model.sdf"))
        .imported.remarks.map((r) => r.sentence)
        .join("\n");
    };
    symlinkSync(join(root, "secret"), join(root, "models/link"));
    expect(existsSync(join(root, "models/link/model.sdf"))).toBe(true);
    expect(told("model://friend")).not.toMatch(/not beside/);
    for (const uri of [
      "model://link",
      "model://../secret",
      "model://..",
      "file:///etc/passwd",
      "/etc/passwd",
    ])
      expect(told(uri), uri).toMatch(/is not beside this model/);
    expect(told("https://example.org/m")).toMatch(/nothing is read/);
  });

  it("the command prints remarks and never a stack trace", () => {
    const root = folder("sdf");
    const file = join(root, "broken.sdf");
    writeFileSync(file, readFileSync("README.md"));
    const { stderr, status } = sideslip(["import", "sdf", file]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/is not an SDF file/);
    expect(stderr).not.toMatch(/ at |internal/);
  });
});

describe("what SDF allows besides", () => {
  const BASE = `<link name="base_link">${INERTIAL}</link>`;
  const remarksOf = (text: string) =>
    vehicleFromSdf(readSdf(text, "model.sdf"), "model.sdf")
      .remarks.map((r) => r.sentence)
      .join("\n");
  it("true and false, infinite limits, quaternions, dashes in comments", () => {
    const wing = `<plugin filename="gz-sim-lift-drag-system" name="x"><link_name>tip</link_name><area>1</area>
      <radial_symmetry>false</radial_symmetry></plugin>`;
    const text = MODEL(
      `<!-- gz topic --msgtype x -->${BASE}<link name="tip"><pose rotation_format="quat_xyzw">0 1 0 0 0 0.7071067811865476 0.7071067811865476</pose>
      ${INERTIAL}</link><joint name="j" type="revolute"><parent>base_link</parent><child>tip</child><axis><xyz>0 1 0</xyz>
      <limit><lower>-inf</lower><upper>inf</upper></limit><use_parent_model_frame>true</use_parent_model_frame></axis></joint>${wing}`,
    );
    const { surfaces } = parametersOf(vehicleOf(text));
    // Turned by 90 deg to the left: its forward is the model's left, here minus right.
    expect(surfaces[1].forward.y).toBeCloseTo(-1, 12);
    expect(surfaces[1].position.y).toBeCloseTo(-0.5, 12);
  });
  it("what changes nothing here but does in Gazebo is remarked", () => {
    const text = MODEL(
      `<static>true</static>${BASE}<link name="b">${INERTIAL}</link>
      <joint name="j" type="ball"><parent>base_link</parent><child>b</child></joint>
      <joint name="k" type="fixed"><parent>world</parent><child>base_link</child></joint>${WING}`,
    ).replace("</sdf>", `<model name="other">${BASE}</model></sdf>`);
    const told = remarksOf(text);
    expect(told).toMatch(/it is static in Gazebo/);
    expect(told).toMatch(/joint j is of type ball/);
    expect(told).toMatch(/joint k holds it to the world/);
    expect(told).toMatch(/a second model, "other", is left out/);
  });
  it("a plugin that only sounds like a sensor's is not taken for one", () => {
    expect(remarksOf(MODEL(`${BASE}${WING}<plugin filename="libthrust_simulation.so" name="x"/>`))).toMatch(
      /libthrust_simulation\.so is not understood here/,
    );
  });
  it("a megabyte of opened comments and long chains of frames end at once", () => {
    expect(() => vehicleOf(`<sdf>${"<!--".repeat(200_000)}`)).toThrow(/not well-formed/);
    const chain = Array.from(
      { length: 900 },
      (_, i) => `<frame name="f${i}"><pose relative_to="f${i + 1}">0 0 0 0 0 0</pose></frame>`,
    ).join("");
    const hung = `<link name="base_link"><pose relative_to="f0">0 0 0 0 0 0</pose>${INERTIAL}</link>`;
    expect(() => vehicleOf(MODEL(chain + hung + WING))).toThrow(/the chain is too long/);
    expect(() => vehicleOf(MODEL(`${BASE}${'<link name="x"/>'.repeat(2000)}`))).toThrow(/too many links/);
  });
  it("a missing area is refused with the plugin's line, not that of a file nobody sees", () => {
    const plugin = `<plugin filename="gz-sim-advanced-lift-drag-system" name="x"><link_name>base_link</link_name><AR>6</AR></plugin>`;
    expect(() => vehicleOf(MODEL(`${BASE}\n${plugin}`))).toThrow(/model\.sdf:2: .*<area> is missing/);
  });
  it("labels that are alike or odd still make a file that can be read", () => {
    const plane = preset("advanced-plane");
    for (const labels of [
      { servo_1: "left flap", servo_2: "left_flap", servo_3: "", servo_4: "rotor_0" },
      { servo_1: 'a<b>&"c', servo_2: "base_link", servo_3: "élevon", servo_4: "servo_0" },
    ])
      sameInTheAir({ ...plane, labels }, "gz");
  });
});
