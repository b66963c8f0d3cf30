/** What each rotor of an aircraft can do for its controller: thrust for speed, moment for thrust, and the command that gets it. */
import { openCircuitVoltage } from "../../../parts/battery.ts";
import { limitedDuty } from "../../../parts/motor.ts";
import { coefficient } from "../../../parts/propeller.ts";
import { fullSpeed, gazeboConstants } from "../../../parts/propeller-constants.ts";
import { LAWS } from "../../../parts/rotor.ts";
import type { AircraftParameters, AircraftRotor } from "../../../vehicles/aircraft/parameters.ts";

export interface RotorEffect {
  /** Static thrust over speed squared [kg m]. */
  readonly constant: number;
  /** Largest static thrust [N]. */
  readonly strongest: number;
  /** Moments about the body axes and force upward, all over thrust. */
  readonly column: readonly [number, number, number, number];
  /** Rotor inertia over the slope of its drag torque, times the speed: how long inertia outweighs drag in yaw [1]. */
  readonly spinUp: number;
  /** Time in which thrust follows a command [s]. */
  readonly lag: number;
  /** The command for a thrust, given the rotor's speed and the battery's charge used. */
  command(thrust: number, omega: number, used: number): number;
}

/** Thrust and drag torque over speed squared, at rest in the air. */
function statics(p: AircraftParameters, rotor: AircraftRotor): { k: number; q: number } {
  if (rotor.law !== LAWS.propeller)
    return { k: rotor.motorConstant * rotor.installation, q: rotor.motorConstant * rotor.momentConstant };
  const { propeller } = rotor;
  const still = {
    CT: coefficient(propeller, propeller.tableCT, 0),
    CP: coefficient(propeller, propeller.tableCP, 0),
  };
  const { motorConstant, momentConstant } = gazeboConstants(still, propeller.diameter, p.rho);
  return { k: motorConstant * rotor.installation, q: motorConstant * momentConstant };
}

/** `interval` is the time between commands [s]. */
export function rotorEffects(p: AircraftParameters, interval: number): RotorEffect[] {
  return Object.values(p.rotors ?? {}).map((rotor) => {
    const { x: rx, y: ry, z: rz } = rotor.position;
    const { x: ax, y: ay, z: az } = rotor.axis;
    const { k, q } = statics(p, rotor);
    const swirl = (-rotor.direction * q * rotor.installation) / k;
    const column = [
      ry * az - rz * ay + swirl * ax,
      rz * ax - rx * az + swirl * ay,
      rx * ay - ry * ax + swirl * az,
      -az,
    ] as const;
    const spinUp = q > 0 ? rotor.inertia / (2 * q) : 0;
    const speedFor = (thrust: number) => Math.sqrt(Math.max(0, thrust) / k);
    if (p.battery === undefined)
      return {
        constant: k,
        strongest: k * rotor.maxRotVelocity * rotor.maxRotVelocity,
        column,
        spinUp,
        lag: 0.5 * (rotor.timeConstantUp + rotor.timeConstantDown),
        command: speedFor,
      };
    // A speed regulator: the duty that holds the speed, plus what closes the gap within its lag.
    const { R, K, D } = rotor.motor;
    const lag = Math.max(0.03, 2 * interval);
    const top = fullSpeed(K, openCircuitVoltage(p.battery, 0), R, q, D);
    return {
      constant: k,
      strongest: k * top * top,
      column,
      spinUp,
      lag,
      command(thrust, omega, used) {
        const wanted = speedFor(thrust);
        const holding = K * wanted + (R * (q * wanted * wanted + D * wanted)) / K;
        const closing = (rotor.inertia * R * (wanted - omega)) / (K * lag);
        return limitedDuty((holding + closing) / Math.max(1e-3, openCircuitVoltage(p.battery, used)));
      },
    };
  });
}
