/** A run as a picture: ground track and time histories, from a bounded number of samples whatever the run's length. */
import { htmlPage } from "../formats/html-page.ts";
import { type Panel, type Series, svgCharts, svgPanel } from "../formats/svg-chart.ts";
import type { Field } from "../model/field.ts";
import type { Sink } from "../simulation/recorder.ts";

/** A few for each pixel of a panel's width. */
const MOST_POINTS = 2048;
const DEG = 180 / Math.PI;

/** A sink that draws a run as SVG: ground track and time histories, from a bounded number of samples however long the run is. */
export class FlightPlot implements Sink {
  private channels: readonly Field[] = [];
  private rows: Float64Array[] = [];
  private stride = 1;
  private count = 0;
  private last: Float64Array = new Float64Array(0);
  /** What lies on the ground. */
  private readonly map: readonly Series[];

  constructor(map: readonly Series[] = []) {
    this.map = map;
  }

  open(channels: readonly Field[]): undefined {
    this.channels = channels;
    this.last = new Float64Array(channels.length);
  }

  /** Keeps every stride-th sample and doubles the stride when full. */
  write(row: Float64Array): void {
    this.last.set(row);
    if (this.count++ % this.stride !== 0) return;
    this.rows.push(row.slice());
    if (this.rows.length < MOST_POINTS) return;
    this.rows = this.rows.filter((_, i) => i % 2 === 0);
    this.stride *= 2;
  }

  close(): void {
    const end = this.rows.at(-1);
    if (end !== undefined && end[0] !== this.last[0]) this.rows.push(this.last.slice());
  }

  svg(): string {
    return svgCharts(this.panels());
  }

  /** A page that needs nothing else. */
  html(title: string, facts: readonly (readonly [string, string])[]): string {
    return htmlPage(title, [{ pictures: this.panels().map(svgPanel) }, { facts }]);
  }

  private panels(): Panel[] {
    const has = (name: string) => this.channels.some((c) => c.name === name);
    const panels: Panel[] = [];
    if (has("north") && has("east"))
      panels.push({
        title: "Ground track, seen from above",
        xLabel: "east [m]",
        yLabel: "north [m]",
        equal: true,
        ends: true,
        series: [{ name: "track", x: this.column("east"), y: this.column("north") }],
      });
    if (has("X") && has("Y"))
      panels.push({
        title: "Track, seen from above",
        xLabel: "X [m]",
        yLabel: "Y [m]",
        equal: true,
        ends: true,
        series: [{ name: "car", x: this.column("X"), y: this.column("Y") }, ...this.map],
      });
    for (const group of this.groups()) panels.push(this.history(group));
    return panels;
  }

  /** Channels that belong in one panel: the scalar outputs by unit, headings apart, then controls and wind. */
  private groups(): { title: string; fields: Field[] }[] {
    const has = (name: string) => this.channels.some((c) => c.name === name);
    const isWind = (f: Field) => f.name.startsWith("wind_");
    const isControl = (f: Field) =>
      f.kind === "actuator" || f.name.endsWith("_cmd") || f.name.startsWith("u_");
    // Of parts that come in numbers (thrust_1, ...) only the thrusts are shown.
    const isScalar = (f: Field) =>
      f.parent === undefined &&
      f.vector === undefined &&
      f.kind === undefined &&
      !/_(\d+|[FR][LR])$/.test(f.name) &&
      !isOfTrack(f);
    const plain = this.channels
      .slice(1)
      .filter((f) => isScalar(f) && !isWind(f) && !isControl(f) && !isSensor(f));
    const withUnit = (unit: string) => plain.filter((f) => f.unit === unit && !f.cyclic);
    // Of many surfaces only the first, or nothing could be told apart.
    const numbered = (pattern: RegExp) => this.channels.filter((f) => pattern.test(f.name)).slice(0, 6);
    const groups = [
      { title: "Height", fields: withUnit("m") },
      { title: "Speed", fields: withUnit("m/s") },
      { title: "Angles", fields: withUnit("rad") },
      { title: "Heading", fields: plain.filter((f) => f.cyclic) },
      { title: "Rates", fields: this.channels.filter((f) => f.kind === "rate") },
      { title: "Angle of attack and sideslip", fields: numbered(/^(alpha|beta)_\d+$/) },
      { title: "Lift, drag and pitch coefficients", fields: numbered(/^(CL|CD|Cem)_\d+$/) },
      { title: "Accelerations", fields: withUnit("m/s^2") },
      { title: "Wheel loads", fields: numbered(/^F_z_/) },
      { title: "Slip angles", fields: numbered(/^alpha_[FR]/) },
      { title: "Side forces", fields: numbered(/^F_y_/) },
      { title: "Off the centre line", fields: numbered(/^offset$/) },
      { title: "Thrust", fields: this.channels.filter((f) => /^thrust_\d+$/.test(f.name)) },
      { title: "Power", fields: withUnit("W") },
      {
        title: has("u_delta") ? "Steering" : "Servos",
        fields: this.channels.filter((f) => isControl(f) && f.unit === "rad"),
      },
      {
        title: "Controls",
        // Torques follow what is wanted of them within a millisecond.
        fields: this.channels.filter((f) => isControl(f) && f.unit !== "rad" && !f.name.startsWith("u_tau")),
      },
      { title: "Wind (velocity of the air)", fields: this.channels.filter(isWind) },
    ];
    // A model without such outputs is shown by its states.
    if (plain.length === 0)
      for (const f of this.channels.filter((c) => c.kind === "position" || c.kind === "velocity"))
        groups.push({ title: f.name, fields: [f] });
    return groups.filter((g) => g.fields.length > 0);
  }

  private history({ title, fields }: { title: string; fields: readonly Field[] }): Panel {
    const angular = fields[0].unit === "rad" || fields[0].kind === "rate";
    const unit = angular ? fields[0].unit.replace("rad", "deg") : fields[0].unit;
    const t = this.column("t");
    const series: Series[] = fields.map((f) => {
      const y = this.column(f.name);
      return { name: f.name, x: t, y: angular ? y.map((v) => v * DEG) : y };
    });
    return {
      title,
      xLabel: "t [s]",
      yLabel: unit === "1" ? "" : `[${unit}]`,
      series,
      breakAt: unit === "deg" ? 180 : undefined,
    };
  }

  private column(name: string): Float64Array {
    const j = this.channels.findIndex((c) => c.name === name);
    return Float64Array.from(this.rows, (row) => row[j]);
  }
}

const isOfTrack = (f: Field) =>
  /^(distance|offset|lap|lap_time|last_lap|best_lap|off_track|cones_hit)$/.test(f.name);
const isSensor = (f: Field) => /^(imu_)?(accel|gyro|position|velocity|mag|airspeed)_/.test(f.name);
