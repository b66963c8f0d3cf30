/**
 * Aircraft that somebody might build, drawn at random: multirotors of 3 to 8 rotors and aeroplanes by AVL-like derivatives, in three
 * rotor laws, with lag or with electric motors on a battery, with and without contacts, straight and canted.
 */
import { stream } from "../../src/math/random.ts";
import { plainSource } from "../../src/model/document.ts";
import { readVehicle } from "../../src/vehicle-types/index.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";

type Block = Record<string, unknown>;
const G = 9.81;
const RHO = 1.225;

export const ROTOR_LAWS = ["gazebo-classic", "gz", "propeller"] as const;

export interface RandomAircraft {
  readonly vehicle: Vehicle;
  /** What the tables of results are sorted by. */
  readonly kind: { readonly type: "multirotor" | "aeroplane"; readonly law: string; readonly drive: string };
  readonly rotors: number;
  /** Sensible speeds: of a multirotor up to where drag tilts it by half a radian, of an aeroplane from stall to fastest [m/s]. */
  readonly speeds: readonly [number, number];
}

class Draw {
  private readonly noise;
  private index = 0;
  constructor(seed: number, name: string) {
    this.noise = stream(seed, name);
  }
  between(low: number, high: number): number {
    return low + (high - low) * this.noise.uniform(this.index++);
  }
  /** Evenly in the logarithm. */
  scaled(low: number, high: number): number {
    return low * (high / low) ** this.noise.uniform(this.index++);
  }
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }
  chance(part: number): boolean {
    return this.between(0, 1) < part;
  }
  sign(): number {
    return this.chance(0.5) ? 1 : -1;
  }
  of<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)];
  }
}

/** A rotor that makes `strongest` newtons at most, and what turns it; `share` is its part of the battery. */
function propulsion(draw: Draw, law: string, isElectric: boolean, strongest: number, radius: number) {
  const D = 2 * radius;
  const CT0 = draw.between(0.09, 0.12);
  const CP0 = draw.between(0.38, 0.5) * CT0;
  const k = (CT0 * RHO * D ** 4) / (4 * Math.PI ** 2);
  const omega = Math.sqrt(strongest / k);
  const momentConstant = (CP0 * D) / (2 * Math.PI * CT0);
  const J0 = draw.between(0.75, 1);
  const steps = [0, 0.2, 0.4, 0.6, 0.8, 1];
  const table = {
    diameter: D,
    J: steps.map((s) => s * J0),
    CT: steps.map((s) => CT0 * (1 - 0.35 * s - 0.65 * s * s)),
    CP: steps.map((s) => CP0 * (1 + 0.25 * s - 0.95 * s * s)),
  };
  const thrust =
    law === "propeller"
      ? { law, propeller: table }
      : {
          law,
          motorConstant: k,
          momentConstant,
          ...(law === "gazebo-classic" ? { maxRelativeAirspeed: (J0 * D * omega) / (2 * Math.PI) } : {}),
          rotorDragCoefficient: draw.between(0, 4e-3) * Math.sqrt(k),
        };
  const torque = momentConstant * k * omega * omega;
  if (!isElectric)
    return {
      rotor: {
        ...thrust,
        radius,
        maxRotVelocity: omega,
        timeConstantUp: draw.between(0.01, 0.05),
        timeConstantDown: draw.between(0.01, 0.06),
      },
      battery: undefined,
    };
  // Full duty turns it at its fastest: a fifth of the voltage is lost in the winding.
  const voltage = draw.of([11.1, 14.8, 22.2]);
  const K = (draw.between(0.75, 0.88) * voltage) / omega;
  const current = torque / K;
  const R = (voltage - K * omega) / current;
  const inertia = (draw.between(0.03, 0.08) * K * K) / R;
  return {
    rotor: { ...thrust, radius, inertia, motor: { R, K } },
    battery: { voltage, current },
  };
}

