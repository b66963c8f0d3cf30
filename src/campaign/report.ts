/** A campaign's results as a page: tables and pictures. */
import type { Piece } from "../formats/html-page.ts";
import { escapeXml, type Panel, svgPanel, svgPicture } from "../formats/svg-chart.ts";
import { svgMap } from "../formats/svg-map.ts";
import { cos, log, sin } from "../math/elementary.ts";
import type { Campaign } from "./campaign.ts";
import type { Cell, Grid } from "./grid.ts";
import { numbersOf, pairs } from "./numbers.ts";
import type { Estimate, Scatter } from "./statistics.ts";
import type { MeasureSummary, Sensitivity, Summary } from "./summary.ts";
import type { Table } from "./table.ts";

/** More dots than this are a blot, and a page of megabytes. */
const MOST_DOTS = 4000;

export const short = (v: number): string => (Number.isNaN(v) ? "-" : String(Number(v.toPrecision(4))));
export const between = ({ value, low, high }: Estimate): string =>
  `${short(value)} (${short(low)} to ${short(high)})`;
const percent = (v: number) => `${short(100 * v)} %`;

/** How often runs failed, in words. */
export const failures = ({ failed, runs }: Summary): string =>
  `${failed.count} of ${runs}: ${percent(failed.value)} (${percent(failed.low)} to ${percent(failed.high)})`;

export async function reportPieces(
  campaign: Campaign,
  table: Table,
  summary: Summary,
  replay: (run: number) => string,
): Promise<Piece[]> {
  const { landing } = summary;
  const names = summary.measures.map((m) => m.name);
  const strong = summary.measures.filter((m) => m.sensitivity.some((s) => s.isSignificant));
  return [
    {
      facts: [
        ["runs", `${summary.runs}${summary.runs < summary.planned ? ` of ${summary.planned}` : ""}`],
        ["failed", failures(summary)],
        [
          "ended by",
          Object.entries(summary.ends)
            .map(([name, n]) => `${name} ${n}`)
            .join(", "),
        ],
        ["drawn", `${campaign.sampling}, seed ${campaign.seed}`],
        ["specification", campaign.hash],
        ...(landing ? landingFacts(landing.scatter) : []),
      ],
    },
    ...(landing ? [{ pictures: [await landingPicture(campaign, table, landing)] }] : []),
    ...(summary.grid ? gridPieces(summary.grid, names) : []),
    { heading: "Measures" },
    {
      text: `In brackets the interval that holds the true value in 95 of 100 campaigns like this${campaign.sampling === "random" ? "" : ` with random draws; ${campaign.sampling} draws are spread more evenly, so it is rather narrower`}.`,
    },
    {
      table: {
        header: ["measure", "mean", "sd", "5 %", "median", "95 %", "99 %", "smallest", "largest", "missing"],
        rows: summary.measures.map((m) => [
          m.name,
          between(m.mean),
          short(m.mean.sd),
          ...m.quantiles.map((q) => between(q)),
          short(m.min),
          short(m.max),
          String(m.missing),
        ]),
      },
    },
    { pictures: summary.measures.filter((m) => m.count > 0).map(histogramPicture) },
    ...(strong.length > 0
      ? [
          { heading: "What it depends on" },
          {
            text: "Rank correlation of each measure with each varied field: 1 if the measure always rises with it, -1 if it always falls. Pale bars may be chance.",
          },
          { pictures: strong.map(tornadoPicture) },
          {
            text: "Slopes are those of a straight line through all varied fields at once: the change of the measure per unit (SI, radians) of the field while the others stay. R squared is the part of the variance that the lines explain; where it is small, trust the correlations only.",
          },
          {
            table: {
              header: ["measure", "field", "rank correlation", "slope", "R squared"],
              rows: strong.flatMap(slopeRows),
            },
          },
        ]
      : []),
    // The first runs through a grid are of other cells than the last.
    ...(hasGrid(campaign)
      ? []
      : [
          { heading: "Convergence" },
          { text: "The mean after so many runs, with its interval." },
          { pictures: summary.measures.filter((m) => m.convergence.length > 1).map(convergencePicture) },
        ]),
    { heading: "Runs to look at" },
    { text: "The extremes of each measure, and runs that failed." },
    {
      table: {
        header: ["run", "why", ...summary.measures.map((m) => m.name), "again"],
        rows: summary.worst.map(({ run, why, values }) => [
          String(run),
          why,
          ...summary.measures.map((m) => short(values[m.name])),
          replay(run),
        ]),
      },
    },
    ...(summary.errors.length > 0
      ? [
          { heading: "Errors" },
          {
            table: { header: ["times", "what"], rows: summary.errors.map(([what, n]) => [String(n), what]) },
          },
        ]
      : []),
  ];
}

