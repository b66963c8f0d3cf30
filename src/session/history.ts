/** Channels of a flight over time, in as many points as a picture needs: the least and the most of each stretch. */
import { createBoundaries } from "../environment/boundaries.ts";
import { environmentLength } from "../environment/environment.ts";
import { indexOf } from "../model/model.ts";
import type { Action } from "../simulation/flight/action.ts";
import type { Flight } from "../simulation/flight/flight.ts";
import { withParameters } from "../vehicles/vehicle.ts";
import type { Playback } from "./playback.ts";
import type { Series } from "./protocol.ts";

/** Complete past samples: outputs are recomputed from the recorded states and inputs. */
export class History {
  private readonly flight: Flight;
  private readonly row: Float64Array;
  private readonly dx: Float64Array;
  private readonly e: Float64Array;
  /** States, inputs, outputs and environment: windows of the row. */
  private readonly windows: readonly Float64Array[];
  private setting:
    | { change: Action | undefined; p: unknown; setBoundaries: (x: Float64Array) => void }
    | undefined;

  constructor(flight: Flight) {
    const { model } = flight.vehicle;
    const { channels } = flight.simulation;
    this.flight = flight;
    this.row = new Float64Array(channels.length);
    this.dx = new Float64Array(model.states.length);
    this.e = new Float64Array(environmentLength(model));
    this.windows = [model.states, model.inputs, model.outputs, model.environment].map((fields) => {
      const at = fields.length === 0 ? 0 : indexOf(channels, fields[0].name);
      return this.row.subarray(at, at + fields.length);
    });
  }

  /** The sample of a tick, valid until the next call. */
  sample(tick: number): Float64Array {
    const { row, e } = this;
    const { model } = this.flight.vehicle;
    this.flight.record.read(tick, row);
    const [x, u, y, air] = this.windows;
    const { p, setBoundaries } = this.settingAt(tick);
    e.set(air);
    setBoundaries(x);
    model.derivative(x, u, p, e, this.dx, y);
    return row;
  }

  /** Parameters and boundaries of a tick; asked for neighbours, which share them. */
  private settingAt(tick: number) {
    const { flight } = this;
    if (this.setting === undefined || this.setting.change !== flight.lastChange(tick)) {
      const { model } = flight.vehicle;
      const { parameters, scenario } = flight.settingAt(tick);
      const slots = model.boundarySlots ?? 0;
      const boundaries = slots > 0 ? createBoundaries(scenario.boundaries, slots) : undefined;
      const fields = model.environment.length;
      this.setting = {
        change: flight.lastChange(tick),
        p: withParameters(flight.vehicle, { ...scenario.changedParameters, ...parameters }).parameters,
        setBoundaries: (x) => boundaries?.surround(x[0], x[1], x[2], this.e, fields),
      };
    }
    return this.setting;
  }
}

/** Ticks evenly between two, at most so many. */
function* ticksBetween(from: number, to: number, most: number): Generator<number> {
  const count = Math.min(most, to - from + 1);
  for (let k = 0; k < count; k++) yield from + (count < 2 ? 0 : Math.round((k * (to - from)) / (count - 1)));
}

export function seriesOf(
  playback: Playback,
  names: readonly string[],
  from: number,
  to: number,
  most: number,
): Series {
  const { record, channels } = playback;
  const places = names.map((name) => indexOf(channels, name));
  const first = record.tickAt(from);
  const last = record.tickAt(to);
  const recorded = places.map((place) => record.columns.indexOf(place));
  const needsOutputs = recorded.some((column, i) => column < 0 && places[i] >= 0);
  const isShort = last - first < most;
  const pairs = Math.max(1, Math.floor(most / 2));
  const edges = isShort ? [] : [...ticksBetween(first, last, pairs + 1)];
  const points = isShort ? last - first + 1 : 2 * pairs;
  const t = new Float64Array(points);
  const columns = names.map(() => new Float64Array(points).fill(Number.NaN));
  const put = (point: number, tick: number) => {
    t[point] = record.value(tick, 0);
    const row = needsOutputs ? playback.sampleAt(tick) : undefined;
    columns.forEach((column, i) => {
      if (places[i] < 0) return;
      column[point] = recorded[i] >= 0 ? record.value(tick, recorded[i]) : (row?.[places[i]] ?? Number.NaN);
    });
  };
  if (isShort) {
    for (let k = 0; k < points; k++) put(k, first + k);
    return { t, columns };
  }
  for (let k = 0; k < pairs; k++) {
    const [a, b] = [edges[k], edges[k + 1]];
    put(2 * k, a);
    put(2 * k + 1, Math.max(a, (a + b) >> 1));
    // No short peak is lost: each interval contributes its minimum and its maximum, in their order.
    recorded.forEach((column, i) => {
      if (column < 0) return;
      let [low, high] = [a, a];
      for (let tick = a; tick < b; tick++) {
        const v = record.value(tick, column);
        if (v < record.value(low, column)) low = tick;
        if (v > record.value(high, column)) high = tick;
      }
      columns[i][2 * k] = record.value(Math.min(low, high), column);
      columns[i][2 * k + 1] = record.value(Math.max(low, high), column);
    });
  }
  return { t, columns };
}
