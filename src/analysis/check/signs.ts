/** Signs of the stability derivatives: damping, and static stability in pitch, yaw and roll. */
import { stillAir } from "../../environment/environment.ts";
import { fromEuler } from "../../math/quaternion.ts";
import { indexOf } from "../../model/model.ts";
import { isInPlane, V_X } from "../../vehicles/plane.ts";
import { DOWN, Q_W, V_NORTH } from "../../vehicles/rigid-body.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { usualSpeed } from "../../vehicles/vehicle.ts";
import { coordinatesOf } from "../coordinates.ts";
import { isRigidBody } from "../motion.ts";
import { findTrim } from "../trim-search.ts";
import { type Finding, finding, shown } from "./finding.ts";

interface Sign {
  /** The rate of `of` over `by` has this sign where all is well. */
  readonly of: string;
  readonly by: string;
  readonly sign: 1 | -1;
  /** A damping derivative must not change its sign; a stiffness may: the vehicle is then statically unstable, perhaps on purpose. */
  readonly isDamping: boolean;
  readonly well: string;
  readonly ill: string;
}

const FLIGHT: readonly Sign[] = [
  {
    of: "q",
    by: "w",
    sign: -1,
    isDamping: false,
    well: "more angle of attack pushes the nose down (Cma < 0): stable in pitch",
    ill: "more angle of attack pulls the nose up (Cma > 0): unstable in pitch",
  },
  {
    of: "r",
    by: "v",
    sign: 1,
    isDamping: false,
    well: "flow from the right turns the nose right (Cnb > 0): it weathercocks",
    ill: "flow from the right turns the nose left (Cnb < 0): it does not weathercock",
  },
  {
    of: "p",
    by: "v",
    sign: -1,
    isDamping: false,
    well: "flow from the right rolls it left (Clb < 0): dihedral effect",
    ill: "flow from the right rolls it right (Clb > 0): no dihedral effect",
  },
];
const DAMPINGS: readonly Sign[] = [
  ["u", "speed forward is damped"],
  ["v", "speed sideways is damped"],
  ["w", "speed downward is damped"],
  ["p", "roll rate is damped (Clp < 0)"],
  ["q", "pitch rate is damped (Cmq < 0)"],
  ["r", "yaw rate is damped (Cnr < 0)"],
].map(([name, well]) => ({
  of: name,
  by: name,
  sign: -1,
  isDamping: true,
  well,
  ill: `negative damping of ${name}`,
}));
const ROAD: readonly Sign[] = [
  {
    of: "v_x",
    by: "v_x",
    sign: -1,
    isDamping: true,
    well: "speed is damped",
    ill: "speed has negative damping",
  },
  {
    of: "v_y",
    by: "v_y",
    sign: -1,
    isDamping: true,
    well: "tyres oppose sideslip",
    ill: "tyres increase the sideslip",
  },
  {
    of: "omega",
    by: "omega",
    sign: -1,
    isDamping: true,
    well: "tyres damp the yaw rate",
    ill: "tyres give the yaw rate negative damping",
  },
  {
    of: "v_y",
    by: "delta",
    sign: 1,
    isDamping: true,
    well: "steering left pushes left",
    ill: "steering left pushes right",
  },
  {
    of: "omega",
    by: "delta",
    sign: 1,
    isDamping: true,
    well: "steering left turns left",
    ill: "steering left turns right",
  },
];

/** What does not trim is looked at in straight flight, controls at rest. */
function straight(vehicle: Vehicle): { x: Float64Array; u: Float64Array } {
  const { model, parameters } = vehicle;
  const x = new Float64Array(model.states.length);
  const u = Float64Array.from(model.inputs, (f) => f.default ?? 0);
  const speed = usualSpeed(vehicle) || 12;
  if (isRigidBody(model)) {
    fromEuler(0, 0.05, 0, x, Q_W);
    x[DOWN] = -10_000;
  }
  x[isRigidBody(model) ? V_NORTH : V_X] = speed;
  for (const c of model.controls?.(parameters) ?? [])
    for (const name of c.inputs) u[indexOf(model.inputs, name)] = c.neutral;
  model.completeState?.(x, parameters);
  return { x, u };
}

/** About steady flight, cruise where it has wings. */
export function checkSigns(vehicle: Vehicle, accepted: (name: string) => string | undefined): Finding[] {
  const { model, parameters } = vehicle;
  const isBody = isRigidBody(model);
  if (!isBody && !isInPlane(model)) return [];
  const hasWings = model.coordination?.(parameters) === "side force";
  const cruise = hasWings ? { speed: usualSpeed(vehicle) || 15 } : {};
  const trimmed = findTrim(vehicle, isBody ? cruise : { speed: 12, lateral: 0 }, {}, undefined, "quick");
  const found = trimmed.isTrimmed ? trimmed : straight(vehicle);
  const coordinates = coordinatesOf(model);
  const e = stillAir(model);
  const c0 = coordinates.read(found.x);
  const x = found.x.slice();
  const rates = (place: number, d: number) => {
    const c = c0.slice();
    c[place] += d;
    x.set(found.x);
    coordinates.place(c, x);
    const dx = new Float64Array(x.length);
    model.derivative(x, found.u, parameters, e, dx);
    const out = new Float64Array(c.length);
    coordinates.rates(x, dx, out);
    return out;
  };
  const index = (name: string) => coordinates.fields.findIndex((f) => f.name === name);
  const isWinged = hasWings || model.coordination === undefined;
  const list = isBody ? [...(isWinged ? FLIGHT : []), ...DAMPINGS] : ROAD;
  const out = list.flatMap(({ of, by, sign, isDamping, well, ill }): Finding[] => {
    const [i, j] = [index(of), index(by)];
    // What another vehicle in the plane does not have: steering.
    if (i < 0 || j < 0) return [];
    const h = 1e-4 * (coordinates.fields[j].kind === "velocity" ? Math.max(1, usualSpeed(vehicle)) : 1);
    const [low, mid, high] = [-h, 0, h].map((d) => rates(j, d)[i]);
    const slopes = [(high - mid) / h, (mid - low) / h];
    const mean = (slopes[0] + slopes[1]) / 2;
    const guilty = slopes.find((slope) => sign * slope < -1e-6);
    if (guilty === undefined) return Math.abs(mean) < 1e-9 ? [] : [finding("sign", "ok", well)];
    // At a kink one side alone may be ill.
    const isIll = sign * mean < -1e-6;
    const text = `${ill}${isIll ? "" : " on one side"} (d ${of}'/d ${by} = ${shown(isIll ? mean : guilty)})`;
    const reason = accepted(by);
    if (reason) return [finding("sign", "accepted", `${text}: ${reason}`)];
    return [finding("sign", isDamping && isIll ? "wrong" : "note", text)];
  });
  return trimmed.isTrimmed
    ? out
    : [
        finding(
          "sign",
          "note",
          "no trim found, so the signs are those of straight flight with controls at rest (see sideslip trim)",
        ),
        ...out,
      ];
}