function batteryBlock({ voltage, current }: { voltage: number; current: number }, rotors: number): Block {
  return {
    capacity: 360_000,
    resistance: (0.02 * voltage) / (rotors * current),
    used: [0, 0.9, 1],
    voltage: [voltage, 0.85 * voltage, 0.6 * voltage],
  };
}

export function randomMultirotor(index: number, seed = 1): RandomAircraft {
  const draw = new Draw(seed, `multirotor ${index}`);
  const N = 3 + (index % 6);
  const law = ROTOR_LAWS[Math.floor(index / 6) % 3];
  const isElectric = Math.floor(index / 18) % 2 === 1;
  const m = draw.scaled(0.4, 9);
  const arm = 0.21 * Math.cbrt(m) * draw.between(0.85, 1.25);
  const isCoaxial = (N === 6 || N === 8) && draw.chance(0.3);
  const places = isCoaxial ? N / 2 : N;
  const radius = 0.8 * arm * Math.sin(Math.PI / places) * draw.between(0.7, 1);
  const ratio = draw.between(1.7, 3);
  const { rotor, battery } = propulsion(draw, law, isElectric, (ratio * m * G) / N, radius);
  const phase = draw.chance(0.5) ? Math.PI / places : 0;
  const [cx, cy] = [draw.between(-0.06, 0.06) * arm, draw.between(-0.06, 0.06) * arm];
  const height = draw.between(-0.25, 0.1) * arm;
  const swirl = law === "propeller" ? 0.02 * arm : (rotor as { momentConstant: number }).momentConstant;
  const cant = draw.chance(0.4) ? draw.between(0.03, 0.14) : 0;
  const dihedral = draw.chance(0.4) ? draw.between(-0.1, 0.12) : 0;
  const rotors = Array.from({ length: N }, (_, i) => {
    const angle = phase + (2 * Math.PI * (i % places)) / places;
    const turn = isCoaxial ? ((i % places) + Math.floor(i / places)) % 2 : i % 2;
    const d = turn === 0 ? 1 : -1;
    // Of three one turns alone: leaned along the circle, all three hold its torque.
    const lean = N === 3 ? Math.asin(Math.min(0.3, swirl / (3 * arm))) : d * cant;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return {
      ...rotor,
      position: [arm * c + cx, arm * s + cy, height + (isCoaxial && i >= places ? 0.3 * radius : 0)],
      axis: [
        -Math.sin(dihedral) * c - Math.sin(lean) * s,
        -Math.sin(dihedral) * s + Math.sin(lean) * c,
        -Math.cos(dihedral) * Math.cos(lean),
      ],
      direction: d > 0 ? "ccw" : "cw",
    };
  });
  const Ixx = m * (arm * draw.between(0.3, 0.5)) ** 2;
  const Iyy = Ixx * draw.between(0.85, 1.2);
  const dragging = draw.whole(0, 2);
  const area = 0.05 * m ** (2 / 3) * draw.between(0.4, 1);
  const linear = 0.12 * m * draw.between(0.3, 1);
  const drag: Block =
    dragging === 0
      ? { drag1: [linear, linear, 1.5 * linear] }
      : dragging === 1
        ? { CdA: [area, area, 2 * area] }
        : {
            drag1: [0.3 * linear, 0.3 * linear, 0.3 * linear],
            drag2: [0.5 * RHO * area, 0.5 * RHO * area, RHO * area],
          };
  const hasContacts = draw.chance(0.5);
  const foot = (x: number, y: number) => ({ position: [x * arm, y * arm, 0.3 * arm], radius: 0.1 * arm });
  const vehicle = aircraft(`multirotor-${index}`, {
    m,
    I: { xx: Ixx, yy: Iyy, zz: 0.9 * (Ixx + Iyy) },
    ...drag,
    rotors,
    ...(battery ? { battery: batteryBlock(battery, N) } : {}),
    ...(hasContacts
      ? { contacts: [foot(0.7, 0.7), foot(-0.7, 0.7), foot(0.7, -0.7), foot(-0.7, -0.7)] }
      : {}),
  });
  const tilted = m * G * Math.tan(0.45);
  const fastest =
    dragging === 0
      ? tilted / linear
      : dragging === 1
        ? Math.sqrt(tilted / (0.5 * RHO * area))
        : Math.sqrt(tilted / (0.5 * RHO * area)) * 0.8;
  return {
    vehicle,
    kind: { type: "multirotor", law, drive: isElectric ? "electric" : "lag" },
    rotors: N,
    speeds: [0, Math.min(15, fastest)],
  };
}

