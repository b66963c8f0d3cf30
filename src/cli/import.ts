import type { Command } from "commander";
import { addImportAvl } from "./import-avl.ts";
import { addImportSdf } from "./import-sdf.ts";

export function addImport(program: Command): void {
  const command = program
    .command("import")
    .description("make a vehicle file from another tool's files: AVL outputs, Gazebo models");
  addImportAvl(command);
  addImportSdf(command);
}
