import { Command, CommanderError } from "commander";
import { InputError } from "../model/input-error.ts";
import { RunError } from "../simulation/divergence.ts";
import { VERSION } from "../version.ts";
import { OutputError, reason } from "./files.ts";
import { Interrupted } from "./interrupted.ts";
import { print, say } from "./terminal.ts";

type Add = (program: Command) => void;

/** Commands by group, in the order of the help. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, () => Promise<Add>>>>> = {
  "Fly and drive:": {
    fly: async () => (await import("./fly.ts")).addFly,
    run: async () => (await import("./run.ts")).addRun,
    serve: async () => (await import("./serve.ts")).addServe,
    replay: async () => (await import("./replay.ts")).addReplay,
    teleop: async () => (await import("./teleop.ts")).addTeleop,
  },
  "Vehicles:": {
    list: async () => (await import("./list.ts")).addList,
    describe: async () => (await import("./describe.ts")).addDescribe,
    show: async () => (await import("./show.ts")).addShow,
    check: async () => (await import("./check.ts")).addCheck,
    prop: async () => (await import("./prop.ts")).addProp,
    import: async () => (await import("./import.ts")).addImport,
    export: async () => (await import("./export.ts")).addExport,
  },
  "Analysis:": {
    trim: async () => (await import("./trim.ts")).addTrim,
    linearize: async () => (await import("./linearize.ts")).addLinearize,
    modes: async () => (await import("./modes.ts")).addModes,
    polar: async () => (await import("./polar.ts")).addPolar,
    turn: async () => (await import("./turn.ts")).addTurn,
    envelope: async () => (await import("./envelope.ts")).addEnvelope,
    handling: async () => (await import("./handling.ts")).addHandling,
    explain: async () => (await import("./explain.ts")).addExplain,
  },
  "Campaigns:": {
    campaign: async () => (await import("./campaign.ts")).addCampaign,
    worker: async () => (await import("./worker.ts")).addWorker,
  },
  "For programs and editors:": {
    schema: async () => (await import("./schema.ts")).addSchema,
    compile: async () => (await import("./compile.ts")).addCompile,
    completion: async () => (await import("./completion.ts")).addCompletion,
  },
};

const program = new Command("sideslip")
  .description("vehicle dynamics: parafoils, aircraft, race cars")
  .version(VERSION)
  .showSuggestionAfterError()
  .showHelpAfterError("(sideslip <command> --help shows the options and an example)")
  .configureOutput({ writeOut: print, writeErr: say, outputError: (text, write) => write(text) })
  .exitOverride()
  .addHelpText(
    "after",
    `
Examples:
  sideslip fly
  sideslip list
  sideslip run parafoil --out flight.csv --out flight.html
  sideslip polar parafoil

Exit codes: 0 success, 1 the run failed, 2 wrong usage or input, 128 + n stopped by signal n (Ctrl-C: 130).
`,
  );
// Only the requested command is loaded; help and unknown commands need all of them.
const [, , asked = ""] = process.argv;
// Completion scripts list all commands.
const isKnown =
  asked !== "completion" && Object.values(GROUPS).some((commands) => Object.hasOwn(commands, asked));
for (const [group, commands] of Object.entries(GROUPS)) {
  program.commandsGroup(group);
  for (const [name, load] of Object.entries(commands))
    if (!isKnown || name === asked) (await load())(program);
}
program.commandsGroup("");

// A reader that stops early (head, less) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  say(`sideslip: the output cannot be written: ${reason(error)}\n`);
  process.exit(1);
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof InputError) fail(error.message, 2);
  else if (error instanceof Interrupted) fail(error.message, error.code);
  else if (error instanceof RunError || error instanceof OutputError) fail(error.message, 1);
  else {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    fail(
      process.env.SIDESLIP_DEBUG
        ? detail
        : `internal error: ${(error as Error).message} (SIDESLIP_DEBUG=1 shows the stack trace)`,
      1,
    );
  }
}

function fail(message: string, code: number): void {
  say(`sideslip: ${message}\n`);
  process.exitCode = code;
}
