/** The checks as a column of marks. */
import { escapeXml, svgPicture } from "../../formats/svg-chart.ts";
import type { Finding } from "./finding.ts";

const COLOURS: Readonly<Record<Finding["status"], string>> = {
  ok: "#009e73",
  wrong: "#d55e00",
  accepted: "#e69f00",
  note: "#56b4e9",
};

export function checkPicture(
  title: string,
  questions: Readonly<Record<string, string>>,
  findings: readonly Finding[],
): string {
  const asked = Object.entries(questions).filter(([key]) => findings.some((f) => f.check === key));
  return svgPicture(title, ({ left, top, height }) => {
    const step = (height + 30) / asked.length;
    return asked
      .map(([key, question], i) => {
        const y = Math.round(top - 8 + (i + 0.5) * step);
        const marks = findings
          .filter((f) => f.check === key)
          .slice(0, 8)
          .map((f, k) => `<circle cx="${left - 50 + 13 * k}" cy="${y}" r="5" fill="${COLOURS[f.status]}"/>`);
        return `${marks.join("")}<text x="${left + 60}" y="${y + 4}">${escapeXml(question)}</text>`;
      })
      .join("");
  });
}
