/**
 * Sobol's sequence: points that fill a cube more evenly than random ones. Direction numbers: Joe and Kuo, "Constructing Sobol sequences
 * with better two-dimensional projections", SIAM J. Sci. Comput. 30 (2008), the first 21 dimensions.
 */

/** Of each dimension from the second on: degree of the primitive polynomial, its inner coefficients as bits, first direction numbers. */
const DIRECTIONS: readonly (readonly [degree: number, coefficients: number, first: readonly number[]])[] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
  [6, 19, [1, 1, 1, 15, 7, 5]],
  [6, 22, [1, 3, 1, 15, 13, 25]],
  [6, 25, [1, 1, 5, 5, 19, 61]],
  [7, 1, [1, 3, 7, 11, 23, 15, 103]],
  [7, 4, [1, 3, 7, 13, 13, 15, 69]],
];
export const SOBOL_DIMENSIONS: number = DIRECTIONS.length + 1;
const BITS = 32;

const directions = Array.from({ length: SOBOL_DIMENSIONS }, (_, dimension) => {
  const v = new Uint32Array(BITS);
  if (dimension === 0) {
    for (let i = 0; i < BITS; i++) v[i] = 1 << (BITS - 1 - i);
    return v;
  }
  const [degree, coefficients, first] = DIRECTIONS[dimension - 1];
  for (let i = 0; i < BITS; i++) {
    if (i < degree) {
      v[i] = first[i] << (BITS - 1 - i);
      continue;
    }
    v[i] = v[i - degree] ^ (v[i - degree] >>> degree);
    for (let k = 1; k < degree; k++) if ((coefficients >> (degree - 1 - k)) & 1) v[i] ^= v[i - k];
  }
  return v;
});

/** The point of an index in one dimension, as 32 bits after the binary point. */
export function sobol(index: number, dimension: number): number {
  const v = directions[dimension];
  let bits = 0;
  for (let i = 0, gray = index ^ (index >>> 1); gray !== 0; i++, gray >>>= 1) if (gray & 1) bits ^= v[i];
  return bits >>> 0;
}
