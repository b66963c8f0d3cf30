/** Pages that need nothing else: no script, no fonts or hosts from outside. */
import { escapeXml } from "./svg-chart.ts";

interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What pages and reports are made of. Pictures are SVG. */
export type Piece =
  | { readonly heading: string }
  | { readonly text: string }
  | { readonly table: Table }
  | { readonly facts: readonly (readonly [string, string])[] }
  | { readonly pictures: readonly string[] };

export function htmlPage(title: string, pieces: readonly Piece[]): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeXml(title)}</title>
<style>body{font:15px system-ui,sans-serif;margin:2rem auto;max-width:1140px;padding:0 1rem;color:#222}h1{font-size:1.4rem}
h2{font-size:1.1rem;margin-top:2rem}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:.5rem}svg{width:100%;height:auto}
.wide{overflow-x:auto}table{border-collapse:collapse;margin:1rem 0}.facts th{text-align:left;font-weight:500;color:#555;padding:.15rem 1.5rem .15rem 0}
td{font-variant-numeric:tabular-nums}.rows th{text-align:left;color:#555;font-weight:500;border-bottom:1px solid #999}
.rows th,.rows td{padding:.15rem 1rem .15rem 0;vertical-align:top}.rows .n{text-align:right}.rows tr:nth-child(even) td{background:#f6f6f6}</style>
<h1>${escapeXml(title)}</h1>
${pieces.map(drawn).join("\n")}
</html>
`;
}

function drawn(piece: Piece): string {
  if ("heading" in piece) return `<h2>${escapeXml(piece.heading)}</h2>`;
  if ("text" in piece) return `<p>${escapeXml(piece.text).replaceAll("\n", "<br>")}</p>`;
  if ("pictures" in piece) return `<div class="pictures">\n${piece.pictures.join("")}</div>`;
  if ("facts" in piece)
    return `<table class="facts">\n${piece.facts
      .map(([k, v]) => `<tr><th>${escapeXml(k)}</th><td>${escapeXml(v)}</td></tr>`)
      .join("\n")}\n</table>`;
  const { header, rows } = piece.table;
  const isNumber = header.map(
    (_, i) => rows.length > 0 && rows.every((row) => /^[-+]?[\d.]|^$/.test(row[i])),
  );
  const cell = (tag: string) => (text: string, i: number) =>
    `<${tag}${isNumber[i] ? ' class="n"' : ""}>${escapeXml(text).replace(/^ +/, (s) => "&nbsp;".repeat(2 * s.length))}</${tag}>`;
  const line = (tag: string, cells: readonly string[]) => `<tr>${cells.map(cell(tag)).join("")}</tr>`;
  return `<div class="wide"><table class="rows">\n${line("th", header)}\n${rows.map((r) => line("td", r)).join("\n")}\n</table></div>`;
}