/** Of the fields that matter, the strongest first. */
export const slopeRows = ({ name, sensitivity, explained }: MeasureSummary): string[][] =>
  sensitivity
    .filter(({ isSignificant }) => isSignificant)
    .map(({ field, rho, slope }) => [
      name,
      field,
      rho.toFixed(2),
      Number.isNaN(slope.value) ? "-" : between(slope),
      short(explained),
    ]);

const hasGrid = ({ varied }: Campaign) => varied.some(({ distribution }) => distribution.kind === "grid");

export function landingFacts({
  centre,
  cep,
  aboutOrigin,
  major,
  minor,
  direction,
}: Scatter): [string, string][] {
  const degrees = ((direction * 180) / Math.PI + 180) % 180;
  return [
    ["mean point", `${short(centre[0])} m north, ${short(centre[1])} m east`],
    ["CEP about it", `${between(cep)} m`],
    ["half within, of the origin", `${between(aboutOrigin)} m`],
    [
      "95 % ellipse",
      `semi-axes ${short(major)} m and ${short(minor)} m, the longer towards ${short(degrees)} deg`,
    ],
  ];
}

/** A row a cell: how often runs fail there, and what is measured on average. */
export function gridTable({ axes, cells }: Grid, measures: readonly string[]) {
  return {
    header: [...axes.map(({ field }) => field), "runs", "failed", ...measures],
    rows: cells.map(({ at, runs, failed, means }) => [
      ...at.map((value) => (typeof value === "number" ? short(value) : String(value))),
      String(runs),
      `${percent(failed.value)} (${percent(failed.low)} to ${percent(failed.high)})`,
      ...measures.map((name) => between(means[name])),
    ]),
  };
}

/** Over one field lines and a table, over two maps; a table alone where values are words. */
function gridPieces(grid: Grid, measures: readonly string[]): Piece[] {
  const { axes, cells } = grid;
  const pictured = [
    { title: "share of runs that fail", of: ({ failed }: Cell): Estimate => failed },
    ...measures.map((name) => ({ title: `mean of ${name}`, of: ({ means }: Cell) => means[name] })),
  ];
  const numbers = axes.map(({ values }) => values.filter((v) => typeof v === "number"));
  const isNumeric = axes.every(({ values }, i) => values.length === numbers[i].length);
  const [x, y] = axes;
  const table = { table: gridTable(grid, measures) };
  const heading = { heading: `Over ${axes.map(({ field }) => field).join(" and ")}` };
  if (!isNumeric) return [heading, table];
  if (y === undefined) {
    const line = (estimates: readonly Estimate[], part: keyof Estimate) => ({
      x: numbers[0],
      y: estimates.map((e) => e[part]),
    });
    const pictures = pictured.map(({ title, of }) => {
      const estimates = cells.map(of);
      return svgPanel({
        title,
        xLabel: x.field,
        yLabel: title,
        series: [
          { name: "estimate", ...line(estimates, "value") },
          { name: "low", ...line(estimates, "low"), colour: "#d55e00" },
          { name: "high", ...line(estimates, "high"), colour: "#d55e00" },
        ],
      });
    });
    return [heading, { pictures }, table];
  }
  const [xs, ys] = numbers;
  const pictures = pictured.map(({ title, of }) =>
    svgMap({ title, xLabel: x.field, yLabel: y.field, xs, ys, values: cells.map((cell) => of(cell).value) }),
  );
  return [heading, { pictures }];
}

const around = (draw: (angle: number) => readonly [number, number]) => {
  const points = Array.from({ length: 97 }, (_, i) => draw((2 * Math.PI * i) / 96));
  return { x: points.map((p) => p[1]), y: points.map((p) => p[0]) };
};

