/**
 * Unit quaternions, scalar first, Hamilton product: q_NB maps body vectors to world vectors, v_N = q v_B q*.
 * Stored as four numbers (w, x, y, z) in a Float64Array at an offset; nothing is allocated.
 */
import { asin, atan2, cos, sin } from "./elementary.ts";

type Array64 = Float64Array;

/** Scales q to unit length; NaN stays NaN, so that a diverged attitude is seen. */
export function normalise(q: Array64, i = 0): void {
  const w = q[i];
  const x = q[i + 1];
  const y = q[i + 2];
  const z = q[i + 3];
  const n = Math.sqrt(w * w + x * x + y * y + z * z);
  q[i] = w / n;
  q[i + 1] = x / n;
  q[i + 2] = y / n;
  q[i + 3] = z / n;
}

/** Yaw about down, then pitch about the new right axis, then roll about the new forward axis (ZYX). */
export function fromEuler(roll: number, pitch: number, yaw: number, out: Array64, i = 0): void {
  const cr = cos(roll / 2);
  const sr = sin(roll / 2);
  const cp = cos(pitch / 2);
  const sp = sin(pitch / 2);
  const cy = cos(yaw / 2);
  const sy = sin(yaw / 2);
  out[i] = cr * cp * cy + sr * sp * sy;
  out[i + 1] = sr * cp * cy - cr * sp * sy;
  out[i + 2] = cr * sp * cy + sr * cp * sy;
  out[i + 3] = cr * cp * sy - sr * sp * cy;
}

export function rollOf(w: number, x: number, y: number, z: number): number {
  return atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
}
export function pitchOf(w: number, x: number, y: number, z: number): number {
  const s = 2 * (w * y - x * z);
  return asin(s > 1 ? 1 : s < -1 ? -1 : s);
}
export function yawOf(w: number, x: number, y: number, z: number): number {
  return atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** v_N = R_NB v_B. */
export function toWorld(q: Array64, i: number, v: Array64, j: number, out: Array64, k: number): void {
  rotate(q[i], q[i + 1], q[i + 2], q[i + 3], v, j, out, k);
}
/** v_B = R_NB^T v_N. */
export function toBody(q: Array64, i: number, v: Array64, j: number, out: Array64, k: number): void {
  rotate(q[i], -q[i + 1], -q[i + 2], -q[i + 3], v, j, out, k);
}

/** v + 2 w (u x v) + 2 u x (u x v), u the vector part. */
function rotate(
  w: number,
  x: number,
  y: number,
  z: number,
  v: Array64,
  j: number,
  out: Array64,
  k: number,
): void {
  const a = v[j];
  const b = v[j + 1];
  const c = v[j + 2];
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  out[k] = a + w * tx + (y * tz - z * ty);
  out[k + 1] = b + w * ty + (z * tx - x * tz);
  out[k + 2] = c + w * tz + (x * ty - y * tx);
}
