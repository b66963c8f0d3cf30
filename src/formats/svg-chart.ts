/** Line charts as SVG text: panels side by side, no script, no fonts or hosts from outside. */
export interface Series {
  readonly name: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Dots of this colour instead of a line. */
  readonly dots?: string;
  /** A cross at each point instead of a line. */
  readonly cross?: boolean;
  /** A thin line of this colour, for what lies behind. */
  readonly colour?: string;
}
/** One chart of a picture. */
export interface Panel {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
  /** Same scale on both axes, for maps. */
  readonly equal?: boolean;
  /** Marks where the first series starts and ends. */
  readonly ends?: boolean;
  /** Break lines where neighbours jump further than this (angles that wrap). */
  readonly breakAt?: number;
}

/** Distinguishable with any colour vision (Okabe and Ito). */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000"];
const WIDTH = 560;
const HEIGHT = 300;
const MARGIN = { left: 64, right: 14, top: 46, bottom: 40 };

/** All panels in one picture. */
export function svgCharts(panels: readonly Panel[], columns = 2): string {
  return svgSheet(panels.map(svgPanel), columns);
}

/** Pictures of one panel's size, beside and below each other in one. */
export function svgSheet(pictures: readonly string[], columns = 2): string {
  const placed = pictures.map((picture, i) => {
    const x = (i % columns) * WIDTH;
    const y = Math.floor(i / columns) * HEIGHT;
    return picture.replace("<svg ", `<svg x="${x}" y="${y}" `);
  });
  const titles = pictures.map((picture) => /<title>(.*?)<\/title>/.exec(picture)?.[1] ?? "");
  const height = HEIGHT * Math.ceil(pictures.length / columns);
  const width = WIDTH * Math.min(columns, pictures.length);
  return svg(width, height, titles.join("; "), placed.join("\n"));
}

/** One panel as a picture of its own, for pages that arrange them to fit the screen. */
export function svgPanel(panel: Panel): string {
  return svg(WIDTH, HEIGHT, escapeXml(panel.title), drawPanel(panel));
}

/** `title` is XML already. */
function svg(width: number, height: number, title: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${content}
</svg>
`;
}

function drawPanel(panel: Panel): string {
  const w = WIDTH - MARGIN.left - MARGIN.right;
  const h = HEIGHT - MARGIN.top - MARGIN.bottom;
  let [x0, x1] = extent(panel.series.map((s) => s.x));
  let [y0, y1] = extent(panel.series.map((s) => s.y));
  if (panel.equal) {
    const metre = Math.max((x1 - x0) / w, (y1 - y0) / h);
    [x0, x1] = centred(x0, x1, metre * w);
    [y0, y1] = centred(y0, y1, metre * h);
  }
  const px = (v: number) => MARGIN.left + ((v - x0) / (x1 - x0)) * w;
  const py = (v: number) => MARGIN.top + h - ((v - y0) / (y1 - y0)) * h;
  const parts: string[] = [
    `<text x="${MARGIN.left}" y="18" font-size="14" font-weight="600">${escapeXml(panel.title)}</text>`,
  ];
  for (const v of ticks(x0, x1))
    parts.push(
      `<path d="M${r(px(v))} ${MARGIN.top}V${MARGIN.top + h}" stroke="#e4e4e4"/>`,
      `<text x="${r(px(v))}" y="${MARGIN.top + h + 16}" text-anchor="middle" fill="#555">${label(v)}</text>`,
    );
  for (const v of ticks(y0, y1, panel.breakAt === 180))
    parts.push(
      `<path d="M${MARGIN.left} ${r(py(v))}H${MARGIN.left + w}" stroke="#e4e4e4"/>`,
      `<text x="${MARGIN.left - 6}" y="${r(py(v) + 4)}" text-anchor="end" fill="#555">${label(v)}</text>`,
    );
  parts.push(
    `<rect x="${MARGIN.left}" y="${MARGIN.top}" width="${w}" height="${h}" fill="none" stroke="#999"/>`,
    `<text x="${MARGIN.left + w / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escapeXml(panel.xLabel)}</text>`,
    `<text transform="translate(14 ${MARGIN.top + h / 2}) rotate(-90)" text-anchor="middle">${escapeXml(panel.yLabel)}</text>`,
  );
  let legend = MARGIN.left;
  panel.series.forEach((s, i) => {
    const colour = s.dots ?? s.colour ?? COLOURS[i % COLOURS.length];
    parts.push(
      s.cross
        ? crosses(s, colour, px, py)
        : s.dots === undefined
          ? `<path d="${linePath(s, px, py, panel.breakAt)}" fill="none" stroke="${colour}" stroke-width="${s.colour ? 0.8 : 1.6}" stroke-linejoin="round"/>`
          : dots(s, s.dots, px, py),
    );
    if ((panel.series.length > 1 || panel.ends) && s.name !== "")
      parts.push(
        s.dots === undefined
          ? `<path d="M${legend} 33h16" stroke="${colour}" stroke-width="3"/>`
          : `<circle cx="${legend + 8}" cy="33" r="3" fill="${colour}"/>`,
        `<text x="${legend + 20}" y="37" fill="#333">${escapeXml(s.name)}</text>`,
      );
    legend += 34 + 6.6 * s.name.length;
  });
  if (panel.ends) parts.push(...endMarks(panel.series[0], px, py));
  return parts.join("");
}

