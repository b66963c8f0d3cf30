import { expect, it } from "vitest";
import { parseYaml } from "../../src/model/document.ts";
import { createSimulation } from "../../src/simulation/create.ts";
import { Recorder } from "../../src/simulation/recorder.ts";
import { run } from "../../src/simulation/run.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { preset } from "../../src/vehicles/vehicle-file.ts";
import { describeWithShared, readShared } from "../support/shared.ts";

interface State {
  p_I: number[];
  v_I: number[];
  q_IB_wxyz: number[];
  w_B: number[];
  delta: number[];
}
const flat = (s: State) => [...s.p_I, ...s.v_I, ...s.q_IB_wxyz, ...s.w_B, ...s.delta];

describeWithShared("60 s parafoil runs of the original", () => {
  for (const r of readShared("vectors/parafoil-run60.json").runs)
    it(`${r.name}, ${r.integrator}`, () => {
      const yaml = JSON.stringify({
        vehicle: "parafoil",
        duration: 60,
        integrator: r.integrator.replace("_", "-"),
        wind: { steady: r.wind_NED },
        inputs: r.segments_t0_t1_left_right.map(([t, , left, right]: number[]) => ({
          t,
          brake_left_cmd: left,
          brake_right_cmd: right,
        })),
      });
      const recorder = new Recorder();
      run(createSimulation(readScenario(parseYaml(yaml, "run60"), preset("parafoil"))), 60, [recorder]);
      const names = preset("parafoil").model.states.map((s) => s.name);
      const columns = names.map((name) => recorder.column(name));
      const tolerance = r.integrator === "rk4" ? 1e-9 : 1e-7;
      r.traj_1s.forEach((expected: State, second: number) => {
        const row = columns.map((c) => c[(second + 1) * 50]);
        const sign = Math.sign(row.slice(6, 10).reduce((s, q, i) => s + q * expected.q_IB_wxyz[i], 0));
        flat(expected).forEach((value, i) => {
          const actual = i >= 6 && i < 10 ? sign * row[i] : row[i];
          expect(Math.abs(actual - value), `${names[i]} at ${second + 1} s`).toBeLessThan(tolerance);
        });
      });
    });
});