/** Where runs ended, seen from above: north is up. */
async function landingPicture(
  campaign: Campaign,
  table: Table,
  { names, scatter }: NonNullable<Summary["landing"]>,
): Promise<string> {
  const [norths, easts] = pairs(
    await numbersOf(campaign, table, names[0]),
    await numbersOf(campaign, table, names[1]),
  );
  const every = Math.max(1, Math.ceil(norths.length / MOST_DOTS));
  const [north, east] = [norths, easts].map((list) => list.filter((_, i) => i % every === 0));
  const { centre, major, minor, direction, cep } = scatter;
  const [c, s] = [cos(direction), sin(direction)];
  const ellipse = around((angle) => {
    const [a, b] = [major * cos(angle), minor * sin(angle)];
    return [centre[0] + a * c - b * s, centre[1] + a * s + b * c];
  });
  const circle = around((a) => [centre[0] + cep.value * cos(a), centre[1] + cep.value * sin(a)]);
  const panel: Panel = {
    title: every > 1 ? `Where runs ended (one in ${every})` : "Where runs ended",
    xLabel: "east [m]",
    yLabel: "north [m]",
    equal: true,
    series: [
      { name: "runs", x: east, y: north, dots: "#0072b266" },
      { name: "95 % ellipse", ...ellipse },
      { name: "CEP", ...circle },
      { name: "origin", x: [0], y: [0], cross: true },
    ],
  };
  return svgPanel(panel);
}

function histogramPicture({ name, histogram: { from, step, counts }, quantiles }: MeasureSummary): string {
  const x = counts.flatMap((_, i) => [from + i * step, from + (i + 1) * step]);
  const y = counts.flatMap((n) => [n, n]);
  const most = Math.max(...counts);
  const line = (p: number) => {
    const value = quantiles.find((q) => q.p === p)?.value ?? Number.NaN;
    return { x: [value, value], y: [0, most] };
  };
  return svgPanel({
    title: name,
    xLabel: name,
    yLabel: "runs",
    series: [
      { name: "runs", x: [x[0], ...x, x[x.length - 1]], y: [0, ...y, 0] },
      { name: "median", ...line(0.5) },
      { name: "95 %", ...line(0.95) },
    ],
  });
}

function convergencePicture({ name, convergence }: MeasureSummary): string {
  const x = convergence.map(({ runs }) => log(runs) / log(2));
  return svgPanel({
    title: `mean of ${name}`,
    xLabel: "runs, as a power of 2",
    yLabel: name,
    series: [
      { name: "mean", x, y: convergence.map((c) => c.value) },
      { name: "low", x, y: convergence.map((c) => c.low), colour: "#d55e00" },
      { name: "high", x, y: convergence.map((c) => c.high), colour: "#d55e00" },
    ],
  });
}

const MOST_BARS = 10;

/** Bars to both sides, the longest on top. */
function tornadoPicture({ name, sensitivity }: MeasureSummary): string {
  const bars = sensitivity.slice(0, MOST_BARS);
  return svgPicture(`${name} depends on`, ({ left, top, width, height }) => {
    const label = 150;
    const zero = left + label + (width - label) / 2;
    const scale = (width - label) / 2 - 34;
    const step = Math.min(26, height / bars.length);
    const bar = ({ field, rho, isSignificant }: Sensitivity, i: number) => {
      const y = top + i * step;
      const size = Math.abs(rho) * scale;
      const x = rho < 0 ? zero - size : zero;
      const end = rho < 0 ? `x="${zero - size - 4}" text-anchor="end"` : `x="${zero + size + 4}"`;
      return `<rect x="${x.toFixed(1)}" y="${y + 3}" width="${size.toFixed(1)}" height="${step - 6}" fill="${rho < 0 ? "#0072b2" : "#d55e00"}" opacity="${isSignificant ? 1 : 0.3}"/>
<text x="${left + label - 8}" y="${y + step / 2 + 4}" text-anchor="end">${escapeXml(field.length > 28 ? `…${field.slice(-27)}` : field)}</text>
<text ${end} y="${y + step / 2 + 4}" fill="#555">${rho.toFixed(2)}</text>`;
    };
    return `${bars.map(bar).join("\n")}<path d="M${zero} ${top}V${top + bars.length * step}" stroke="#333"/>`;
  });
}
