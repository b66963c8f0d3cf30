import type { ModelChecks } from "../../model/model-checks.ts";
import { P_B, Q_B, R_B } from "../rigid-body.ts";
import type { ParafoilParameters } from "./parameters.ts";
import { REFERENCE_CASES } from "./reference-cases.ts";

const MOMENT = 45;

export const PARAFOIL_CHECKS: ModelChecks<ParafoilParameters> = {
  domain: { speed: [2, 9], alpha: [-0.2, 0.5], beta: [-0.3, 0.3], rate: 1 },
  mirror(p) {
    const aside = [p.r_canopy_B.y, p.r_pd_B.y].find((y) => y !== 0);
    if (aside !== undefined) return { reason: "canopy or payload sit beside the plane of symmetry" };
    return {
      states: [...Array.from({ length: 13 }, (_, i) => [i, 1] as const), [14, 1], [13, 1]],
      inputs: [
        [1, 1],
        [0, 1],
      ],
    };
  },
  balances(x, _u, p, _e, dx, y) {
    const { x: A, y: B, z: C } = p.I_B_diag;
    const [P, Q, R] = x.subarray(P_B, P_B + 3);
    const size = Math.max(1e-3, ...y.slice(MOMENT, MOMENT + 3).map(Math.abs));
    const law = (name: string, left: number, right: number) => ({ name, left, right, size });
    return [
      law("roll: inertia times acceleration is moment", A * dx[P_B] + (C - B) * Q * R, y[MOMENT]),
      law("pitch: inertia times acceleration is moment", B * dx[Q_B] + (A - C) * R * P, y[MOMENT + 1]),
      law("yaw: inertia times acceleration is moment", C * dx[R_B] + (B - A) * P * Q, y[MOMENT + 2]),
    ];
  },
  exceptions: [
    {
      check: "galilean",
      without: { c_n_weath: 0 },
      reason:
        "the weathercock term c_n_weath depends on the wind over ground: a calibrated property of the source (docs/errata.md)",
    },
    {
      check: "passive",
      reason: "below V_min the dynamic pressure stays that of V_min, so that air at rest still pushes",
      outside: (_x, _u, p, y) => y[1] < p.V_min,
    },
  ],
  referenceCases: REFERENCE_CASES,
};
