/** Numbers with the same bits on every machine: elementary functions, vectors, quaternions, linear systems, random numbers. */
export * as elementary from "../math/elementary.ts";
export * as lu from "../math/lu.ts";
export * as quaternion from "../math/quaternion.ts";
export { type Stream, stream } from "../math/random.ts";
export * as vec3 from "../math/vec3.ts";