export function randomAeroplane(index: number, seed = 1): RandomAircraft {
  const draw = new Draw(seed, `aeroplane ${index}`);
  const law = ROTOR_LAWS[index % 3];
  const isElectric = Math.floor(index / 3) % 2 === 1;
  const tail = (["conventional", "flying wing", "V-tail"] as const)[Math.floor(index / 6) % 3];
  const m = draw.scaled(0.6, 14);
  const stall = draw.between(7, 11) * m ** (1 / 12);
  const AR = tail === "flying wing" ? draw.between(4, 7) : draw.between(6, 12);
  const CLmax = 1.2;
  const area = (2 * m * G) / (RHO * CLmax * stall * stall);
  const span = Math.sqrt(area * AR);
  const mac = area / span;
  const CLa = (2 * Math.PI * AR) / (AR + 2) / (1 + draw.between(0, 0.1));
  const margin = draw.between(0.06, 0.18);
  const arm = tail === "flying wing" ? 0.7 : draw.between(2.6, 3.6);
  const CL0 = draw.between(0.1, 0.3);
  const Cema = -margin * CLa;
  const Cemq = tail === "flying wing" ? draw.between(-3, -1.6) : -draw.between(1, 1.4) * arm * arm * 1.3;
  // It flies hands off at about 1.5 times its stalling speed.
  const CLtrim = CLmax / 1.5 ** 2;
  const Cem0 = -Cema * ((CLtrim - CL0) / CLa);
  const radian = Math.PI / 180;
  const each = (values: Block): Block =>
    Object.fromEntries(
      Object.entries(values).map(([key, v]) => [
        key,
        typeof v === "number" && key !== "servo" ? v * radian : v,
      ]),
    );
  const elevator = draw.between(0.7, 1.3) * 0.3 * arm;
  const roll = draw.between(0.12, 0.22);
  const controls =
    tail === "conventional"
      ? [
          each({
            servo: 1,
            CL_ctrl: -0.35,
            Cell_ctrl: -roll,
            Cem_ctrl: 0.03,
            Cen_ctrl: -0.002,
            CD_ctrl: -0.002,
          }),
          each({
            servo: 2,
            CL_ctrl: -0.35,
            Cell_ctrl: roll,
            Cem_ctrl: 0.03,
            Cen_ctrl: 0.002,
            CD_ctrl: -0.002,
          }),
          each({ servo: 3, CL_ctrl: 0.3, Cem_ctrl: -elevator, CD_ctrl: 0.01 }),
          each({ servo: 4, CY_ctrl: -0.2, Cen_ctrl: 0.08, Cell_ctrl: -0.01 }),
        ]
      : tail === "V-tail"
        ? [
            each({ servo: 1, CL_ctrl: -0.35, Cell_ctrl: -roll, Cen_ctrl: -0.002 }),
            each({ servo: 2, CL_ctrl: -0.35, Cell_ctrl: roll, Cen_ctrl: 0.002 }),
            each({ servo: 3, CL_ctrl: 0.2, Cem_ctrl: -0.7 * elevator, CY_ctrl: -0.12, Cen_ctrl: 0.05 }),
            each({ servo: 4, CL_ctrl: 0.2, Cem_ctrl: -0.7 * elevator, CY_ctrl: 0.12, Cen_ctrl: -0.05 }),
          ]
        : [
            each({ servo: 1, CL_ctrl: 0.4, Cell_ctrl: 0.8 * roll, Cem_ctrl: -0.25, Cen_ctrl: 0.002 }),
            each({ servo: 2, CL_ctrl: 0.4, Cell_ctrl: -0.8 * roll, Cem_ctrl: -0.25, Cen_ctrl: -0.002 }),
          ];
  const CD0 = draw.between(0.025, 0.045);
  const isTwin = draw.chance(0.3);
  const N = isTwin ? 2 : 1;
  const fast = stall * draw.between(1.9, 2.6);
  const q = 0.5 * RHO * fast * fast * area;
  const drag = q * (CD0 + ((m * G) / q) ** 2 / (Math.PI * AR * 0.85));
  // Axial flow takes about half of the static thrust at full speed.
  const strongest = (draw.between(2.6, 3.4) * drag) / N;
  const radius = 0.09 * span * draw.between(0.8, 1.2) * (isTwin ? 0.75 : 1);
  const { rotor, battery } = propulsion(draw, law, isElectric, strongest, radius);
  const rotors = Array.from({ length: N }, (_, i) => ({
    ...rotor,
    position: [0.25 * mac * draw.sign(), isTwin ? (i === 0 ? -0.2 : 0.2) * span : 0, 0],
    axis: [1, 0, draw.between(-0.05, 0.02)],
    direction: i === 0 ? "cw" : "ccw",
  }));
  const Ixx = m * (0.13 * span) ** 2;
  const Iyy = m * (0.16 * span * draw.between(0.8, 1.2)) ** 2 + m * (0.5 * mac) ** 2;
  const foot = (x: number, y: number) => ({
    position: [x * span, y * span, 0.1 * span],
    radius: 0.01 * span,
  });
  const vehicle = aircraft(
    `aeroplane-${index}`,
    {
      m,
      I: { xx: Ixx, yy: Iyy, zz: 0.95 * (Ixx + Iyy), xz: -0.02 * Ixx },
      rotors,
      surfaces: [
        {
          position: [0, 0, 0],
          M: 45,
          area,
          AR,
          mac,
          eff: 0.85,
          alpha_stall: (CLmax - CL0) / CLa + 0.05,
          Cema_stall: draw.chance(0.5) ? 0 : -0.6,
          CD0,
          CL0,
          CLa,
          Cem0,
          Cema,
          CYb: -draw.between(0.2, 0.5),
          Cellb: -draw.between(0.03, 0.1),
          Cenb: draw.between(0.04, 0.1),
          CYp: draw.between(-0.05, 0.05),
          Cellp: -draw.between(0.4, 0.55),
          Cenp: -draw.between(0.02, 0.08),
          CLq: draw.between(4, 8),
          Cemq,
          CYr: draw.between(0.1, 0.3),
          Cellr: draw.between(0.05, 0.15),
          Cenr: -draw.between(0.06, 0.14),
          controls,
        },
      ],
      each_servo: { min: "-30 deg", max: "30 deg", ...(draw.chance(0.5) ? { tau: 0.03, rate: 6 } : {}) },
      servos: controls.map(() => ({})),
      ...(battery ? { battery: batteryBlock(battery, N) } : {}),
      ...(draw.chance(0.5) ? { contacts: [foot(0.1, 0), foot(-0.1, 0.1), foot(-0.1, -0.1)] } : {}),
    },
    { altitude: 200, v_north: 1.5 * stall },
  );
  return {
    vehicle,
    kind: { type: "aeroplane", law, drive: isElectric ? "electric" : "lag" },
    rotors: N,
    speeds: [1.25 * stall, 0.9 * fast],
  };
}

function aircraft(name: string, parameters: Block, initial: Block = { altitude: 50 }): Vehicle {
  return readVehicle(plainSource({ model: "aircraft", parameters, initial }, name), name);
}
