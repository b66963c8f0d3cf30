/** An SDF model's links, joints and plugins, with poses in the model's frame, includes and nested models opened. */
import { InputError } from "../../model/input-error.ts";
import { child, childrenOf, flagIn, numberIn, numbersIn, parseXml, type XmlElement } from "../xml.ts";
import { compose, ORIGIN, type Pose, type Rotation, readPose, rotate, type Triple } from "./frames.ts";

export interface Inertial {
  readonly mass: number;
  /** Centre of mass and axes of the inertia, in the model's frame. */
  readonly pose: Pose;
  /** Tensor about the centre of mass, in its own axes, row by row. */
  readonly inertia: Rotation;
}
export interface Link {
  readonly name: string;
  readonly pose: Pose;
  readonly inertial?: Inertial;
  readonly element: XmlElement;
}
export interface Joint {
  readonly name: string;
  readonly type: string;
  readonly parent: string;
  readonly child: string;
  readonly element: XmlElement;
}
export interface Plugin {
  readonly filename: string;
  /** Prefix of the links that it means, where it stands in a nested or included model. */
  readonly scope: string;
  readonly element: XmlElement;
}
/** What was not understood, or is missing, and where. */
export interface Remark {
  readonly file: string;
  readonly line: number;
  readonly sentence: string;
}
export interface SdfModel {
  readonly name: string;
  readonly links: readonly Link[];
  readonly joints: readonly Joint[];
  readonly plugins: readonly Plugin[];
  readonly remarks: readonly Remark[];
}

/** Finds the file behind `model://name`, where it is allowed to look; undefined where there is none. */
export type Resolve = (uri: string) => { readonly text: string; readonly file: string } | undefined;

const MOST_INCLUDES = 50;
const MOST_PARTS = 1000;
const DEEPEST_FRAMES = 200;
const FRAME_FREE = new Set(["", "__model__", "world"]);

/** Poses of links, joints and frames by name, each relative to whatever it says. */
function framesOf(
  model: XmlElement,
  origin: Pose,
  complain: (e: XmlElement, name: string) => void,
): (name: string) => Pose {
  const elements = new Map(
    model.children
      .filter((c) => ["link", "joint", "frame"].includes(c.name))
      .map((c) => [c.attributes.name ?? "", c]),
  );
  const found = new Map<string, Pose>();
  const pending = new Set<string>();
  const poseOf = (name: string): Pose => {
    const known = found.get(name);
    if (known) return known;
    const e = elements.get(name) as XmlElement;
    if (pending.size > DEEPEST_FRAMES)
      throw new InputError("poses relative to poses: the chain is too long", {
        file: e.file,
        line: e.line,
        allowed: `up to ${DEEPEST_FRAMES}`,
      });
    if (pending.has(name))
      throw new InputError(`the pose of "${name}" depends on itself`, { file: e.file, line: e.line });
    pending.add(name);
    const { pose, relativeTo } = readPose(e);
    // A joint is where its child is, unless it says otherwise.
    const base =
      relativeTo ?? (e.name === "joint" ? child(e, "child")?.text : e.attributes.attached_to) ?? "";
    if (!FRAME_FREE.has(base) && !elements.has(base) && relativeTo !== undefined) complain(e, base);
    const result = compose(elements.has(base) ? poseOf(base) : origin, pose);
    found.set(name, result);
    pending.delete(name);
    return result;
  };
  return poseOf;
}

