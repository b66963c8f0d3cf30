/** The right-hand side: a model bound to its environment, inputs and parameters, for integrators. */
import type { Environment } from "../environment/environment.ts";
import type { NewtonMachine, Rhs } from "../integrators/integrator.ts";
import { STAGES } from "../integrators/newton.ts";
import type { Model, Newton, NewtonKernel } from "../model/model.ts";

/** u and e are those of the simulation, parameters may change between steps. */
export function rhsOf(
  model: Model,
  environment: Environment,
  u: Float64Array,
  e: Float64Array,
  parameters: () => unknown,
): Rhs {
  const f: Rhs = (t, at, dx) => {
    environment.at(t, at, e);
    model.derivative(at, u, parameters(), e, dx);
  };
  if (model.jacobian)
    f.jacobian = (t, at, J) => {
      environment.at(t, at, e);
      if (model.newton?.(f, parameters(), e)?.byDifferences) return false;
      return model.jacobian?.("states", at, u, parameters(), e, J) === true;
    };
  if (!model.newton) return f;
  const machineOf = (kernel: NewtonKernel): NewtonMachine => ({
    ...kernel,
    solve(t, h) {
      kernel.setInputs(u);
      for (let stage = 0; stage < STAGES.length; stage++) {
        // The same for all states.
        environment.at(t + STAGES[stage] * h, kernel.numbers, e);
        kernel.setSurroundings(stage, e);
      }
      kernel.solve();
    },
  });
  let known: Newton | undefined;
  let offered: ReturnType<NonNullable<Rhs["newton"]>>;
  f.newton = () => {
    const found = model.newton?.(f, parameters(), e);
    if (found !== known) {
      known = found;
      // The kernel computes all stages at once: their environment must not depend on the stages' states.
      const kernel = environment.isUniform ? found?.kernel : undefined;
      offered = found && { pattern: found.pattern, machine: kernel && machineOf(kernel) };
    }
    return offered;
  };
  return f;
}