/** A ring where the track starts and a dot where it ends. */
function endMarks(s: Series | undefined, px: (v: number) => number, py: (v: number) => number): string[] {
  if (s === undefined || s.x.length === 0) return [];
  const at = (i: number, style: string, text: string) => {
    const x = px(s.x[i]);
    const y = py(s.y[i]);
    // Words stay inside the frame.
    const words =
      x > WIDTH - MARGIN.right - 40
        ? `x="${r(x - 7)}" y="${r(y - 7)}" text-anchor="end"`
        : `x="${r(x + 7)}" y="${r(y + 4)}"`;
    return `<circle cx="${r(x)}" cy="${r(y)}" r="4" ${style}/><text ${words} fill="#333">${text}</text>`;
  };
  const [colour] = COLOURS;
  return [
    at(0, `fill="#fff" stroke="${colour}" stroke-width="2"`, "start"),
    at(s.x.length - 1, `fill="${colour}"`, "end"),
  ];
}

function dots(s: Series, colour: string, px: (v: number) => number, py: (v: number) => number): string {
  const each = Array.from(s.x, (x, i) => `<circle cx="${r(px(x))}" cy="${r(py(s.y[i]))}" r="1.8"/>`);
  return `<g fill="${colour}">${each.join("")}</g>`;
}

function crosses(s: Series, colour: string, px: (v: number) => number, py: (v: number) => number): string {
  const each = Array.from(s.x, (x, i) => `M${r(px(x) - 4)} ${r(py(s.y[i]) - 4)}l8 8m0 -8l-8 8`);
  return `<path d="${each.join("")}" stroke="${colour}" stroke-width="2" fill="none"/>`;
}

function linePath(s: Series, px: (v: number) => number, py: (v: number) => number, breakAt?: number): string {
  let d = "";
  let pen = "M";
  for (let i = 0; i < s.x.length; i++) {
    if (!Number.isFinite(s.x[i]) || !Number.isFinite(s.y[i])) {
      pen = "M";
      continue;
    }
    if (breakAt !== undefined && i > 0 && Math.abs(s.y[i] - s.y[i - 1]) > breakAt) pen = "M";
    d += `${pen}${r(px(s.x[i]))} ${r(py(s.y[i]))}`;
    pen = "L";
  }
  return d;
}

function extent(lists: readonly ArrayLike<number>[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const list of lists)
    for (let i = 0; i < list.length; i++) {
      if (list[i] < low) low = list[i];
      if (list[i] > high) high = list[i];
    }
  if (!(low <= high)) return [0, 1];
  const pad =
    high - low > 1e-9 * Math.max(1, Math.abs(high))
      ? 0.04 * (high - low)
      : Math.max(0.5, 0.05 * Math.abs(high));
  return [low - pad, high + pad];
}

function centred(low: number, high: number, size: number): [number, number] {
  const middle = (low + high) / 2;
  return [middle - size / 2, middle + size / 2];
}

/** About six round numbers in the interval; quarter turns for headings. */
function ticks(low: number, high: number, isHeading = false): number[] {
  const raw = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(raw));
  const round = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw) ?? 10 * power;
  const step = isHeading && high - low > 180 ? 90 : round;
  const out: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) out.push(k * step);
  return out;
}

const r = (v: number) => Math.round(v * 10) / 10;
const label = (v: number) => String(Number(v.toPrecision(6)));
/** A picture of one panel's size from marks of one's own; `frame` says where they may go. */
export function svgPicture(title: string, draw: (frame: typeof FRAME) => string): string {
  const heading = `<text x="${MARGIN.left}" y="18" font-size="14" font-weight="600">${escapeXml(title)}</text>`;
  return svg(WIDTH, HEIGHT, escapeXml(title), heading + draw(FRAME));
}
const FRAME = {
  left: MARGIN.left,
  top: MARGIN.top,
  width: WIDTH - MARGIN.left - MARGIN.right,
  height: HEIGHT - MARGIN.top - MARGIN.bottom,
};

export const escapeXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
