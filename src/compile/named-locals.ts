/**
 * Code whose locals are named while it is written and numbered when it is complete: what nobody reads any more gives its number to the
 * next. There are no jumps back, so the last mention in the text is the last in time. Engines go through all locals wherever ways meet.
 */
import { Bytes, OP } from "./wasm.ts";

/** Below all bytes. */
const nameOf = (local: number) => -1 - local;

export class NamedLocals extends Bytes {
  private readonly pointers: number;
  private readonly fresh = new Set<number>();

  /** The function's parameters have names as they have numbers. */
  constructor(pointers: number) {
    super();
    this.pointers = pointers;
  }

  override get(local: number): this {
    return local < this.pointers ? super.get(local) : this.byte(OP.localGet, nameOf(local));
  }
  override set(local: number): this {
    return local < this.pointers ? super.set(local) : this.byte(OP.localSet, nameOf(local));
  }

  /** Set on one of two ways alone: on the other nothing must live on in it, or it would take up a register. */
  setOnOneWay(local: number): void {
    this.fresh.add(nameOf(local));
  }

  numbered(): { readonly body: readonly number[]; readonly vectors: number } {
    const lasts = new Map<number, number>();
    this.list.forEach((byte, at) => {
      if (byte < 0) lasts.set(byte, at);
    });
    const numbers = new Map<number, number>();
    const free: number[] = [];
    let next = this.pointers;
    const code = new Bytes();
    this.list.forEach((byte, at) => {
      if (byte >= 0) {
        code.list.push(byte);
        return;
      }
      const number = numbers.get(byte) ?? (this.fresh.has(byte) ? undefined : free.pop()) ?? next++;
      numbers.set(byte, number);
      code.unsigned(number);
      if (lasts.get(byte) === at) free.push(number);
    });
    return { body: code.list, vectors: next - this.pointers };
  }
}
