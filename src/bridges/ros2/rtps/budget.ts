/** Memory that all readers of a participant share for samples that are not complete or wait for earlier ones. */
export class Budget {
  private readonly limit: number;
  private used = 0;
  /** How to give something back, the oldest first. */
  private readonly loans = new Map<object, { readonly bytes: number; readonly end: () => void }>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether there is room for so many bytes; older loans are ended to make some. */
  lend(to: object, bytes: number, end: () => void): boolean {
    if (bytes > this.limit) return false;
    for (const [other, loan] of this.loans) {
      if (this.used + bytes <= this.limit) break;
      this.back(other);
      loan.end();
    }
    this.loans.set(to, { bytes, end });
    this.used += bytes;
    return true;
  }

  back(from: object): void {
    this.used -= this.loans.get(from)?.bytes ?? 0;
    this.loans.delete(from);
  }
}
