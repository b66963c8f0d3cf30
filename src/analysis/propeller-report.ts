/** Propeller data, and Gazebo's constants computed from them. */
import { pow } from "../math/elementary.ts";
import { fullSpeed, gazeboConstants, scaledCrossFlow } from "../parts/propeller-constants.ts";

/** Data of a propeller and its motor: diameter [m], density [kg/m^3], C_T and C_P over advance ratio. */
export interface PropellerFacts {
  readonly name: string;
  /** Where the numbers come from, and how far they can be trusted. */
  readonly origin: string;
  readonly diameter: number;
  readonly rho: number;
  readonly installation: number;
  /** At least the static point. */
  readonly J: readonly number[];
  readonly CT: readonly number[];
  readonly CP: readonly number[];
  readonly motor?: { readonly Kv: number; readonly voltage: number; readonly resistance: number };
  readonly crossFlow?: {
    readonly rotorDragCoefficient: number;
    readonly rollingMomentCoefficient: number;
    readonly diameter: number;
  };
}

/** One constant with its unit and what it means. */
export interface Constant {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly meaning: string;
}

export const efficiency = (J: number, CT: number, CP: number): number => (J * CT) / CP;

/** Gazebo's constants, named as in SDF and in vehicle files. */
export function constantsOf(p: PropellerFacts): Constant[] {
  const { diameter, rho, installation, motor, crossFlow } = p;
  const still = { CT: p.CT[0], CP: p.CP[0] };
  const { motorConstant, momentConstant } = gazeboConstants(still, diameter, rho, installation);
  const out: Constant[] = [
    {
      name: "motorConstant",
      value: motorConstant,
      unit: "kg m",
      meaning: "thrust over speed squared, C_T rho D^4 / 4 pi^2; the speed is in rad/s, not rpm",
    },
    {
      name: "momentConstant",
      value: momentConstant,
      unit: "m",
      meaning:
        "drag torque over thrust, C_Q D / C_T with C_Q = C_P / 2 pi. A length of a few centimetres: the Gazebo motor notes multiply by 2 pi where they must divide, and get 0.67 m instead of 0.017 m for the Intel Aero",
    },
  ];
  if (motor) {
    // The shaft carries the whole torque; the installation factor does not reduce it.
    const q = gazeboConstants(still, diameter, rho).motorConstant * momentConstant;
    out.push({
      name: "maxRotVelocity",
      value: fullSpeed(1 / motor.Kv, motor.voltage, motor.resistance, q),
      unit: "rad/s",
      meaning:
        motor.resistance > 0
          ? "speed at full voltage at which motor torque and propeller drag torque balance"
          : "no-load speed Kv V; with a propeller 70 to 80 % of it (give --resistance to compute it)",
    });
  }
  if (crossFlow) {
    const scaled = scaledCrossFlow(
      crossFlow.rotorDragCoefficient,
      crossFlow.rollingMomentCoefficient,
      diameter / crossFlow.diameter,
    );
    out.push(
      {
        name: "rotorDragCoefficient",
        value: scaled.rotorDragCoefficient,
        unit: "kg",
        meaning: "H-force over speed and cross flow (lambda_1), grown with D^3",
      },
      {
        name: "rollingMomentCoefficient",
        value: scaled.rollingMomentCoefficient,
        unit: "kg m",
        meaning: "rolling moment over speed and cross flow (mu_1), grown with D^4",
      },
    );
  }
  return out;
}

/** A blade's inertia grows with the fifth power of its size: 12 g of plastic at 10 in [kg/m^3]. */
const INERTIA = 0.06;

/** What turns the rotor: an electric motor where its winding is known, else a speed that follows its command. */
function driveLines(p: PropellerFacts): string[] {
  const { motor, diameter } = p;
  const speed = constantsOf(p).find((c) => c.name === "maxRotVelocity");
  if (motor !== undefined && motor.resistance > 0)
    return [
      `  motor: { R: ${motor.resistance}, K: ${(1 / motor.Kv).toPrecision(6)} }   # K = 60/(2 pi kv)`,
      `  inertia: ${(INERTIA * pow(diameter, 5)).toExponential(2)}   # kg m^2, estimated for a plastic propeller: measure yours`,
    ];
  return [
    speed
      ? `  maxRotVelocity: ${speed.value.toPrecision(5)}`
      : "  maxRotVelocity: 1000   # rad/s; put your motor's here, or give --kv and --voltage",
  ];
}

/** Beside each_rotor: what feeds electric motors. */
function batteryLines({ motor }: PropellerFacts): string[] {
  if (motor === undefined || !(motor.resistance > 0)) return [];
  const { voltage } = motor;
  return [
    `battery: { capacity: 5 Ah, resistance: 0.02, used: [0, 1], voltage: [${voltage}, ${Number((0.8 * voltage).toPrecision(4))}] }   # capacity, resistance and fall assumed`,
  ];
}

/** The rotor's lines of a vehicle file, and its battery's. */
export function vehicleLines(p: PropellerFacts): string {
  const numbers = (values: readonly number[]) => values.map((v) => Number(v.toPrecision(6))).join(", ");
  return [
    ...batteryLines(p),
    `# ${p.name}: ${p.origin}`,
    "each_rotor:",
    "  law: propeller",
    ...driveLines(p),
    `  radius: ${p.diameter / 2}`,
    ...(p.installation === 1 ? [] : [`  installation: ${p.installation}`]),
    "  propeller:",
    `    diameter: ${p.diameter}`,
    `    J: [${numbers(p.J)}]`,
    `    CT: [${numbers(p.CT)}]`,
    `    CP: [${numbers(p.CP)}]`,
    "",
  ].join("\n");
}
