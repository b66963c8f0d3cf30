/** A snapshot is the bytes of the arrays that hold everything that changes, one after another. */
type Memory = Float64Array | Uint32Array;

const size = (arrays: readonly Memory[]) => arrays.reduce((sum, a) => sum + a.byteLength, 0);
const bytes = (a: Memory) => new Uint8Array(a.buffer, a.byteOffset, a.byteLength);

export function writeMemory(arrays: readonly Memory[]): Uint8Array {
  const out = new Uint8Array(size(arrays));
  let offset = 0;
  for (const a of arrays) {
    out.set(bytes(a), offset);
    offset += a.byteLength;
  }
  return out;
}

export function readMemory(snapshot: Uint8Array, arrays: readonly Memory[]): void {
  if (snapshot.byteLength !== size(arrays))
    throw new Error(
      "this snapshot was taken from a simulation of another shape (vehicle, wind, sensors or integrator differ)",
    );
  let offset = 0;
  for (const a of arrays) {
    bytes(a).set(snapshot.subarray(offset, offset + a.byteLength));
    offset += a.byteLength;
  }
}
