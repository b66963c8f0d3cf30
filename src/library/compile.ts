/** The equations' own source as a graph: exact Jacobians, JavaScript, WebAssembly kernels for four vehicles at once. */
export { type BatchOptions, runBatch } from "../compile/batch.ts";
export { LANES } from "../compile/kernel.ts";
export { derivativeCode, generatedDerivative, jacobianCode } from "../compile/print.ts";
export { Stepper } from "../compile/stepper.ts";
export { type TracedModel, trace } from "../compile/trace.ts";
export { UnsupportedSyntax } from "../compile/unsupported-syntax.ts";
export { type JacobianOptions, withJacobian } from "../compile/with-jacobian.ts";
