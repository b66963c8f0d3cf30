/** How much of this process's time one client's requests may take: what they took is waited for before the next. */
export class Allowance {
  /** Of real time. */
  private static readonly SHARE = 0.05;
  /** At once [ms]. */
  private static readonly BURST = 5;
  private left = Allowance.BURST;
  private at: number;

  constructor(now: number) {
    this.at = now;
  }
  /** How long to wait until something is left [ms]; 0 if there is. */
  wait(now: number): number {
    this.left = Math.min(Allowance.BURST, this.left + (now - this.at) * Allowance.SHARE);
    this.at = now;
    return this.left > 0 ? 0 : Math.ceil((1 - this.left) / Allowance.SHARE);
  }
  spend(ms: number): void {
    this.left -= ms;
  }
}
