/** `sideslip campaign`: many runs, one answer. */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { closest, InputError } from "../model/input-error.ts";

export interface CampaignOptions {
  readonly out?: string;
  readonly report?: string;
  readonly runs?: string;
  readonly resume?: boolean;
  readonly force?: boolean;
  readonly threads?: string;
  readonly shard?: string;
  readonly engine?: string;
  readonly plain?: boolean;
  readonly json?: boolean;
}

export interface ShowOptions {
  readonly report?: string;
  readonly json?: boolean;
}

export interface MergeOptions extends ShowOptions {
  readonly out: string;
  readonly force?: boolean;
}

export function addCampaign(program: Command): void {
  const campaign = program
    .command("campaign")
    .description("fly thousands of runs and see what they tell")
    .addHelpText(
      "after",
      `
Examples:
  sideslip campaign examples/campaigns/parafoil-landing.yaml --report landing.html
  sideslip campaign show parafoil-landing.parquet
\`sideslip campaign run --help\` has the options of flying one: --runs, --resume, --shard, --engine ...
`,
    );
  campaign
    .command("run", { isDefault: true })
    .allowExcessArguments()
    .description("fly a campaign (the word run may be left out)")
    .argument("<specification>", "what varies and what is measured: a YAML file, see docs/campaigns.md")
    .option("--out <file>", "result (.parquet); named after the specification unless given")
    .option("--report <page.html>", "also write a page with pictures")
    .option("--runs <n>", "so many runs instead: another campaign, to try things out")
    .option("--resume", "go on with an unfinished campaign")
    .option("--force", "replace a result that is there")
    .option("--threads <n>", "threads of this machine (default: all cores)")
    .option(
      "--shard <i/n>",
      "only this share of the work, 1/n to n/n; `sideslip campaign merge` puts shares together",
    )
    .option(
      "--engine <redis://...>",
      "let workers do it, wherever they run: `sideslip worker --engine redis://...`",
    )
    .option("--plain", "without machine code: slower, with the same bits")
    .option("--json", "print the summary as JSON")
    .addHelpText(
      "after",
      `
Examples:
  sideslip campaign examples/campaigns/parafoil-landing.yaml --report landing.html
  sideslip campaign examples/campaigns/parafoil-landing.yaml --runs 200
  sideslip campaign show parafoil-landing.parquet
  sideslip run examples/campaigns/parafoil-landing.yaml --index 123 --out flight.html
`,
    )
    .action(async (specification: string, options: CampaignOptions, command: Command) => {
      if (!/[/\\.]/.test(specification) && !existsSync(specification)) {
        const near = closest(specification, ["run", "show", "merge"]);
        throw new InputError(`there is no "${specification}"${near ? `; did you mean "${near}"?` : ""}`, {
          field: "campaign",
          allowed: "run, show, merge, or the path of a specification (.yaml)",
        });
      }
      if (command.args.length > 1)
        throw new InputError(`${command.args.length} specifications are given`, {
          field: "campaign run",
          allowed: "one at a time",
        });
      await (await import("./campaign-run.ts")).flyCampaign(specification, options);
    });
  campaign
    .command("show")
    .description("quantiles, intervals, convergence and sensitivities of results")
    .argument("<result>", "a .parquet file of `sideslip campaign`")
    .option("--report <page.html>", "write a page with pictures")
    .option("--json", "print the summary as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  sideslip campaign show parafoil-landing.parquet --report landing.html\n",
    )
    .action(async (result: string, options: ShowOptions) =>
      (await import("./campaign-show.ts")).showResult(result, options),
    );
  campaign
    .command("merge")
    .description("put the shares of a campaign together (--shard)")
    .argument("<results...>", "their .parquet files")
    .requiredOption("--out <file>", "the whole, .parquet")
    .option("--force", "replace what is there")
    .option("--report <page.html>", "also write a page with pictures")
    .option("--json", "print the summary as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  sideslip campaign merge landing.shard-*.parquet --out landing.parquet\n",
    )
    .action(async (results: readonly string[], options: MergeOptions) =>
      (await import("./campaign-merge.ts")).mergeResults(results, options),
    );
}
