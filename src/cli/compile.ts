import type { Command } from "commander";
import { reachable } from "../compile/expand.ts";
import { entriesOf, jacobianModule } from "../compile/jacobian.ts";
import { jacobianKernel } from "../compile/jacobian-kernel.ts";
import { hasVectors, LANES } from "../compile/kernel.ts";
import { derivativeCode, jacobianCode, readable } from "../compile/print.ts";
import { Stepper } from "../compile/stepper.ts";
import { type TracedModel, trace } from "../compile/trace.ts";
import { UnsupportedSyntax } from "../compile/unsupported-syntax.ts";
import { slotOf } from "../environment/boundaries.ts";
import { stillAir } from "../environment/environment.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { findVehicle } from "./inputs.ts";
import { printJson, table } from "./table.ts";
import { print } from "./terminal.ts";

const PRINTED = ["derivative", "jacobian"];

interface Options {
  readonly print?: string | true;
  readonly ground?: boolean;
  readonly json?: boolean;
}

export function addCompile(program: Command): void {
  program
    .command("compile")
    .description("compile a vehicle's equations: expression graph, exact Jacobian, WebAssembly kernels")
    .argument("<vehicle>", "a vehicle's name or file")
    .option("--print [what]", `print the generated JavaScript: ${PRINTED.join(" or ")}`)
    .option("--ground", "with flat ground at altitude 0 (default: no boundaries)")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      `
Examples:
  sideslip compile parafoil
  sideslip compile formula-student --print jacobian
Nothing is stored: other commands compile what they need (docs/compile.md).
`,
    )
    .action(compileCommand);
}

function compileCommand(name: string, options: Options): void {
  const vehicle = findVehicle(name);
  const { print: printed } = options;
  if (typeof printed === "string" && !PRINTED.includes(printed))
    throw new InputError("cannot be printed", {
      field: "--print",
      value: printed,
      allowed: PRINTED.join(", "),
    });
  const e = stillAir(vehicle.model);
  if (options.ground && vehicle.model.boundarySlots)
    e.set(slotOf({ name: "ground", point: [0, 0, 0], normal: [0, 0, -1] }), vehicle.model.environment.length);
  try {
    if (printed === undefined) report(vehicle, e, options.json === true);
    else print(code(vehicle, e, printed === "jacobian"));
  } catch (error) {
    if (!(error instanceof UnsupportedSyntax)) throw error;
    throw new InputError(`cannot be compiled: ${error.message}; the vehicle still runs without compilation`, {
      file: name,
    });
  }
}

function code({ name, model, parameters }: Vehicle, e: Float64Array, isJacobian: boolean): string {
  const traced = trace(model, parameters, e);
  const names = (letter: string, fields: readonly Field[]) =>
    fields.length === 0 ? "" : `// ${letter}: ${fields.map((f, i) => `${i} ${f.name}`).join(", ")}\n`;
  return [
    `// ${name}: ${isJacobian ? "derivatives of dx by x, row by row" : "dx = f(x, u, p, e)"}. Generated, never edited.\n`,
    names("x", model.states),
    names("u", model.inputs),
    names("e", model.environment),
    isJacobian
      ? jacobianCode(model, traced, "states", readable(model))
      : derivativeCode(traced, readable(model)),
    "\n",
  ].join("");
}

function timed<T>(work: () => T): { readonly result: T; readonly milliseconds: number } {
  const start = performance.now();
  const result = work();
  return { result, milliseconds: Math.round(performance.now() - start) };
}

function report({ name, model, parameters }: Vehicle, e: Float64Array, isJson: boolean): void {
  const tracing = timed(() => trace(model, parameters, e));
  const traced: TracedModel = tracing.result;
  const operations = reachable(traced.graph, traced.rates).length;
  const entries = entriesOf(model, traced, "states");
  const summary = {
    vehicle: name,
    operations,
    assumptions: traced.assumptions.length,
    lift_ms: tracing.milliseconds,
    jacobian: { size: model.states.length, nonzero: entries.length },
    ...(hasVectors()
      ? machines(model, parameters, e, traced)
      : { machine: "WebAssembly SIMD is not available" }),
  };
  if (isJson) {
    printJson({ ...summary, pattern: entries.map(({ row, column }) => [row, column]) });
    return;
  }
  const rows = model.states.map((state, row) => {
    const columns = new Set(entries.filter((entry) => entry.row === row).map((entry) => entry.column));
    return [state.name, model.states.map((_, j) => (columns.has(j) ? "#" : ".")).join("")];
  });
  const lines = Object.entries(summary).map(([key, value]) => [
    key.replace("_", " "),
    typeof value === "object"
      ? Object.entries(value)
          .map(([k, v]) => `${k} ${v}`)
          .join(", ")
      : String(value),
  ]);
  print(
    `${table(["", ""], lines)}\nPattern of the Jacobian: the rate of each state by the states in the same order\n${table(["rate of", "by"], rows)}`,
  );
}

function machines(model: Vehicle["model"], parameters: unknown, e: Float64Array, traced: TracedModel) {
  const stepping = timed(() => new Stepper(model, parameters, e));
  const slopes = timed(() => {
    const code = jacobianModule(model, traced, "states", parameters);
    jacobianKernel(code);
    return { bytes: code.module.length };
  });
  return {
    step: { lanes: LANES, bytes: stepping.result.bytes, ms: stepping.milliseconds },
    derivatives: { bytes: slopes.result.bytes, ms: slopes.milliseconds },
  };
}
