/** Performance figures of a steady motion. */
import { asin, atan2, hypot } from "../math/elementary.ts";
import { toBody } from "../math/quaternion.ts";
import { indexOf } from "../model/model.ts";
import { Q_W, V_NORTH } from "../vehicles/rigid-body.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { Quantity } from "../vehicles/vehicle-type.ts";
import { isRigidBody } from "./motion.ts";
import type { Trimmed } from "./trim.ts";

const quantity = (name: string, value: number, unit: string, meaning: string): Quantity => ({
  name,
  value,
  unit,
  meaning,
});

export function flightNumbers(vehicle: Vehicle, found: Trimmed): Quantity[] {
  return isRigidBody(vehicle.model) ? inFlight(vehicle, found) : inPlane(found);
}

function inFlight(vehicle: Vehicle, found: Trimmed): Quantity[] {
  const { model, parameters } = vehicle;
  const { x, motion, outputs } = found;
  const { v_forward, v_right, v_down, roll, pitch, turn } = motion;
  const body = new Float64Array(3);
  toBody(x, Q_W, x, V_NORTH, body, 0);
  const ground = hypot(v_forward, v_right);
  const airspeed = hypot(ground, v_down);
  const felt = Math.sqrt(
    ["x", "y", "z"].reduce(
      (sum, a) => sum + outputs[`specific_force_${a}`] * outputs[`specific_force_${a}`],
      0,
    ),
  );
  const { g } = parameters as { g: number };
  const margin = stallMargin(vehicle, found);
  const isMoving = airspeed > 1e-9;
  return [
    quantity("airspeed", airspeed, "m/s", "airspeed"),
    quantity("horizontal_speed", ground, "m/s", "horizontal speed"),
    quantity("sink", v_down, "m/s", "sink"),
    quantity("climb", -v_down, "m/s", "climb"),
    ...(v_down > 1e-9 && ground > 1e-9 ? [quantity("glide", ground / v_down, "1", "glide ratio")] : []),
    ...(isMoving
      ? [
          quantity("alpha", atan2(body[2], body[0]), "rad", "angle of attack"),
          quantity(
            "beta",
            asin(Math.max(-1, Math.min(1, body[1] / airspeed))),
            "rad",
            "sideslip, flow from the right positive",
          ),
        ]
      : []),
    quantity("roll", roll, "rad", "bank"),
    quantity("pitch", pitch, "rad", "pitch"),
    quantity("turn", turn, "rad/s", "rate of turn, to the right"),
    ...(Math.abs(turn) > 1e-9 && ground > SLOWEST
      ? [quantity("radius", ground / Math.abs(turn), "m", "radius of the turn")]
      : []),
    quantity("load_factor", felt / g, "1", "load factor"),
    ...(!Number.isFinite(margin) || airspeed < SLOWEST
      ? []
      : [quantity("stall_margin", margin, "rad", "angle of attack left to the stall")]),
    ...(isMoving ? (vehicle.type.flightNumbers?.(vehicle, atan2(body[2], body[0])) ?? []) : []),
    ...(indexOf(model.outputs, "power") >= 0
      ? [quantity("power", outputs.power, "W", "power at the rotor shafts")]
      : []),
  ];
}

/** Below this speed the angle of attack is not evaluated for stall [m/s]. */
const SLOWEST = 0.5;

/** Angle of attack left to the stall [rad]; infinite where nothing stalls. */
export function stallMargin({ model, parameters }: Vehicle, { x, outputs }: Trimmed): number {
  const y = Float64Array.from(model.outputs, (f) => outputs[f.name]);
  return model.stallMargin?.(x, parameters, y) ?? Number.POSITIVE_INFINITY;
}

/** Outputs that only some vehicles have. */
const ofOutputs = ({ understeer, lifted_wheels }: Trimmed["outputs"]): Quantity[] =>
  understeer === undefined
    ? []
    : [
        quantity("understeer", understeer, "rad", "steering angle beyond that of slip-free cornering"),
        quantity("lifted_wheels", lifted_wheels, "1", "wheels off the ground"),
      ];

function inPlane({ motion, outputs }: Trimmed): Quantity[] {
  const { v_x, v_y, turn } = motion;
  const speed = hypot(v_x, v_y);
  return [
    quantity("speed", speed, "m/s", "speed"),
    quantity("lateral", v_x * turn, "m/s^2", "acceleration to the left"),
    ...(Math.abs(turn) > 1e-9
      ? [quantity("radius", speed / Math.abs(turn), "m", "radius of the circle")]
      : []),
    quantity("turn", turn, "rad/s", "yaw rate, to the left"),
    quantity("beta", outputs.beta ?? atan2(v_y, v_x), "rad", "sideslip angle"),
    ...ofOutputs(outputs),
  ];
}
