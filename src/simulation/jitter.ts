/** How late ticks come, as a histogram that takes no more room the longer it runs. */
const BINS = 400;
/** Width of the first bins [ms]; they grow from there by a twentieth. */
const FINEST = 0.05;
const GROWTH = 1.05;

/** Upper ends of the bins [ms]. */
const ENDS = Float64Array.from({ length: BINS }, () => 0);
for (let i = 0, end = FINEST, width = FINEST; i < BINS; i++, end += width) {
  ENDS[i] = end;
  width = Math.max(FINEST, (GROWTH - 1) * end);
}

export class Jitter {
  private readonly bins = new Uint32Array(BINS);
  count = 0;
  /** ms. */
  worst = 0;

  add(late: number): void {
    this.count++;
    this.worst = Math.max(this.worst, late);
    let [low, high] = [0, BINS - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (late <= ENDS[middle]) high = middle;
      else low = middle + 1;
    }
    this.bins[low]++;
  }

  /** So many of all ticks came within this [ms]; exact to a twentieth. */
  quantile(part: number): number {
    let sum = 0;
    for (let i = 0; i < BINS; i++) {
      sum += this.bins[i];
      if (sum >= part * this.count) return Math.min(this.worst, ENDS[i]);
    }
    return this.worst;
  }
}
