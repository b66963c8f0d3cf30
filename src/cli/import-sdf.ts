import type { Command } from "commander";
import { OutputFile } from "./files.ts";
import { importSdf } from "./sdf-source.ts";
import { printJson } from "./table.ts";
import { print } from "./terminal.ts";

export function addImportSdf(parent: Command): void {
  parent
    .command("sdf")
    .description(
      "a vehicle from a Gazebo model (classic or gz): masses, motors, lift-drag plugins, servos, contacts",
    )
    .argument("<model.sdf>", "model file; included models (model://name) must be in folders beside its own")
    .option("--out <file>", "vehicle file to write (default: print it)")
    .option("--json", "print the vehicle and the remarks as JSON")
    .addHelpText(
      "after",
      `
Example:
  sideslip import sdf models/x500/model.sdf --out x500.yaml
  sideslip run models/x500/model.sdf          (runs it directly)
`,
    )
    .action((path: string, options: { out?: string; json?: boolean }) => {
      const { imported, text } = importSdf(path);
      if (options.out !== undefined) {
        const file = new OutputFile(options.out);
        file.write(text);
        file.finish();
      }
      if (options.json) {
        printJson(imported);
        return;
      }
      if (options.out === undefined) print(text);
      const stream = options.out === undefined ? process.stderr : process.stdout;
      stream.write(
        imported.remarks.length === 0
          ? "every element was imported\n"
          : `${imported.remarks.length === 1 ? "1 remark" : `${imported.remarks.length} remarks`} on elements that were not imported or have no effect:\n`,
      );
      for (const { file, line, sentence } of imported.remarks)
        stream.write(`  ${file}:${line}: ${sentence}\n`);
      if (options.out !== undefined) print(`wrote ${options.out}\n`);
    });
}
