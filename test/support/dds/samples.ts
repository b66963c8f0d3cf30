/** What is sent in the tests, and how it is told apart at the other end. */
export const VECTOR = "geometry_msgs/Vector3Stamped";
export const BYTES = "std_msgs/UInt8MultiArray";

export const vector = (n: number) => ({
  header: { stamp: { sec: n, nanosec: 7 }, frame_id: "ned" },
  vector: { x: 1 / n, y: -n, z: Math.sqrt(n) },
});
export const bytes = (n: number, size: number) => ({
  layout: { dim: [], data_offset: n },
  data: Uint8Array.from({ length: size }, (_, i) => (7 * i + n + (i >> 8)) & 255),
});
export function checksum(data: Uint8Array): string {
  let h = 1469598103934665603n;
  for (const b of data) h = BigInt.asUintN(64, (h ^ BigInt(b)) * 1099511628211n);
  return h.toString(16);
}
export const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
export const rest = (ms: number) => new Promise((go) => setTimeout(go, ms));

/** Loses every datagram with a chance, always the same ones. */
export function losing(part: number): () => boolean {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) / 16777216 < part;
  };
}

/** Writes so many at a rate, in bursts where timers are too slow. */
export async function write(count: number, rate: number, publish: (n: number) => void): Promise<void> {
  const begun = performance.now();
  for (let n = 1; n <= count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - begun) / 1000) * rate) + 1);
    for (; n <= due; n++) publish(n);
    await rest(1);
  }
}
