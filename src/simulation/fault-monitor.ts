/** Reports when a fault of the scenario begins, changes and ends. */
import { STOPPED } from "../control/faults.ts";
import type { TimelineEntry } from "../control/timeline.ts";
import type { Monitor } from "../model/monitor.ts";
import type { SensorFault } from "../sensors/fault.ts";

interface Change {
  readonly t: number;
  readonly name: string;
}

/** As text: the fault of a part, from a time on. */
function changesOf(faults: readonly TimelineEntry[], sensors: readonly SensorFault[]): Change[] {
  const list: Change[] = [];
  const last = new Map<string, string>();
  const note = (t: number, part: string, state: string) => {
    if ((last.get(part) ?? "sound") === state) return;
    last.set(part, state);
    list.push({ t, name: state === "sound" ? `recovered: ${part}` : `fault: ${part} ${state}` });
  };
  for (const { t, inputs } of faults)
    for (const [part, health] of Object.entries(inputs))
      note(
        t,
        part,
        health === STOPPED
          ? "stopped"
          : health === 1
            ? "sound"
            : health === 0
              ? "produces no loads, its motor keeps turning"
              : `produces ${Number((100 * health).toPrecision(3))} % of its loads`,
      );
  for (const { t, sensor, mode } of sensors) note(t, sensor, mode);
  return list.sort((a, b) => a.t - b.t);
}

export function faultMonitor(
  faults: readonly TimelineEntry[],
  sensors: readonly SensorFault[],
): Monitor | undefined {
  const changes = changesOf(faults, sensors);
  if (changes.length === 0) return undefined;
  const reported = Float64Array.of(0);
  return {
    fields: [],
    events: [...new Set(changes.map((c) => c.name))],
    memory: [reported],
    // Faults follow the time, which goes on.
    reset: () => {},
    observe(t, _x, _out, report) {
      for (; reported[0] < changes.length && changes[reported[0]].t <= t + 1e-9; reported[0]++)
        report(changes[reported[0]].name, t);
      return false;
    },
  };
}
