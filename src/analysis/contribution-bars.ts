/** What adds up to an output, as bars to both sides of zero. */
import { escapeXml, svgPicture } from "../formats/svg-chart.ts";
import type { Contribution } from "./explain.ts";

const MOST = 9;

/** One picture for each output that has parts, the parts in order of size. */
export function contributionBars(contributions: readonly Contribution[]): string[] {
  return contributions.flatMap((c) => {
    const shown = c.parts.filter((p) => p.value !== 0).slice(0, MOST);
    return shown.length === 0 ? [] : [bars(c, shown)];
  });
}

function bars(whole: Contribution, parts: readonly Contribution[]): string {
  const unit = whole.unit === "1" ? "" : ` ${whole.unit}`;
  const digits = (v: number) => String(Number(v.toPrecision(4)));
  return svgPicture(`${whole.name} = ${digits(whole.value)}${unit}`, ({ left, top, width, height }) => {
    const rows = [...parts, whole];
    const most = Math.max(...rows.map((r) => Math.abs(r.value)));
    const [x0, x1] = [left + 110, left + width - 70];
    const middle = (x0 + x1) / 2;
    const step = (height + 20) / rows.length;
    const drawn = rows.map((r, i) => {
      const y = top - 8 + i * step;
      const w = (Math.abs(r.value) / most) * (x1 - middle);
      const x = r.value < 0 ? middle - w : middle;
      const isWhole = r === whole;
      const colour = isWhole ? "#222" : r.value < 0 ? "#d55e00" : "#0072b2";
      const name = isWhole ? "sum" : r.name.replace(`${whole.name}_`, "");
      return (
        `<text x="${x0 - 8}" y="${round(y + 0.62 * step)}" text-anchor="end"${isWhole ? ' font-weight="600"' : ""}>${escapeXml(name)}</text>` +
        `<rect x="${round(x)}" y="${round(y + 0.15 * step)}" width="${round(Math.max(0.5, w))}" height="${round(0.6 * step)}" fill="${colour}"/>` +
        `<text x="${x1 + 6}" y="${round(y + 0.62 * step)}" fill="#333">${escapeXml(digits(r.value))}</text>`
      );
    });
    return `<path d="M${round(middle)} ${top - 8}V${top + height + 14}" stroke="#999"/>${drawn.join("")}`;
  });
}

const round = (v: number) => Math.round(v * 10) / 10;
