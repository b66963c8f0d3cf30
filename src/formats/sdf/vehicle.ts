/** A vehicle file from an SDF model: frames turned from forward-left-up to forward-right-down about the centre of mass. */
import { InputError } from "../../model/input-error.ts";
import type { WrittenVehicle } from "../vehicle-yaml.ts";
import { child, childrenOf, limitIn, numberIn, type XmlElement } from "../xml.ts";
import { bladesOf, spins } from "./blades.ts";
import { baseOf, bodyOf, connected } from "./body.ts";
import { contactsOf, feetOf } from "./contacts.ts";
import { add, minus, multiply, type Rotation, readPose, rotate, type Triple, transpose } from "./frames.ts";
import { jointAxis, type Link, type Plugin, type Remark, type SdfModel } from "./model.ts";
import {
  ADVANCED_TAGS,
  advancedTags,
  controlTags,
  isObserver,
  kindOf,
  MOTOR_TAGS,
  motorTags,
  needed,
  PLAIN_TAGS,
  plainTags,
  type SurfaceTags,
  strayTags,
  textIn,
} from "./plugins.ts";

export interface SdfVehicle {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly initial: Readonly<Record<string, unknown>>;
  readonly remarks: readonly Remark[];
}

/** As a vehicle file has it. */
export const sdfSpec = ({ name, labels, parameters, initial }: SdfVehicle): WrittenVehicle => ({
  model: "aircraft",
  description: `${name}, from Gazebo`,
  source: `SDF model ${name}`,
  labels,
  parameters,
  initial,
});

/** Forward-left-up to forward-right-down; ArduPilot's plugin says where its models have other axes. */
const TURN: Rotation = [1, 0, 0, 0, -1, 0, 0, 0, -1];

const clean = (v: Triple): number[] => v.map((x) => (Math.abs(x) < 1e-9 ? 0 : x));

