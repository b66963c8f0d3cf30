/** A snapshot is the bytes of the arrays that hold everything that changes, one after another, behind a mark of whose they are. */
type Memory = Float64Array | Uint32Array;

const size = (arrays: readonly Memory[]) => arrays.reduce((sum, a) => sum + a.byteLength, 0);
const bytes = (a: Memory) => new Uint8Array(a.buffer, a.byteOffset, a.byteLength);

/** 32-bit FNV-1a of the text, in a double's eight bytes. */
function mark(identity: string): Float64Array {
  let h = 0x811c9dc5;
  for (let i = 0; i < identity.length; i++) h = Math.imul(h ^ identity.charCodeAt(i), 0x01000193);
  return new Float64Array([h]);
}

export function writeMemory(arrays: readonly Memory[], identity = ""): Uint8Array {
  const all = [mark(identity), ...arrays];
  const out = new Uint8Array(size(all));
  let offset = 0;
  for (const a of all) {
    out.set(bytes(a), offset);
    offset += a.byteLength;
  }
  return out;
}

/** Fills the arrays and returns the doubles that follow them. */
export function readMemory(snapshot: Uint8Array, arrays: readonly Memory[], identity = ""): Float64Array {
  const whose = new Float64Array(1);
  const rest = snapshot.byteLength - size(arrays) - whose.byteLength;
  if (rest < 0 || rest % 24 !== 0)
    throw new Error(
      "this snapshot was taken from a simulation of another shape (vehicle, wind, sensors or integrator differ)",
    );
  bytes(whose).set(snapshot.subarray(0, 8));
  if (whose[0] !== mark(identity)[0])
    throw new Error(
      "this snapshot was taken from another scenario (seed, wind, inputs, integrator or step differ)",
    );
  let offset = 8;
  for (const a of arrays) {
    bytes(a).set(snapshot.subarray(offset, offset + a.byteLength));
    offset += a.byteLength;
  }
  return new Float64Array(snapshot.slice(offset).buffer);
}
