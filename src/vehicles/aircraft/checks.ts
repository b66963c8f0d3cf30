import { toBody } from "../../math/quaternion.ts";
import type { Field } from "../../model/field.ts";
import { indexOf, type Model } from "../../model/model.ts";
import type { ModelChecks } from "../../model/model-checks.ts";
import { P_B, Q_W, RIGID_BODY, V_NORTH } from "../rigid-body.ts";
import { mirrorAircraft } from "./mirror.ts";
import type { AircraftParameters } from "./parameters.ts";
import { REFERENCE_CASES } from "./reference-cases.ts";
import { SURFACE_LAWS } from "./surfaces.ts";

const MOMENT = 10;

/** Of an aircraft with these states and outputs. */
export function aircraftChecks(model: Model<AircraftParameters>): ModelChecks<AircraftParameters> {
  const { states, outputs } = model;
  const places = (fields: readonly Field[], pattern: RegExp): number[] =>
    fields.flatMap((f, i) => (pattern.test(f.name) ? [i] : []));
  const rotorSpeeds = places(states, /^rotor_\d+$/);
  const torques = places(outputs, /^torque_\d+$/);
  const powers = places(outputs, /^power_\d+$/);
  const contactLoads = places(outputs, /_contact_/);
  const [power, current] = ["power", "battery_current"].map((name) => indexOf(outputs, name));
  // Behind those of rotors and servos: elastic displacements of contacts, the charge.
  const actuators = places(states, /^(rotor|servo)_\d+$/).length;
  const internal = states.length - RIGID_BODY.length - actuators;
  return {
    domain: { speed: [6, 22], alpha: [-0.5, 0.6], beta: [-0.3, 0.3], rate: 1.5 },
    mirror: (p) => mirrorAircraft(p, internal),
    balances(x, _u, p, _e, dx, y) {
      const { xx, yy, zz, xy, xz, yz } = p.I;
      const [P, Q, R] = x.subarray(P_B, P_B + 3);
      const [a, b, c] = dx.subarray(P_B, P_B + 3);
      const L = [xx * P + xy * Q + xz * R, xy * P + yy * Q + yz * R, xz * P + yz * Q + zz * R];
      const change = [xx * a + xy * b + xz * c, xy * a + yy * b + yz * c, xz * a + yz * b + zz * c];
      const turning = [Q * L[2] - R * L[1], R * L[0] - P * L[2], P * L[1] - Q * L[0]];
      const size = Math.max(1e-3, ...y.slice(MOMENT, MOMENT + 3).map(Math.abs), ...change.map(Math.abs));
      const spin = p.isSpinning === 1;
      const euler = spin
        ? []
        : ["roll", "pitch", "yaw"].map((name, i) => ({
            name: `${name}: inertia times acceleration is moment`,
            left: change[i] + turning[i],
            right: y[MOMENT + i],
            size,
          }));
      const shafts = powers.map((place, k) => {
        const [own, torque] = [y[place], y[torques[k]]];
        return {
          name: `power of rotor ${k + 1} is torque times speed`,
          left: own,
          right: torque * (p.rotors[k + 1].isIdeal === 1 ? own / (torque || 1) : x[rotorSpeeds[k]]),
          size: Math.abs(own) + 1e-9,
        };
      });
      // The last state is the charge; what is drawn is taken.
      const drawn = p.battery
        ? [
            {
              name: "charge taken is current drawn",
              left: dx[dx.length - 1],
              right: y[current],
              size: 1e-6,
            },
          ]
        : [];
      const all = shafts.reduce((sum, { left }) => sum + left, 0);
      return [
        ...euler,
        ...shafts,
        ...drawn,
        { name: "power is that of all rotors", left: y[power], right: all, size: Math.abs(all) + 1e-9 },
      ];
    },
    exceptions: [
      {
        check: "effect",
        fields: /^boundary\./,
        applies: (p) => Object.values(p.rotors ?? {}).every((r) => r.radius === 0),
        reason: "no rotor has a radius, so there is no ground effect",
      },
      {
        check: "effect",
        fields: /^surfaces\.\d+\.law$/,
        reason: "another law needs other parameters",
      },
      {
        check: "passive",
        without: { "surfaces.*.controls.*.CD_ctrl": 0, "surfaces.*.controls.*.CY_ctrl": 0 },
        reason:
          "drag and side force of controls are linear in their angle, as AVL gives them: deflected the other way they push",
      },
      {
        check: "continuous",
        reason: "a plain lift-drag surface acts only while the flow comes from ahead, as in Gazebo",
        outside: (x, _u, p) => {
          if (!p.surfaceList.some((s) => s.law === SURFACE_LAWS["lift-drag"])) return false;
          const body = new Float64Array(3);
          toBody(x, Q_W, x, V_NORTH, body, 0);
          return body[0] < 8;
        },
      },
      {
        check: "units",
        reason:
          "contact friction has fixed constants for vehicles of any size: 2 mm of elastic displacement, 10 ms, 20/s",
        outside: (x, _u, _p, y) =>
          contactLoads.some((i) => y[i] !== 0) || x.subarray(x.length - internal).some((v) => v !== 0),
      },
      {
        check: "sign",
        fields: /^w$/,
        reason:
          "Gazebo's rotors lose thrust with the magnitude of the flow along their axis, so also when the flow comes from the other side",
      },
    ],
    referenceCases: REFERENCE_CASES,
  };
}