export function readSdf(text: string, file: string, resolve: Resolve = () => undefined): SdfModel {
  if (/\{\{|\{%|<xacro:/.test(text))
    throw new InputError("is a template (jinja or xacro)", {
      file,
      allowed: "the SDF that rendering it makes (for PX4: Tools/.../jinja_gen.py)",
    });
  if (!/^\uFEFF?\s*</.test(text))
    throw new InputError("is not an SDF file", { file, line: 1, allowed: "XML that begins with <sdf>" });
  const root = parseXml(text, file);
  if (root.name !== "sdf")
    throw new InputError(`begins with <${root.name}>`, { file, line: root.line, allowed: "<sdf>" });
  const links: Link[] = [];
  const joints: Joint[] = [];
  const plugins: Plugin[] = [];
  const remarks: Remark[] = [];
  let includes = 0;
  const remark = (e: XmlElement, sentence: string) => remarks.push({ file: e.file, line: e.line, sentence });

  function inertialOf(e: XmlElement, name: string, link: Pose): Inertial | undefined {
    const block = child(e, "inertial");
    if (block === undefined) {
      remark(e, `link ${name} has no <inertial>; Gazebo gives it 1 kg, here it has no mass`);
      return undefined;
    }
    const mass = numberIn(block, "mass") ?? 1;
    const wrong = (field: string, problem: string, allowed: string) =>
      new InputError(`link ${name}: ${problem}`, { file: block.file, line: block.line, field, allowed });
    if (!(mass > 0)) throw wrong("mass", `a mass of ${mass} kg`, "> 0 kg");
    const tensor = child(block, "inertia");
    const get = (k: string, otherwise: number) => (tensor ? (numberIn(tensor, k) ?? otherwise) : otherwise);
    const [xx, yy, zz] = [get("ixx", 1), get("iyy", 1), get("izz", 1)];
    const [xy, xz, yz] = [get("ixy", 0), get("ixz", 0), get("iyz", 0)];
    if (!(xx > 0 && yy > 0 && zz > 0))
      throw wrong("inertia", `moments of inertia ${xx}, ${yy}, ${zz}`, "all above 0 kg m^2");
    return {
      mass,
      pose: compose(link, readPose(block).pose),
      inertia: [xx, xy, xz, xy, yy, yz, xz, yz, zz],
    };
  }

  /** Reads a model's content into the lists; `scope` is the prefix of its names. */
  function open(model: XmlElement, scope: string, frame: Pose): void {
    const frames = framesOf(model, frame, (e, name) => {
      remark(e, `its pose is relative to "${name}", which is not read here: the model's frame is taken`);
    });
    if (links.length + joints.length + model.children.length > MOST_PARTS)
      throw new InputError("has too many links, joints and plugins", {
        file: model.file,
        line: model.line,
        allowed: `up to ${MOST_PARTS}`,
      });
    if (flagIn(model, "static") === true) remark(model, "it is static in Gazebo: here it can move");
    if (model.attributes.placement_frame) remark(model, "its placement_frame is not read");
    for (const e of childrenOf(model, "link")) {
      const name = e.attributes.name ?? "";
      const pose = frames(name);
      if (links.some((l) => l.name === scope + name))
        throw new InputError(`a second link "${name}"`, { file: e.file, line: e.line, field: "link" });
      links.push({ name: scope + name, pose, inertial: inertialOf(e, name, pose), element: e });
    }
    for (const e of childrenOf(model, "joint"))
      joints.push({
        name: scope + (e.attributes.name ?? ""),
        type: e.attributes.type ?? "",
        parent: scope + (child(e, "parent")?.text ?? ""),
        child: scope + (child(e, "child")?.text ?? ""),
        element: e,
      });
    for (const e of childrenOf(model, "plugin"))
      plugins.push({ filename: e.attributes.filename ?? "", scope, element: e });
    for (const e of [...childrenOf(model, "model"), ...childrenOf(model, "include")])
      if (readPose(e).relativeTo !== undefined)
        remark(e, "its pose is relative to another frame, which is not read: the model's frame is taken");
    for (const e of childrenOf(model, "model"))
      open(e, `${scope}${e.attributes.name ?? ""}::`, compose(frame, readPose(e).pose));
    for (const e of childrenOf(model, "include")) include(e, scope, frame);
  }

  function include(e: XmlElement, scope: string, frame: Pose): void {
    if (++includes > MOST_INCLUDES)
      throw new InputError("includes too many models, or itself", {
        file: e.file,
        line: e.line,
        allowed: `up to ${MOST_INCLUDES}`,
      });
    const uri = child(e, "uri")?.text ?? "";
    const found = resolve(uri);
    for (const plugin of childrenOf(e, "plugin"))
      plugins.push({ filename: plugin.attributes.filename ?? "", scope, element: plugin });
    if (found === undefined) {
      remark(
        e,
        /^https?:/.test(uri)
          ? `${uri} is on the network, from which nothing is read: its links are missing`
          : `${uri} is not beside this model: its links are missing`,
      );
      return;
    }
    const inner = child(parseXml(found.text, found.file), "model");
    if (inner === undefined)
      throw new InputError("holds no <model>", { file: found.file, allowed: "<sdf> with a <model>" });
    const name = child(e, "name")?.text || inner.attributes.name || "";
    const isMerged = e.attributes.merge === "true";
    const { pose } = readPose(e);
    const own = readPose(inner).pose;
    open(
      inner,
      isMerged ? scope : `${scope}${name}::`,
      compose(frame, child(e, "pose") ? pose : isMerged ? ORIGIN : own),
    );
  }

  const world = child(root, "world");
  const model =
    child(root, "model") ??
    (world ? childrenOf(world, "model").find((m) => child(m, "static")?.text !== "true") : undefined) ??
    (world && child(world, "include") ? world : undefined);
  if (model === undefined)
    throw new InputError("holds no <model>", { file, line: root.line, allowed: "<sdf> with a <model>" });
  const others = [...childrenOf(root, "model"), ...(world ? childrenOf(world, "model") : [])].filter(
    (m) => m !== model && child(m, "static")?.text !== "true",
  );
  for (const m of others) remark(m, `a second model, "${m.attributes.name}", is left out`);
  if (world && model !== world) remark(world, `it is a world; its model "${model.attributes.name}" is taken`);
  open(model === world ? withoutModels(world) : model, "", ORIGIN);
  return { name: model.attributes.name ?? "model", links, joints, plugins, remarks };
}

/** A world whose vehicles are included: its own models are ground and scenery. */
const withoutModels = (world: XmlElement): XmlElement => ({
  ...world,
  children: world.children.filter((c) => c.name === "include"),
});

/** Direction of a joint's axis in the model's frame. */
export function jointAxis({ element }: Joint, child: Pose): Triple | undefined {
  const axis = element.children.find((c) => c.name === "axis");
  const numbers = axis ? numbersIn(axis, "xyz", [3]) : undefined;
  if (numbers === undefined) return undefined;
  const { pose } = readPose(element);
  const inModel = flagIn(axis as XmlElement, "use_parent_model_frame") === true;
  const R = inModel ? ORIGIN.rotation : compose(child, pose).rotation;
  return rotate(R, numbers as unknown as Triple);
}
