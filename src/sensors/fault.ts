/** How a sensor fails. */
export const FAULT_MODES = ["sound", "off", "stuck", "noisy", "biased", "dropped"] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

/** From a time on; noisy by a factor, dropped by a part of the samples, biased in the sensor's units, one number an axis. */
export interface SensorFault {
  readonly t: number;
  /** As the scenario's `sensors` block names it. */
  readonly sensor: string;
  readonly mode: FaultMode;
  readonly amount?: readonly number[];
}

const SOUND: SensorFault = { t: 0, sensor: "", mode: "sound" };

/** What is wrong with one sensor at a time; of lines in the order of their times the last one counts. */
export function faultOf(faults: readonly SensorFault[], sensor: string): (t: number) => SensorFault {
  const lines = faults.filter((f) => f.sensor === sensor);
  if (lines.length === 0) return () => SOUND;
  return (t) => lines.findLast((f) => f.t <= t + 1e-9) ?? SOUND;
}
