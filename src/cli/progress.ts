/** One line on standard error for work over a second: percentage, speed, remaining time. */
export class Progress {
  private readonly startedAt = performance.now();
  private shown = 0;
  private readonly every: number;

  constructor() {
    // A terminal line is rewritten; a log gets a line now and then.
    this.every = process.stderr.isTTY ? 200 : 10_000;
  }

  update(done: number, total: number, rate: string): void {
    const now = performance.now();
    const elapsed = now - this.startedAt;
    if (elapsed < 1000 || now - this.shown < this.every) return;
    // Work without an end has no percentage to log.
    if (total === Number.POSITIVE_INFINITY && !process.stderr.isTTY) return;
    this.shown = now;
    const left = done > 0 ? ((elapsed / done) * (total - done)) / 1000 : Number.NaN;
    const line =
      total === Number.POSITIVE_INFINITY
        ? rate
        : `${((100 * done) / total).toFixed(0).padStart(3)} %  ${rate}  ${duration(left)} left`;
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  }

  clear(): void {
    if (this.shown > 0 && process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  }

  get seconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }
}

function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?";
  if (seconds < 100) return `${seconds.toFixed(0)} s`;
  if (seconds < 6000) return `${(seconds / 60).toFixed(0)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
