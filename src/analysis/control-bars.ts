/** Controls between their limits: where they stand, and what is left. */
import { escapeXml, svgPicture } from "../formats/svg-chart.ts";
import type { Trimmed } from "./trim.ts";

export function controlBars({ controls }: Trimmed, labels: Readonly<Record<string, string>>): string {
  return svgPicture("Controls between their limits", ({ left, top, width, height }) => {
    const [x0, x1] = [left + 110, left + width - 60];
    const step = Math.min(28, (height + 20) / controls.length);
    const drawn = controls.map(({ control: { name, min, max, neutral }, value, isFree }, i) => {
      const at = (v: number) => round(x0 + ((v - min) / (max - min)) * (x1 - x0));
      const y = top - 6 + i * step;
      const margin = Math.min(value - min, max - value) / (max - min);
      const colour = !isFree ? "#999" : margin < 0.1 ? "#d55e00" : "#0072b2";
      return (
        `<text x="${x0 - 8}" y="${round(y + 0.65 * step)}" text-anchor="end">${escapeXml(labels[name] ?? name)}</text>` +
        `<rect x="${x0}" y="${round(y + 0.2 * step)}" width="${round(x1 - x0)}" height="${round(0.5 * step)}" fill="#eee"/>` +
        `<path d="M${at(neutral)} ${round(y + 0.1 * step)}v${round(0.7 * step)}" stroke="#999"/>` +
        `<circle cx="${at(value)}" cy="${round(y + 0.45 * step)}" r="5" fill="${colour}"/>` +
        `<text x="${x1 + 8}" y="${round(y + 0.65 * step)}" fill="#333">${isFree ? `${(100 * margin).toFixed(0)} %` : "held"}</text>`
      );
    });
    return drawn.join("");
  });
}

const round = (v: number) => Math.round(v * 10) / 10;
