/** What is compiled beside the plain function: over random instants, and along a motion. Also runs in browsers. */

import { LANES } from "../../src/compile/kernel.ts";
import { generatedDerivative } from "../../src/compile/print.ts";
import { Stepper } from "../../src/compile/stepper.ts";
import { trace } from "../../src/compile/trace.ts";
import { rk4 } from "../../src/integrators/rk4.ts";
import { preset, presetNames } from "../../src/vehicle-types/index.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";
import { instants } from "./states.ts";

export { preset, presetNames };

/** FNV over the bits, NaN counting as one number. */
class Hash {
  private value = 0x811c9dc5;
  private readonly double = new Float64Array(1);
  private readonly bytes = new Uint8Array(this.double.buffer);
  add(list: Float64Array): void {
    for (const v of list) {
      this.double[0] = Number.isNaN(v) ? Number.NaN : v;
      for (const b of this.bytes) this.value = Math.imul(this.value ^ b, 0x01000193) >>> 0;
    }
  }
  toString(): string {
    return this.value.toString(16);
  }
}

export interface Hashes {
  readonly plain: string;
  readonly generated: string;
  readonly kernel: string;
}

/** Derivatives at `count` random instants. */
export function statesHashes(vehicle: Vehicle, count: number): Hashes {
  const { model, parameters } = vehicle;
  const at = instants(vehicle, 1);
  const f = generatedDerivative(trace(model, parameters, at(0).e));
  const stepper = new Stepper(model, parameters, at(0).e);
  const [plain, generated, kernel] = [new Hash(), new Hash(), new Hash()];
  const dx = new Float64Array(model.states.length);
  for (let lane = 0; lane < LANES; lane++) stepper.setParameters(lane, parameters);
  for (let i = 0; i < count; i += LANES) {
    const four = Array.from({ length: LANES }, (_, lane) => at(i + lane));
    for (const [lane, { x, u, e }] of four.entries()) {
      model.derivative(x, u, parameters, e, dx);
      plain.add(dx);
      f(x, u, parameters, e, dx);
      generated.add(dx);
      stepper.setState(lane, x);
      stepper.setInputs(lane, u);
      stepper.setSurroundings(0, lane, 0, e);
      stepper.setBoundaries(lane, e);
    }
    stepper.derivative();
    for (let lane = 0; lane < LANES; lane++) {
      stepper.rates(lane, dx);
      kernel.add(dx);
    }
  }
  return { plain: `${plain}`, generated: `${generated}`, kernel: `${kernel}` };
}

/** States along four motions of `steps` steps; one that is no number any more begins anew. */
export function motionHashes(vehicle: Vehicle, steps: number): Hashes {
  const { model, parameters } = vehicle;
  const at = instants(vehicle, 7);
  const f = generatedDerivative(trace(model, parameters, at(0).e));
  const stepper = new Stepper(model, parameters, at(0).e);
  const n = model.states.length;
  const h = 1e-3;
  const begin = Array.from({ length: LANES }, (_, lane) => at(2 * lane + 1));
  const walk = (derivative: typeof model.derivative) => {
    const hash = new Hash();
    for (const { x: start, u, e } of begin) {
      const integrator = rk4(n);
      const x = start.slice();
      const rhs = (_t: number, s: Float64Array, dx: Float64Array) => derivative(s, u, parameters, e, dx);
      for (let i = 0; i < steps; i++) {
        integrator.step(rhs, 0, h, x);
        model.project?.(x, parameters);
        if (x.some(Number.isNaN)) x.set(start);
        if (i % 100 === 99) hash.add(x);
      }
    }
    return `${hash}`;
  };
  const plain = walk(model.derivative);
  const generated = walk(f);
  const paths: Float64Array[][] = begin.map(() => []);
  begin.forEach(({ x, u, e }, lane) => {
    stepper.setParameters(lane, parameters);
    stepper.setState(lane, x);
    stepper.setInputs(lane, u);
    for (let instant = 0; instant < 3; instant++) stepper.setSurroundings(0, lane, instant, e);
    stepper.setBoundaries(lane, e);
    stepper.setStep(0, lane, h);
  });
  const x = new Float64Array(n);
  for (let i = 0; i < steps; i++) {
    if (i % 2 === 0) stepper.steps(1);
    else for (let stage = 0; stage < 4; stage++) stepper.stage(stage);
    for (let lane = 0; lane < LANES; lane++) {
      stepper.state(lane, x);
      if (x.some(Number.isNaN)) {
        x.set(begin[lane].x);
        stepper.setState(lane, x);
      }
      if (i % 100 === 99) paths[lane].push(x.slice());
    }
  }
  const kernel = new Hash();
  for (const path of paths) for (const row of path) kernel.add(row);
  return { plain, generated, kernel: `${kernel}` };
}
