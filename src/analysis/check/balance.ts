/** Laws that hold at every instant: momentum, kinematics, sums of parts, and the model's own balances. */

import { WIND_DOWN, WIND_EAST, WIND_NORTH } from "../../environment/fields.ts";
import { hypot } from "../../math/elementary.ts";
import { pitchOf, rollOf, toBody, yawOf } from "../../math/quaternion.ts";
import { indexOf } from "../../model/model.ts";
import type { Balance } from "../../model/model-checks.ts";
import { DOWN, P_B, Q_B, Q_W, R_B, V_DOWN, V_EAST, V_NORTH } from "../../vehicles/rigid-body.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { isRigidBody } from "../motion.ts";
import { checksOf } from "./checks-of.ts";
import { evaluate } from "./evaluate.ts";
import { type Finding, finding, shown } from "./finding.ts";
import type { Sample } from "./sample.ts";

export function checkBalance(
  vehicle: Vehicle,
  skips: (s: Sample) => boolean,
  samples: readonly Sample[],
): Finding[] {
  const wrong = new Map<string, Finding>();
  for (const s of samples) {
    if (skips(s)) continue;
    for (const broken of brokenLaws(vehicle, s))
      if (!wrong.has(broken.name)) wrong.set(broken.name, reportOf(broken));
  }
  return wrong.size > 0
    ? [...wrong.values()]
    : [finding("balance", "ok", "momentum, kinematics and sums of parts balance")];
}

const reportOf = ({ name, left, right }: Balance) =>
  finding("balance", "wrong", `${name}: ${shown(left)} is not ${shown(right)}`);

/** Laws that do not hold at a state. */
export function brokenLaws(vehicle: Vehicle, s: Sample): Balance[] {
  const { model, parameters } = vehicle;
  const { dx, y } = evaluate(model, parameters, s);
  const laws = [
    ...(isRigidBody(model) ? bodyLaws(vehicle, s, dx, y) : []),
    ...sums(vehicle, y),
    ...(checksOf(vehicle)?.balances?.(s.x, s.u, parameters as never, s.e, dx, y) ?? []),
  ];
  return laws.filter(
    ({ left, right, size }) =>
      !(Math.abs(left - right) <= 1e-9 * Math.max(size, Math.abs(left), Math.abs(right))),
  );
}

/** Newton, kinematics, and outputs that follow from the state. */
function bodyLaws(
  { model, parameters }: Vehicle,
  { x, e }: Sample,
  dx: Float64Array,
  y: Float64Array,
): Balance[] {
  const { m, g } = parameters as { m: number; g: number };
  const out = (name: string) => y[indexOf(model.outputs, name)];
  const [felt, air] = [new Float64Array(3), new Float64Array(3)];
  const world = Float64Array.of(dx[V_NORTH], dx[V_EAST], dx[V_DOWN] - g);
  toBody(x, Q_W, world, 0, felt, 0);
  toBody(
    x,
    Q_W,
    Float64Array.of(x[V_NORTH] - e[WIND_NORTH], x[V_EAST] - e[WIND_EAST], x[V_DOWN] - e[WIND_DOWN]),
    0,
    air,
    0,
  );
  const [w, a, b, c] = x.subarray(Q_W, P_B);
  const n = w * w + a * a + b * b + c * c;
  // The rates that the quaternion's change means: 2 q* q'.
  const [dw, da, db, dc] = dx.subarray(Q_W, P_B);
  const spin = [
    (2 * (w * da - a * dw - b * dc + c * db)) / n,
    (2 * (w * db - b * dw - c * da + a * dc)) / n,
    (2 * (w * dc - c * dw - a * db + b * da)) / n,
  ];
  const force = Math.max(...["x", "y", "z"].map((i) => Math.abs(out(`force_${i}`))), 1e-6);
  const law = (name: string, left: number, right: number, size = 1): Balance => ({ name, left, right, size });
  return [
    ...["x", "y", "z"].flatMap((axis, i) => [
      law(`mass times acceleration equals force along ${axis}`, m * felt[i], out(`force_${axis}`), force),
      law(
        `specific_force_${axis} equals force over mass`,
        m * out(`specific_force_${axis}`),
        out(`force_${axis}`),
        force,
      ),
      law(`rate of position equals velocity (${["north", "east", "down"][i]})`, dx[i], x[3 + i]),
      law(`rate of attitude equals ${"pqr"[i]}`, spin[i], x[10 + i]),
    ]),
    law("airspeed", out("airspeed"), hypot(hypot(air[0], air[1]), air[2])),
    law("horizontal_speed", out("horizontal_speed"), hypot(x[V_NORTH], x[V_EAST])),
    law("sink", out("sink"), x[V_DOWN]),
    law("altitude", out("altitude"), -x[DOWN]),
    law("roll", out("roll"), rollOf(w, a, b, c)),
    law("pitch", out("pitch"), pitchOf(w, a, b, c)),
    law("yaw", out("yaw"), yawOf(w, a, b, c)),
    ...(indexOf(model.outputs, "turn_rate") >= 0
      ? [
          law(
            "turn_rate",
            out("turn_rate"),
            2 * (a * c - w * b) * x[P_B] + 2 * (b * c + w * a) * x[Q_B] + (1 - 2 * (a * a + b * b)) * x[R_B],
          ),
        ]
      : []),
  ];
}

/** Parts add up to their whole. */
function sums({ model: { outputs } }: Vehicle, y: Float64Array): Balance[] {
  const laws = new Map<string, { left: number; size: number }>();
  outputs.forEach(({ parent }, i) => {
    if (parent === undefined) return;
    const { left, size } = laws.get(parent) ?? { left: 0, size: 1e-9 };
    laws.set(parent, { left: left + y[i], size: size + Math.abs(y[i]) });
  });
  return [...laws].map(([parent, law]) => ({
    name: `the parts of ${parent} add up`,
    right: y[indexOf(outputs, parent)],
    ...law,
  }));
}
