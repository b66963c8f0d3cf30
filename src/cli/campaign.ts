/** `sideslip campaign`: Monte Carlo and grid campaigns. */
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
    .description("run thousands of simulations and evaluate their statistics")
    .addHelpText(
      "after",
      `
Examples:
  sideslip campaign examples/campaigns/parafoil-landing.yaml --report landing.html
  sideslip campaign show parafoil-landing.parquet
\`sideslip campaign run --help\` lists the options of a run: --runs, --resume, --shard, --engine ...
`,
    );
  campaign
    .command("run", { isDefault: true })
    .allowExcessArguments()
    .description("run a campaign (`run` may be omitted)")
    .argument("<specification>", "what varies and what is measured: a YAML file, see docs/campaigns.md")
    .option("--out <file>", "result (.parquet); named after the specification unless given")
    .option("--report <page.html>", "also write a page with pictures")
    .option("--runs <n>", "number of runs instead of the specified one, for a trial")
    .option("--resume", "continue an unfinished campaign")
    .option("--force", "replace an existing result")
    .option("--threads <n>", "threads of this machine (default: all cores)")
    .option("--shard <i/n>", "run only this shard, 1/n to n/n; `sideslip campaign merge` merges shards")
    .option(
      "--engine <redis://...>",
      "distribute the runs to workers: `sideslip worker --engine redis://...`",
    )
    .option("--plain", "without WebAssembly kernels: slower, bit-identical results")
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
        throw new InputError(
          `unknown command or file "${specification}"${near ? `; did you mean "${near}"?` : ""}`,
          {
            field: "campaign",
            allowed: "run, show, merge, or the path of a specification (.yaml)",
          },
        );
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
    .description("merge the shards of a campaign (--shard)")
    .argument("<results...>", ".parquet files of all shards")
    .requiredOption("--out <file>", "merged result (.parquet)")
    .option("--force", "replace an existing file")
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
