/** Propeller coefficients and Gazebo's motor constants, both ways. C_Q = C_P / 2 pi. */
const TWO_PI = 6.283185307179586;

export interface GazeboConstants {
  /** Thrust over speed squared [kg m]. */
  readonly motorConstant: number;
  /** Drag torque over thrust [m]. */
  readonly momentConstant: number;
}
export interface StaticCoefficients {
  readonly CT: number;
  readonly CP: number;
}

/** The guess of the Gazebo motor notes for a two-blade propeller without data. */
export const GENERIC: StaticCoefficients = { CT: 0.1, CP: 0.05 };

/** `installation` is the part of thrust and torque that arms in the wake leave. */
export function gazeboConstants(
  { CT, CP }: StaticCoefficients,
  diameter: number,
  rho: number,
  installation = 1,
): GazeboConstants {
  const D4 = diameter * diameter * diameter * diameter;
  return {
    motorConstant: (installation * CT * rho * D4) / (TWO_PI * TWO_PI),
    momentConstant: (CP / TWO_PI / CT) * diameter,
  };
}

/** C_T and C_P at rest from Gazebo's motor and moment constants; diameter [m], density [kg/m^3]. */
export function staticCoefficients(
  { motorConstant, momentConstant }: GazeboConstants,
  diameter: number,
  rho: number,
  installation = 1,
): StaticCoefficients {
  const D4 = diameter * diameter * diameter * diameter;
  const CT = (motorConstant * TWO_PI * TWO_PI) / (installation * rho * D4);
  return { CT, CP: (momentConstant * CT * TWO_PI) / diameter };
}

/** H-force and rolling coefficients when only diameter and density change: lambda_1 as rho D^3, mu_1 as rho D^4. */
export function scaledCrossFlow(
  rotorDragCoefficient: number,
  rollingMomentCoefficient: number,
  diameterRatio: number,
  densityRatio = 1,
): { rotorDragCoefficient: number; rollingMomentCoefficient: number } {
  const cubed = densityRatio * diameterRatio * diameterRatio * diameterRatio;
  return {
    rotorDragCoefficient: rotorDragCoefficient * cubed,
    rollingMomentCoefficient: rollingMomentCoefficient * cubed * diameterRatio,
  };
}

/**
 * Speed at full voltage of a motor with back-EMF constant K [V s/rad] and winding resistance R, against a drag torque of
 * q omega^2 and friction D omega: K V = (R q omega + K^2 + D R) omega. Without resistance it is the idle speed V/K.
 */
export function fullSpeed(K: number, voltage: number, R: number, q: number, D = 0): number {
  const a = R * q;
  const b = K * K + D * R;
  return (2 * K * voltage) / (b + Math.sqrt(b * b + 4 * a * K * voltage));
}
