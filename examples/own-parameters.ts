// What does more payload do to the glide? A vehicle file of one's own. Run: npx tsx examples/own-parameters.ts

import { parseYaml, preset, readVehicle } from "sideslip";
import { brakePolar } from "sideslip/analysis";

const small = preset("parafoil");

// Only a name and numbers: copy src/vehicles/parafoil/presets/parafoil.yaml and change what is yours.
const heavy = readVehicle(
  parseYaml(
    `
model: parafoil
description: the same canopy with 1.5 kg more payload
source: a guess
parameters:
  { rho: 1.29, g: 9.81, m: 3.95 kg, I_B_diag: [1.1, 0.2, 1.1], m_payload: 3.5 kg, line_length: 500 mm,
    S: 1.5, b: 1.88, c: 800 mm, S_pd: 0.1, c_D_pd: 1, r_canopy_B: [0, 0, -0.3], r_pd_B: [0, 0, 0.2],
    c_L0: 0.55, c_La: 3.8, c_Lds: 0.3, c_D0: 0.16, c_Da2: 0.5, c_Dds: 0.75,
    alpha_stall: 20 deg, alpha_stall_brake: 0.02, alpha_stall_width: 0.15, c_D_stall: 0.15, c_Yb: -6.8,
    c_lp: -0.84, c_lda: -0.005, c_m0: 0.1, c_ma: -0.72, c_mq: -1.49,
    c_nr: -0.27, c_nda: -0.133, c_nb: 0.15, c_n_weath: 0.02, tau_act: 200 ms, eps: 1e-6, V_min: 1 }
`,
    "heavy.yaml",
  ),
  "heavy",
);

for (const vehicle of [small, heavy]) {
  const [{ airspeed, sink, glide }] = brakePolar(vehicle, [0]);
  console.log(
    `${vehicle.name.padEnd(9)} ${airspeed.toFixed(2)} m/s, sinks ${sink.toFixed(2)} m/s, glide ${glide.toFixed(2)}`,
  );
}
