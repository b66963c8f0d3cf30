/**
 * The project's own elementary functions: the same bits in every JavaScript engine (Math.sin and its kin are
 * implementation-approximated). Errors against the correctly rounded result, measured in test/analytic: sin, cos, exp,
 * log below 1 ulp, the others below 2. Special values as ECMAScript's Math.
 */
export { exp, expm1, log, tanh } from "./exponential.ts";
export { acos, asin, atan, atan2, atanEach } from "./inverse-trigonometric.ts";
export { hypot, pow } from "./power.ts";
export { cos, cosSin, sin, sinEach, tan } from "./trigonometric.ts";
