/** A vehicle as a Gazebo model: one body, a link and a plugin for each rotor, joints for servos, lift-drag plugins. */

import { ADVANCED_PARAMETERS, CONTROL_PARAMETERS } from "../../parts/advanced-lift-drag.ts";
import { LIFT_DRAG_PARAMETERS } from "../../parts/lift-drag.ts";
import { LAWS } from "../../parts/rotor.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import { SURFACE_LAWS } from "../../vehicles/aircraft/surfaces.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { anglesTo, flu, n, type Vec3 } from "./poses.ts";
import { bodyVisuals, rotorVisual } from "./visuals.ts";

export type Generation = "classic" | "gz";

/** A rotor's or a control surface's link must have some mass in Gazebo: this part of the whole; the body is lighter by as much. */
const LINK_PART = 1e-5;

const safe = (text: string) => text.replace(/[<>&"']/g, "_");

const tag = (name: string, text: string | number, indent = 6) =>
  `${" ".repeat(indent)}<${name}>${typeof text === "number" ? n(text) : text}</${name}>`;

const inertial = (mass: number, I: readonly number[], pose = "0 0 0 0 0 0") => [
  "      <inertial>",
  tag("pose", pose, 8),
  tag("mass", mass, 8),
  "        <inertia>",
  ...["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].map((name, i) => tag(name, I[i], 10)),
  "        </inertia>",
  "      </inertial>",
];

export interface WrittenSdf {
  readonly text: string;
  /** What Gazebo's format cannot represent. */
  readonly remarks: readonly string[];
}

export function writeSdf(vehicle: Vehicle<AircraftParameters>, generation: Generation): WrittenSdf {
  const p = vehicle.parameters;
  const { labels } = vehicle;
  const isClassic = generation === "classic";
  const remarks: string[] = [];
  const rotors = Object.entries(p.rotors ?? {});
  const surfaces = Object.values(p.surfaces ?? {});
  const servos = Object.entries(p.servos ?? {});
  const contacts = Object.values(p.contacts ?? {});
  // A servo's joint has its label for a name, where that is one of a kind.
  const names = servos.map(([k]) =>
    safe(labels[`servo_${k}`] ?? "")
      .trim()
      .replace(/\s+/g, "_"),
  );
  const jointOf = (k: number | string) => {
    const name = names[Number(k) - 1];
    const isOne = names.filter((other) => other.toLowerCase() === name.toLowerCase()).length === 1;
    return isOne && name !== "" && !/^(rotor_|servo_|base_link)/.test(name) ? name : `servo_${Number(k) - 1}`;
  };

  const LINK_MASS = LINK_PART * p.m;
  const LINK_INERTIA = LINK_PART * 1e-2 * Math.min(p.I.xx, p.I.yy, p.I.zz);
  // The body carries what the links weigh too much, so that all together weigh and turn as the vehicle does.
  const places: Vec3[] = [...rotors.map(([, r]) => r.position), ...servos.map(() => ({ x: 0, y: 0, z: 0 }))];
  const mass = p.m - LINK_MASS * places.length;
  const balance = (axis: keyof Vec3) => (-LINK_MASS * places.reduce((sum, c) => sum + c[axis], 0)) / mass;
  const centre = { x: balance("x"), y: balance("y"), z: balance("z") };
  const I = bodyInertia(p, places, LINK_MASS, LINK_INERTIA, mass, centre);
  const lines: string[] = [
    '<?xml version="1.0"?>',
    `<!-- ${safe(vehicle.name)}: written by Sideslip. Forward, left, up; origin at the centre of mass. -->`,
    `<sdf version="${isClassic ? "1.6" : "1.9"}">`,
    `  <model name="${safe(vehicle.name)}">`,
    '    <link name="base_link">',
    ...inertial(mass, I, `${flu(centre)} 0 0 0`),
    ...contacts.flatMap((c, i) => [
      `      <collision name="contact_${i + 1}">`,
      tag("pose", `${flu(c.position)} 0 0 0`, 8),
      `        <geometry><sphere><radius>${n(Math.max(c.radius, 1e-3))}</radius></sphere></geometry>`,
      `        <surface><friction><ode><mu>${n(c.friction)}</mu></ode></friction></surface>`,
      "      </collision>",
    ]),
    ...bodyVisuals(p),
    "    </link>",
  ];

  rotors.forEach(([k, r], i) => {
    lines.push(
      `    <link name="rotor_${i}">`,
      tag("pose", `${flu(r.position)} ${anglesTo(r.axis)}`),
      ...inertial(LINK_MASS, [LINK_INERTIA, 0, 0, LINK_INERTIA, 0, LINK_INERTIA]),
      ...(r.radius > 0
        ? [
            `      <collision name="rotor_${i}_collision">`,
            `        <geometry><cylinder><length>0.005</length><radius>${n(r.radius)}</radius></cylinder></geometry>`,
            "      </collision>",
            ...rotorVisual(r.radius),
          ]
        : []),
      "    </link>",
      `    <joint name="rotor_${i}_joint" type="revolute">`,
      "      <parent>base_link</parent>",
      `      <child>rotor_${i}</child>`,
      "      <axis><xyz>0 0 1</xyz><limit><lower>-1e+16</lower><upper>1e+16</upper></limit></axis>",
      "    </joint>",
      isClassic
        ? `    <plugin name="rotor_${i}" filename="libgazebo_motor_model.so">`
        : '    <plugin filename="gz-sim-multicopter-motor-model-system" name="gz::sim::systems::MulticopterMotorModel">',
      tag("jointName", `rotor_${i}_joint`),
      tag("linkName", `rotor_${i}`),
      tag("turningDirection", r.direction > 0 ? "ccw" : "cw"),
      ...(isClassic && r.reversible === 1 ? [tag("reversible", "true")] : []),
      ...(["timeConstantUp", "timeConstantDown", "maxRotVelocity"] as const).flatMap((name) =>
        Number.isFinite(r[name]) ? [tag(name, r[name])] : [],
      ),
      ...(
        ["motorConstant", "momentConstant", "rotorDragCoefficient", "rollingMomentCoefficient"] as const
      ).map((name) => tag(name, r[name])),
      ...(isClassic ? [tag("maxRelativeAirspeed", Math.min(r.maxRelativeAirspeed, 1e9))] : []),
      tag("commandSubTopic", isClassic ? "/gazebo/command/motor_speed" : "command/motor_speed"),
      tag("motorNumber", i),
      tag("rotorVelocitySlowdownSim", 10),
      tag("motorType", "velocity"),
      "    </plugin>",
    );
    const rotor = `rotor ${k}`;
    if (r.law === LAWS.propeller)
      remarks.push(`${rotor} has a propeller table, which Gazebo has not: its motorConstant is written`);
    else if ((r.law === LAWS.gz) === isClassic)
      remarks.push(
        `rotors that follow the law of ${isClassic ? "gz" : "Gazebo classic"} are written for the other generation, whose law differs (errata R5, R6)`,
      );
    if (r.inertia > 0) remarks.push(`${rotor}: its inertia is left out`);
    if (r.installation !== 1) remarks.push(`${rotor}: its installation factor is left out`);
  });

  servos.forEach(([k, s]) => {
    const name = jointOf(k);
    lines.push(
      `    <link name="${name}_link">`,
      ...inertial(LINK_MASS, [LINK_INERTIA, 0, 0, LINK_INERTIA, 0, LINK_INERTIA]),
      "    </link>",
      `    <joint name="${name}" type="revolute">`,
      "      <parent>base_link</parent>",
      `      <child>${name}_link</child>`,
      `      <axis><xyz>0 1 0</xyz><limit><lower>${n(s.min)}</lower><upper>${n(s.max)}</upper></limit>` +
        `<dynamics><damping>${n(s.tau > 0 ? 10 * s.tau : 0)}</damping></dynamics></axis>`,
      "    </joint>",
    );
    if (!isClassic)
      lines.push(
        '    <plugin filename="gz-sim-joint-position-controller-system" name="gz::sim::systems::JointPositionController">',
        tag("joint_name", name),
        tag("sub_topic", name),
        tag("p_gain", 10),
        "    </plugin>",
      );
    if (Number.isFinite(s.rate)) remarks.push(`servo ${k}: its largest rate is left out`);
    if (isClassic && s.tau > 0)
      remarks.push(`servo ${k}: its lag belongs to the mavlink interface's channels in classic`);
  });

  surfaces.forEach((s, i) => {
    const isPlain = s.law === SURFACE_LAWS["lift-drag"];
    const library = isPlain
      ? isClassic
        ? "libLiftDragPlugin.so"
        : "gz-sim-lift-drag-system"
      : isClassic
        ? "libAdvancedLiftDragPlugin.so"
        : "gz-sim-advanced-lift-drag-system";
    const system = isClassic
      ? `surface_${i}`
      : `gz::sim::systems::${isPlain ? "LiftDrag" : "AdvancedLiftDrag"}`;
    // Classic counts a plain surface's point from the link's centre of mass.
    const from = isPlain && isClassic ? centre : { x: 0, y: 0, z: 0 };
    const point = { x: s.position.x - from.x, y: s.position.y - from.y, z: s.position.z - from.z };
    const values = s as unknown as Record<string, number>;
    const written = (isPlain ? LIFT_DRAG_PARAMETERS : ADVANCED_PARAMETERS)
      .map((f) => f.name)
      .filter((name) => !/\.|^(M|k1|k2|servo|chord|control_joint_rad_to_cl)$/.test(name));
    lines.push(
      `    <plugin filename="${library}" name="${system}">`,
      ...written.map((name) => tag(name, values[name])),
      tag("air_density", p.rho),
      tag(isPlain || !isClassic ? "cp" : "ref_pt", flu(point)),
      tag("forward", flu(s.forward)),
      tag("upward", flu(s.upward)),
      tag("link_name", "base_link"),
    );
    if (isPlain && s.servo > 0)
      lines.push(
        tag("control_joint_name", jointOf(s.servo)),
        tag("control_joint_rad_to_cl", s.control_joint_rad_to_cl),
      );
    if (!isPlain) {
      const controls = Object.values(s.controls ?? {});
      lines.push(tag("num_ctrl_surfaces", controls.length));
      controls.forEach((c, j) => {
        const coefficients = c as unknown as Record<string, number>;
        lines.push(
          "      <control_surface>",
          tag("name", jointOf(c.servo), 8),
          tag("index", j, 8),
          ...CONTROL_PARAMETERS.map((f) => f.name)
            .filter((name) => name !== "servo")
            .map((name) => tag(name, coefficients[name], 8)),
          "      </control_surface>",
        );
      });
      if (s.M !== 15 || s.k1 !== -0.224 || s.k2 !== -0.115)
        remarks.push(`surface ${i + 1}: M, k1, k2 have no tag in Gazebo, which has 15, -0.224, -0.115`);
      if (!isClassic)
        remarks.push(
          `surface ${i + 1}: gz-sim before its fix of July 2026 forgets Cem0 and Cema (it overwrites them by Cemb beta): the vehicle has no pitch stability there`,
        );
    } else if (s.chord > 0)
      remarks.push(`surface ${i + 1}: Gazebo drops the pitching moment of plain surfaces`);
    lines.push("    </plugin>");
  });
  lines.push("  </model>", "</sdf>", "");
  for (const name of ["drag1", "drag2", "CdA"] as const)
    if (p[name].x !== 0 || p[name].y !== 0 || p[name].z !== 0) remarks.push(`${name} is left out`);
  if (p.battery)
    remarks.push("the battery and the electric motors are left out: speeds follow commands there");
  return { text: lines.join("\n"), remarks };
}

/** Elements xx, xy, xz, yy, yz, zz (forward-left-up) of the body alone, about its own centre of mass. */
function bodyInertia(
  p: AircraftParameters,
  places: readonly Vec3[],
  linkMass: number,
  linkInertia: number,
  mass: number,
  centre: Vec3,
): number[] {
  const points = [
    ...places.map((c) => ({ ...c, m: linkMass, own: linkInertia })),
    { ...centre, m: mass, own: 0 },
  ];
  const sum = (f: (c: { x: number; y: number; z: number; m: number; own: number }) => number) =>
    points.reduce((s, c) => s + f(c), 0);
  return [
    p.I.xx - sum((c) => c.own + c.m * (c.y * c.y + c.z * c.z)),
    -(p.I.xy + sum((c) => c.m * c.x * c.y)),
    -(p.I.xz + sum((c) => c.m * c.x * c.z)),
    p.I.yy - sum((c) => c.own + c.m * (c.x * c.x + c.z * c.z)),
    p.I.yz + sum((c) => c.m * c.y * c.z),
    p.I.zz - sum((c) => c.own + c.m * (c.x * c.x + c.y * c.y)),
  ];
}