export function vehicleFromSdf(model: SdfModel, file: string): SdfVehicle {
  const remarks: Remark[] = [...model.remarks];
  const say = (e: XmlElement, sentence: string) => {
    remarks.push({ file: e.file, line: e.line, sentence });
  };
  const kinds = model.plugins.map((plugin) => ({ plugin, ...kindOf(plugin) }));
  const of = (kind: string) => kinds.filter((p) => p.kind === kind);
  const observers = model.plugins.filter(isObserver);
  if (observers.length > 0)
    say(
      observers[0].element,
      `${observers.length} plugins that only measure or transmit are left out: ${observers.map((o) => o.filename).join(", ")}`,
    );
  for (const { plugin, kind } of kinds)
    if (kind === undefined && !isObserver(plugin))
      say(
        plugin.element,
        `plugin ${plugin.filename || "(no filename)"} is not understood here, and left out`,
      );

  const base = baseOf(model, file);
  const links = connected(model, base, remarks);
  const body = bodyOf(links, file);
  const frame = turnOf(of("ardupilot").map(({ plugin }) => plugin.element));
  const inBody = (v: Triple) => rotate(frame, v);
  const place = (v: Triple) => clean(inBody(minus(v, body.centre)));
  const I = multiply(multiply(frame, body.inertia), transpose(frame));

  const linkOf = (plugin: Plugin, tag: string): Link | undefined => {
    const name = needed(plugin.element, tag);
    const link = links.find((l) => l.name === plugin.scope + name || l.name === name.replaceAll("/", "::"));
    if (link === undefined)
      say(plugin.element, `there is no link "${name}": this plugin acts on nothing and is left out`);
    return link;
  };
  const joint = (name: string, scope = "") =>
    model.joints.find((j) => j.name === scope + name || j.name === name);

  // Servos, in the order in which surfaces first name their joints.
  const servos: { name: string; numbers: Record<string, number> }[] = [];
  const servoOf = (name: string, plugin: Plugin): number => {
    const known = servos.findIndex((s) => s.name === name);
    if (known >= 0) return known + 1;
    const found = joint(name, plugin.scope);
    if (found === undefined)
      say(plugin.element, `there is no joint "${name}": the surface is controlled by a servo without limits`);
    servos.push({ name, numbers: found ? servoNumbers(found.element, name) : { min: -1.5, max: 1.5 } });
    return servos.length;
  };
  const servoNumbers = (element: XmlElement, name: string): Record<string, number> => {
    const axis = child(element, "axis");
    const limit = axis && child(axis, "limit");
    const dynamics = axis && child(axis, "dynamics");
    const [lower, upper] = [limit && limitIn(limit, "lower"), limit && limitIn(limit, "upper")];
    const damping = dynamics ? (numberIn(dynamics, "damping") ?? 0) : 0;
    const gain = gainOf(name);
    // A proportional controller against the joint's damping is a lag.
    const tau = gain !== undefined && gain > 0 ? damping / gain : 0;
    return {
      min: Math.max(-3.2, lower ?? -1.5),
      max: Math.min(3.2, upper ?? 1.5),
      ...(tau > 0 ? { tau } : {}),
    };
  };
  const gainOf = (name: string): number | undefined => {
    for (const { plugin } of of("joint-controller"))
      if (textIn(plugin.element, "joint_name") === name) return numberIn(plugin.element, "p_gain") ?? 1;
    for (const { plugin } of of("channels"))
      for (const channel of childrenOf(
        child(plugin.element, "control_channels") ?? plugin.element,
        "channel",
      ))
        if (textIn(channel, "joint_name") === name && textIn(channel, "joint_control_type") === "position")
          return numberIn(child(channel, "joint_control_pid") ?? channel, "p");
    return undefined;
  };

  let rho: number | undefined;
  const surfaceOf = (
    link: Link,
    { numbers, point, forward, upward, density }: SurfaceTags,
    e: XmlElement,
    from: Triple = link.pose.position,
  ) => {
    const tilt = Math.abs(forward[0] * upward[0] + forward[1] * upward[1] + forward[2] * upward[2]);
    if (tilt > 1e-3)
      say(e, "<upward> is not across <forward>: the part across is taken, in Gazebo it is used as it is");
    rho ??= density;
    if (density !== rho)
      say(
        e,
        `its air density ${density} differs from the first one's ${rho}, which holds for the whole vehicle`,
      );
    return {
      position: place(add(from, rotate(link.pose.rotation, point))),
      forward: clean(inBody(rotate(link.pose.rotation, forward))),
      upward: clean(inBody(rotate(link.pose.rotation, upward))),
      ...numbers,
    };
  };

  const controlsOf = (plugin: Plugin) => {
    const controls = controlTags(plugin.element);
    if (controls.length === 0) return {};
    return {
      controls: controls.map(({ joint: name, numbers }) => ({ servo: servoOf(name, plugin), ...numbers })),
    };
  };
  for (const { plugin } of of("joint-force"))
    say(plugin.element, `the force on joint ${textIn(plugin.element, "joint_name") ?? "(none)"} is not read`);
  for (const { type, name, element, parent, child: inner } of model.joints) {
    if (parent === "world" || inner === "world")
      say(element, `joint ${name} holds it to the world in Gazebo: here it is free`);
    if (
      !/^(fixed|revolute|continuous|revolute2|prismatic)$/.test(type) ||
      type === "prismatic" ||
      type === "revolute2"
    )
      say(
        element,
        `joint ${name} is of type ${type || "(none)"}: its parts are taken as fixed to each other`,
      );
  }
  const spinning = new Set(model.joints.filter(spins).map((j) => j.child));
  const surfaces: Record<string, unknown>[] = [];
  const blades = new Map<Link, XmlElement[]>();
  for (const { plugin, kind, isClassic } of kinds) {
    if (kind !== "advanced" && kind !== "plain") continue;
    const link = linkOf(plugin, "link_name");
    if (link === undefined) continue;
    const e = plugin.element;
    remarks.push(...strayTags(plugin, kind, kind === "advanced" ? ADVANCED_TAGS : PLAIN_TAGS));
    if (kind === "plain" && spinning.has(link.name)) blades.set(link, [...(blades.get(link) ?? []), e]);
    else if (kind === "plain") {
      const control = textIn(e, "control_joint_name");
      const moving = model.joints.find((j) => j.child === link.name && j.type === "revolute");
      if (moving)
        say(
          e,
          `link ${link.name} turns about joint ${moving.name} in Gazebo, its surface with it: here it stands still`,
        );
      if (child(e, "area") === undefined) say(e, "<area> is missing: Gazebo takes 1 m^2");
      surfaces.push({
        law: "lift-drag",
        // Gazebo classic counts cp from the link's centre of mass, gz from its origin.
        ...surfaceOf(link, plainTags(e), e, isClassic ? link.inertial?.pose.position : undefined),
        ...(control === undefined ? {} : { servo: servoOf(control, plugin) }),
      });
    } else
      surfaces.push({
        ...surfaceOf(link, advancedTags(e, isClassic === true), e),
        ...controlsOf(plugin),
      });
  }

  // Motors thrust along their link's z axis, whatever the joint's axis is.
  interface Rotor {
    number: number;
    link: Link;
    words: Record<string, unknown>;
  }
  const rotors: Rotor[] = of("motor").flatMap(({ plugin, isClassic }): Rotor[] => {
    const e = plugin.element;
    const link = linkOf(plugin, "linkName");
    if (link === undefined) return [];
    remarks.push(...strayTags(plugin, "motor", MOTOR_TAGS));
    const axis = rotate(link.pose.rotation, [0, 0, 1]);
    const own = joint(needed(e, "jointName"), plugin.scope);
    const turning = own && jointAxis(own, link.pose);
    if (own === undefined) say(e, `there is no joint "${textIn(e, "jointName")}"`);
    if (turning && Math.abs(turning[0] * axis[0] + turning[1] * axis[1] + turning[2] * axis[2]) < 0.99)
      say(e, `its joint turns about another axis than the link's z, along which Gazebo thrusts: z is taken`);
    const kind = textIn(e, "motorType") ?? "velocity";
    if (kind !== "velocity") say(e, `motorType ${kind} is not known here: it is driven by speed`);
    const number = numberIn(e, "motorNumber") ?? numberIn(e, "actuator_number") ?? 0;
    return [
      {
        number,
        link,
        words: {
          ...(isClassic ? {} : { law: "gz" }),
          position: place(link.pose.position),
          axis: clean(inBody(axis)),
          ...motorTags(e),
          ...radiusOf(link),
        },
      },
    ];
  });
  for (const [link, plugins] of blades) {
    const made = bladesOf(
      link,
      plugins,
      topOf(
        of("ardupilot").map((p) => p.plugin.element),
        model,
        link,
      ),
    );
    if (!((made.numbers.motorConstant as number) > 0)) {
      say(
        plugins[0],
        `link ${link.name} turns, but its surfaces make no thrust by that: they are taken as fixed`,
      );
      for (const e of plugins) surfaces.push({ law: "lift-drag", ...surfaceOf(link, plainTags(e), e) });
      continue;
    }
    say(
      plugins[0],
      `its ${plugins.length} blades on the spinning link ${link.name} became one rotor (static thrust and torque)`,
    );
    rotors.push({
      number: rotors.length,
      link,
      words: {
        position: place(link.pose.position),
        axis: clean(inBody(made.axis)),
        ...made.numbers,
        ...radiusOf(link),
      },
    });
  }
  rotors.sort((a, b) => a.number - b.number);

  if (rotors.length === 0 && surfaces.length === 0)
    throw new InputError("has no motor and no lift-drag plugin: nothing makes it fly", {
      file,
      allowed: "a vehicle; the table in docs/gazebo.md names the plugins",
    });
  const contacts = contactsOf(
    feetOf(links, model.joints, new Set(rotors.map((r) => r.link.name)), remarks),
    place,
    body.mass,
    [I[0], I[4], I[8]],
  );
  const depth = contacts.length > 0 ? Math.max(...contacts.map((c) => c.position[2] + (c.radius ?? 0))) : 0;
  const tensor = { xx: I[0], yy: I[4], zz: I[8], xy: I[1], xz: I[2], yz: I[5] };
  const significant = Object.fromEntries(
    Object.entries(tensor).filter(([k, v]) => k[0] === k[1] || Math.abs(v) > 1e-12 * I[0]),
  );
  return {
    name: model.name,
    parameters: {
      m: body.mass,
      I: significant,
      ...(rho === undefined ? {} : { rho }),
      ...(rotors.length > 0 ? { rotors: rotors.map((r) => r.words) } : {}),
      ...(surfaces.length > 0 ? { surfaces } : {}),
      ...(servos.length > 0 ? { servos: servos.map((s) => s.numbers) } : {}),
      ...(contacts.length > 0 ? { contacts } : {}),
    },
    labels: Object.fromEntries([
      ...rotors.map((r, i) => [`rotor_${i + 1}`, r.link.name]),
      ...servos.map((s, i) => [`servo_${i + 1}`, s.name]),
    ]),
    // Where it stands with its springs unloaded.
    initial: { altitude: contacts.length > 0 ? Math.max(depth, 0) : 10 },
    remarks,
  };
}

/** Disc radius from the rotor's collision cylinder. */
function radiusOf(link: Link): { radius?: number } {
  for (const collision of childrenOf(link.element, "collision")) {
    const cylinder = child(child(collision, "geometry"), "cylinder");
    const radius = cylinder && numberIn(cylinder, "radius");
    if (radius) return { radius };
  }
  return {};
}

function turnOf(plugins: readonly XmlElement[]): Rotation {
  const tag = plugins.flatMap((e) => child(e, "modelXYZToAirplaneXForwardZDown") ?? [])[0];
  if (tag === undefined) return TURN;
  const { pose } = readPose({ ...tag, children: [{ ...tag, name: "pose" }] });
  return pose.rotation.map((x) => (Math.abs(x) < 1e-9 ? 0 : x));
}

/** Fastest speed that ArduPilot's plugin commands a link's joint. */
function topOf(plugins: readonly XmlElement[], model: SdfModel, link: Link): number {
  const own = model.joints.find((j) => j.child === link.name);
  for (const e of plugins)
    for (const control of childrenOf(e, "control"))
      if (own && textIn(control, "jointName") === own.name)
        return Math.abs(numberIn(control, "multiplier") ?? 838);
  return 838;
}
