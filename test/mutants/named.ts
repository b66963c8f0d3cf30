/** Mistakes that were made in the field, put into the sources by hand, and which law should find each. */
export interface Named {
  readonly mistake: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly vehicles: readonly string[];
  /** What finds it without published results; nothing where only those can. */
  readonly law?: string;
}

const ALD = "src/parts/advanced-lift-drag.ts";
const PARAFOIL = "src/vehicles/parafoil/equations.ts";
const CAR = "src/vehicles/car/equations.ts";

export const NAMED: readonly Named[] = [
  {
    mistake: "Cem0 + Cema alpha dropped (gz-sim's bug)",
    file: ALD,
    from: "const Cem = s.Cem0 + pitching + s.Cemb * beta + ctrlM;",
    to: "const Cem = s.Cemb * beta + ctrlM;",
    vehicles: ["advanced-plane"],
    law: "effect",
  },
  {
    mistake: "the span forgotten in the rolling moment",
    file: ALD,
    from: "out[3] = s.span * (still",
    to: "out[3] = (still",
    vehicles: ["advanced-plane"],
    law: "units",
  },
  {
    mistake: "the chord forgotten in the pitching moment",
    file: ALD,
    from: "out[4] = s.chord * (still",
    to: "out[4] = (still",
    vehicles: ["advanced-plane"],
    law: "units",
  },
  {
    mistake: "the wind with the wrong sign (aircraft)",
    file: "src/vehicles/aircraft/equations.ts",
    from: "const a_e = x[V_EAST] - e[WIND_EAST];",
    to: "const a_e = x[V_EAST] + e[WIND_EAST];",
    vehicles: ["x500"],
    law: "balance",
  },
  {
    mistake: "the wind with the wrong sign (parafoil)",
    file: PARAFOIL,
    from: "const a_n = v_n - wind_n;",
    to: "const a_n = v_n + wind_n;",
    vehicles: ["parafoil"],
    law: "balance",
  },
  {
    mistake: "25 m/s in the code",
    file: "src/parts/rotor.ts",
    from: "1 - Math.abs(along) * fading",
    to: "1 - Math.abs(along) / 25",
    vehicles: ["x500"],
    law: "units",
  },
  {
    mistake: "l_F and l_R swapped in the axle loads",
    file: CAR,
    from: "numbers[FRONT] = (p.l_R / L) * N;",
    to: "numbers[FRONT] = (p.l_F / L) * N;",
    vehicles: ["formula-student"],
  },
  {
    mistake: "degrees for radians",
    file: PARAFOIL,
    from: "const alpha = atan2(w_B, u_safe);",
    to: "const alpha = (atan2(w_B, u_safe) * 180) / Math.PI;",
    vehicles: ["parafoil"],
  },
  {
    mistake: "a half missing in the dynamic pressure",
    file: PARAFOIL,
    from: "const q_bar = 0.5 * rho",
    to: "const q_bar = rho",
    vehicles: ["parafoil"],
  },
  {
    mistake: "yaw damping that drives",
    file: PARAFOIL,
    from: "const C_yaw = p.c_nr * r_B",
    to: "const C_yaw = -p.c_nr * r_B",
    vehicles: ["parafoil"],
    law: "balance",
  },
  {
    mistake: "pitch damping that drives, in the equation and in its output",
    file: "src/vehicles/aircraft/equations.ts",
    from: "flow[4] = isAligned ? q_B",
    to: "flow[4] = isAligned ? -q_B",
    vehicles: ["advanced-plane"],
    law: "sign",
  },
  {
    mistake: "left and right differ (brakes)",
    file: PARAFOIL,
    from: "const deltaS = 0.5 * (brakeLeft + brakeRight);",
    to: "const deltaS = 0.6 * brakeLeft + 0.4 * brakeRight;",
    vehicles: ["parafoil"],
    law: "mirror",
  },
  {
    mistake: "left and right differ (a wheel's arm)",
    file: CAR,
    from: "(i % 2 === 0 ? -0.5 : 0.5) * p.W * omega",
    to: "(i % 2 === 0 ? -0.5 : 0.6) * p.W * omega",
    vehicles: ["formula-student"],
    law: "mirror",
  },
];
