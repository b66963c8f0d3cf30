/** Steps of radau by a compiled WebAssembly kernel. */
import { STAGES } from "../integrators/newton.ts";
import { memoryLayout } from "../integrators/radau.ts";
import type { Blocks } from "../math/block-triangular.ts";
import type { Newton, NewtonKernel } from "../model/model.ts";
import type { Initialisation } from "./initialisation.ts";
import { kernelsOf, LANES } from "./kernel.ts";

/** Lists of a factored system. */
export const FACTORS = ["values", "inverse", "inverseRe", "inverseIm"] as const;

/** Addresses of the lists: radau's numbers, the factors, the stages in lanes and their derivatives, what the derivative needs besides. */
export type Addresses = Readonly<
  Record<
    "numbers" | (typeof FACTORS)[number] | "constants" | "stages" | "slopes" | "vehicle" | "around",
    number
  >
>;

/** A kernel for one vehicle at a time, and its memory layout. */
export interface NewtonCode {
  readonly module: Uint8Array;
  readonly initialisation: Initialisation;
  /** Radau's own; those of the derivative are part of the initialisation. */
  readonly constants: readonly number[];
  readonly shape: {
    readonly states: number;
    /** Of the environment, those that change from instant to instant. */
    readonly fields: number;
    readonly at: Addresses;
    readonly inputs: number;
    readonly boundaries: number;
  };
}

/** Kernels beside what is known already, of vehicles with the same graph. Each owner has its own: simulations must not share a kernel's memory. */
export function newtonKernels(
  { module, initialisation, constants, shape }: NewtonCode,
  known: Newton,
): (owner: object, parameters: unknown) => Newton {
  const { states, fields, at } = shape;
  const { size } = memoryLayout(states);
  const machines = kernelsOf(module, at.constants + 8 * constants.length);
  const kernelOf = (parameters: unknown): NewtonKernel => {
    const { memory, calls } = machines();
    initialisation.begin(memory);
    memory.set(constants, at.constants / 8);
    for (let lane = 0; lane < LANES; lane++) initialisation.prepare(memory, at.vehicle, lane, parameters);
    const [inputs, boundaries, surroundings] = [shape.inputs, shape.boundaries, at.around].map((a) => a / 8);
    return {
      numbers: memory.subarray(at.numbers / 8, at.numbers / 8 + size),
      take(made: Blocks) {
        for (const name of FACTORS) memory.set(made[name], at[name] / 8);
      },
      setInputs(u) {
        for (let i = 0, to = inputs; i < u.length; i++, to += LANES) {
          const v = u[i];
          memory[to] = v;
          memory[to + 1] = v;
          memory[to + 2] = v;
          memory[to + 3] = v;
        }
      },
      setSurroundings(stage, e) {
        // The last stage has two lanes.
        const end = stage === STAGES.length - 1 ? LANES : stage + 1;
        for (let lane = stage; lane < end; lane++) {
          for (let i = 0; i < fields; i++) memory[surroundings + LANES * i + lane] = e[i];
          for (let i = fields; i < e.length; i++) memory[boundaries + LANES * (i - fields) + lane] = e[i];
        }
      },
      solve: calls.solve as () => void,
      accept: calls.accept as () => void,
    };
  };
  const made = new WeakMap<object, { readonly parameters: unknown; readonly newton: Newton }>();
  return (owner, parameters) => {
    const last = made.get(owner);
    if (last !== undefined && last.parameters === parameters) return last.newton;
    const newton = { ...known, kernel: kernelOf(parameters) };
    made.set(owner, { parameters, newton });
    return newton;
  };
}
