/** Counts rejected input by reason; rejected input is not passed on and does not stop the process. */
export class Counts {
  private readonly found = new Map<string, number>();

  add(reason: string): void {
    // Reasons carry numbers of hostile packets; so their number is limited.
    const key = this.found.has(reason) || this.found.size < 64 ? reason : "other";
    this.found.set(key, (this.found.get(key) ?? 0) + 1);
  }
  get total(): number {
    let sum = 0;
    for (const n of this.found.values()) sum += n;
    return sum;
  }
  /** By reason, the most frequent first. */
  entries(): [string, number][] {
    return [...this.found].sort((a, b) => b[1] - a[1]);
  }
}
