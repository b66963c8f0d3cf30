/** Steps of a tick: the largest that are allowed, the last one as long as what is left. */

export function lengthOf(t: number, end: number, largest: number): number {
  const left = end - t;
  return left <= largest * (1 + 1e-9) ? left : largest;
}

/** All of them; how many, or 0 where there is no room for them. */
export function lengthsAhead(start: number, end: number, largest: number, lengths: Float64Array): number {
  let count = 0;
  for (let t = start; t < end; count++) {
    if (count === lengths.length) return 0;
    const h = lengthOf(t, end, largest);
    lengths[count] = h;
    t = h === end - t ? end : t + h;
  }
  return count;
}
