/** `sideslip campaign show`: statistics of a campaign's results. */
import { statSync } from "node:fs";
import type { Campaign } from "../campaign/campaign.ts";
import { openGuarded } from "../campaign/guarded-table.ts";
import { isUnchanged } from "../campaign/merge.ts";
import {
  between,
  failures,
  gridTable,
  landingFacts,
  reportPieces,
  short,
  slopeRows,
} from "../campaign/report.ts";
import { campaignIn } from "../campaign/result.ts";
import { type Summary, summarise } from "../campaign/summary.ts";
import type { Table } from "../campaign/table.ts";
import { htmlPage } from "../formats/html-page.ts";
import { InputError } from "../model/input-error.ts";
import type { ShowOptions } from "./campaign.ts";
import { OutputFile, reason } from "./files.ts";
import { printJson, table } from "./table.ts";
import { print, say } from "./terminal.ts";

/** A campaign's result file, and the campaign that its metadata describe. */
export async function openResult(path: string): Promise<{ table: Table; campaign: Campaign; close(): void }> {
  const wrong = (problem: string) => new InputError(problem, { file: path });
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw wrong("there is no such file");
  if (found.isDirectory()) throw wrong("is a directory");
  const damaged = (error: unknown) => wrong(`cannot be read: ${reason(error)}`);
  let guarded: Awaited<ReturnType<typeof openGuarded>> | undefined;
  try {
    guarded = await openGuarded(path, new URL("./sideslip-reader.js", import.meta.url));
    const table = guarded;
    const campaign = campaignIn(table, wrong);
    const { close } = guarded;
    const pieces: Table["pieces"] = async function* (names) {
      try {
        yield* table.pieces(names);
      } catch (error) {
        throw damaged(error);
      }
    };
    return { table: { ...table, pieces }, campaign, close };
  } catch (error) {
    guarded?.close();
    throw error instanceof InputError ? error : damaged(error);
  }
}

/** `specification` is its file, where it is known. */
export async function showResult(
  path: string,
  options: ShowOptions & { specification?: string },
): Promise<void> {
  const { table: result, campaign, close } = await openResult(path);
  const page = options.report === undefined ? undefined : new OutputFile(options.report);
  try {
    if (!(await isUnchanged(result)))
      say(
        `warning: ${path} was changed after it was written: its rows do not match its digest ${result.metadata["sideslip.digest"] ?? ""}\n`,
      );
    const summary = await summarise(campaign, result);
    const replay = (run: number) =>
      `sideslip run ${quoted(options.specification ?? path)} --index ${run} --out flight.html`;
    const share = result.metadata["sideslip.shard"];
    const title = `${campaign.description ?? `campaign ${path}`}${share ? ` (shard ${share})` : ""}`;
    if (page) page.write(htmlPage(title, await reportPieces(campaign, result, summary, replay)));
    page?.finish();
    for (const { name, count } of summary.measures)
      if (count === 0 && summary.stopped < summary.runs) say(`warning: no run has a value of ${name}\n`);
    if (summary.stopped === summary.runs && summary.runs > 0) {
      say(`warning: every run stopped with an error: ${summary.errors[0][0]}\n`);
      process.exitCode = 1;
    }
    if (options.json) printJson({ result: path, hash: campaign.hash, ...summary });
    else print(asText(path, title, summary, replay, options.report));
  } catch (error) {
    page?.discard();
    throw error;
  } finally {
    close();
  }
}

/** Quoted for a shell. */
const quoted = (path: string) =>
  /^[\w./:@%+,=~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

const STRONGEST = 3;
const MOST_CELLS = 24;
/** Longest error text in a table [characters]. */
const LONGEST = 100;

function asText(
  path: string,
  title: string,
  summary: Summary,
  replay: (run: number) => string,
  report: string | undefined,
): string {
  const facts = [
    ["failed", failures(summary)],
    [
      "ended by",
      Object.entries(summary.ends)
        .map(([name, n]) => `${name} ${n}`)
        .join(", "),
    ],
    ...(summary.landing ? landingFacts(summary.landing.scatter) : []),
  ];
  const rows = summary.measures.map((m) => [
    m.name,
    between(m.mean),
    short(m.mean.sd),
    ...m.quantiles.map((q) => short(q.value)),
    String(m.missing),
  ]);
  const depends = summary.measures.flatMap((m) => slopeRows(m).slice(0, STRONGEST));
  const { grid } = summary;
  const cells =
    grid &&
    gridTable(
      grid,
      summary.measures.map((m) => m.name),
    );
  return [
    `${title}: ${summary.runs} ${summary.runs === 1 ? "run" : "runs"}\n`,
    table(["", ""], facts),
    "\n",
    table(["measure", "mean (95 % interval)", "sd", "5 %", "median", "95 %", "99 %", "missing"], rows),
    cells ? `\n${table(cells.header, cells.rows.slice(0, MOST_CELLS))}` : "",
    cells && cells.rows.length > MOST_CELLS
      ? `... and ${cells.rows.length - MOST_CELLS} more cells (--report, --json)\n`
      : "",
    depends.length > 0
      ? `\n${table(["what it depends on", "", "rank correlation", "slope (95 % interval)", "R squared"], depends)}`
      : "",
    ...(summary.errors.length > 0
      ? [
          `\nerrors\n${table(
            ["", ""],
            summary.errors.map(([what, n]) => [String(n), what]),
          )}`,
        ]
      : []),
    summary.worst.length > 0
      ? `\nruns to look at\n${table(
          ["", "", ""],
          summary.worst
            .slice(0, 8)
            .map(({ run, why }) => [
              String(run),
              why.length > LONGEST ? `${why.slice(0, LONGEST)}…` : why,
              replay(run),
            ]),
        )}`
      : "",
    `\n${path}${report ? `, ${report}` : ""}\n`,
  ].join("");
}
