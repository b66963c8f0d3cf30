import { type Field, vector } from "../../model/field.ts";

/** Names as in the source's params.yaml; `presets/parafoil.yaml` has the numbers and where they come from. */
export const PARAMETERS: readonly Field[] = [
  {
    name: "rho",
    unit: "kg/m^3",
    meaning: "air density (at sea level with air: isa, which scales it)",
    above: 0,
  },
  { name: "g", unit: "m/s^2", meaning: "gravitational acceleration", min: 0 },
  { name: "m", unit: "kg", meaning: "total mass, canopy and payload", above: 0 },
  ...vector("I_B_diag", {
    unit: "kg m^2",
    meaning: "principal moment of inertia about the centre of mass",
    above: 0,
  }),
  { name: "m_payload", unit: "kg", meaning: "payload mass in the pendulum moment", min: 0 },
  { name: "line_length", unit: "m", meaning: "pendulum length in the pendulum moment", min: 0 },
  { name: "S", unit: "m^2", meaning: "canopy reference area", above: 0 },
  { name: "b", unit: "m", meaning: "canopy span", above: 0 },
  { name: "c", unit: "m", meaning: "canopy chord", above: 0 },
  { name: "S_pd", unit: "m^2", meaning: "payload drag area", min: 0 },
  { name: "c_D_pd", unit: "1", meaning: "payload drag coefficient", min: 0 },
  ...vector("r_canopy_B", {
    unit: "m",
    meaning: "canopy aerodynamic centre from the centre of mass (lever_arms)",
  }),
  ...vector("r_pd_B", { unit: "m", meaning: "payload from the centre of mass (lever_arms)" }),
  { name: "c_L0", unit: "1", meaning: "lift coefficient at zero angle of attack" },
  { name: "c_La", unit: "1/rad", meaning: "lift curve slope" },
  { name: "c_Lds", unit: "1", meaning: "lift by symmetric brake" },
  { name: "c_D0", unit: "1", meaning: "drag coefficient at zero angle of attack", min: 0 },
  { name: "c_Da2", unit: "1/rad^2", meaning: "drag growth with the square of the angle of attack" },
  { name: "c_Dds", unit: "1", meaning: "drag by symmetric brake" },
  { name: "alpha_stall", unit: "rad", meaning: "stall onset angle of attack, brakes free" },
  { name: "alpha_stall_brake", unit: "rad", meaning: "how much full symmetric brake lowers the stall onset" },
  { name: "alpha_stall_width", unit: "rad", meaning: "width of the stall transition", above: 0 },
  { name: "c_D_stall", unit: "1", meaning: "additional drag when fully stalled" },
  { name: "c_Yb", unit: "1/rad", meaning: "side force by sideslip (negative opposes the slip)" },
  { name: "c_lp", unit: "1", meaning: "roll damping (negative damps)" },
  { name: "c_lda", unit: "1", meaning: "roll by differential brake" },
  { name: "c_lb", unit: "1/rad", meaning: "roll by sideslip (dihedral effect)", default: 0 },
  { name: "c_m0", unit: "1", meaning: "pitching moment at zero angle of attack" },
  { name: "c_ma", unit: "1/rad", meaning: "pitching moment slope (negative is stable)" },
  { name: "c_mq", unit: "1", meaning: "pitch damping (negative damps)" },
  { name: "c_mds", unit: "1", meaning: "pitching moment by symmetric brake", default: 0 },
  { name: "c_nr", unit: "1", meaning: "yaw damping (negative damps)" },
  { name: "c_nda", unit: "1", meaning: "yaw by differential brake (negative: left brake turns left)" },
  { name: "c_nb", unit: "1/rad", meaning: "yaw by sideslip (positive is directionally stable)" },
  {
    name: "c_n_weath",
    unit: "1",
    meaning: "yaw by the absolute crosswind over airspeed (positive turns the nose downwind)",
  },
  { name: "tau_act", unit: "s", meaning: "brake actuator time constant", above: 0, lag: true },
  { name: "eps", unit: "m/s", meaning: "smallest forward speed in the angle of attack", above: 0 },
  {
    name: "V_min",
    unit: "m/s",
    meaning: "smallest airspeed in dynamic pressure and rate normalisation",
    above: 0,
  },
  {
    name: "lever_arms",
    unit: "1",
    meaning: "moments r x F of canopy and payload drag instead of the calibrated pendulum moment",
    choices: { off: 0, on: 1 },
    default: 0,
  },
];

type Vec3 = { x: number; y: number; z: number };

/** Parameters of a parafoil, in SI units. */
export interface ParafoilParameters {
  rho: number;
  g: number;
  m: number;
  I_B_diag: Vec3;
  m_payload: number;
  line_length: number;
  S: number;
  b: number;
  c: number;
  S_pd: number;
  c_D_pd: number;
  r_canopy_B: Vec3;
  r_pd_B: Vec3;
  c_L0: number;
  c_La: number;
  c_Lds: number;
  c_D0: number;
  c_Da2: number;
  c_Dds: number;
  alpha_stall: number;
  alpha_stall_brake: number;
  alpha_stall_width: number;
  c_D_stall: number;
  c_Yb: number;
  c_lp: number;
  c_lda: number;
  c_lb: number;
  c_m0: number;
  c_ma: number;
  c_mq: number;
  c_mds: number;
  c_nr: number;
  c_nda: number;
  c_nb: number;
  c_n_weath: number;
  tau_act: number;
  eps: number;
  V_min: number;
  lever_arms: number;
}
