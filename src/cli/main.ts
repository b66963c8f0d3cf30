import { Command, CommanderError } from "commander";
import { InputError } from "../model/input-error.ts";
import { RunError } from "../simulation/divergence.ts";
import { VERSION } from "../version.ts";
import { addCampaign } from "./campaign.ts";
import { addCheck } from "./check.ts";
import { addCompile } from "./compile.ts";
import { addDescribe } from "./describe.ts";
import { addEnvelope } from "./envelope.ts";
import { addExplain } from "./explain.ts";
import { addExport } from "./export.ts";
import { OutputError, reason } from "./files.ts";
import { addFly } from "./fly.ts";
import { addHandling } from "./handling.ts";
import { addImport } from "./import.ts";
import { addLinearize } from "./linearize.ts";
import { addList } from "./list.ts";
import { addModes } from "./modes.ts";
import { addPolar } from "./polar.ts";
import { addProp } from "./prop.ts";
import { addReplay } from "./replay.ts";
import { addRun } from "./run.ts";
import { addSchema } from "./schema.ts";
import { addServe } from "./serve.ts";
import { addTeleop } from "./teleop.ts";
import { addTrim } from "./trim.ts";
import { addTurn } from "./turn.ts";
import { addWorker } from "./worker.ts";

const program = new Command("sideslip")
  .description("vehicle dynamics: parafoils, aircraft, race cars")
  .version(VERSION)
  .showSuggestionAfterError()
  .showHelpAfterError("(sideslip <command> --help shows the options and an example)")
  .configureOutput({ outputError: (text, write) => write(text) })
  .exitOverride()
  .addHelpText(
    "after",
    `
Examples:
  sideslip fly
  sideslip list
  sideslip run parafoil --out flight.csv --out flight.html
  sideslip polar parafoil

Exit codes: 0 fine, 1 the run failed, 2 wrong usage or input.
`,
  );
for (const add of [
  addFly,
  addList,
  addDescribe,
  addRun,
  addCampaign,
  addWorker,
  addServe,
  addReplay,
  addTeleop,
  addTrim,
  addLinearize,
  addModes,
  addPolar,
  addTurn,
  addEnvelope,
  addHandling,
  addExplain,
  addCheck,
  addCompile,
  addProp,
  addImport,
  addExport,
  addSchema,
])
  add(program);

// A reader that stops early (head, less) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`sideslip: the output cannot be written: ${reason(error)}\n`);
  process.exit(1);
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof InputError) fail(error.message, 2);
  else if (error instanceof RunError || error instanceof OutputError) fail(error.message, 1);
  else {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    fail(
      process.env.SIDESLIP_DEBUG
        ? detail
        : `internal error: ${(error as Error).message} (SIDESLIP_DEBUG=1 shows where)`,
      1,
    );
  }
}

function fail(message: string, code: number): void {
  process.stderr.write(`sideslip: ${message}\n`);
  process.exitCode = code;
}
