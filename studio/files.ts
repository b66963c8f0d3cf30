/** Files that a person opens or drops. */
import { studio } from "./studio.ts";

export async function openFiles(files: readonly File[]): Promise<void> {
  studio.say("note", `${files.length} file(s)`);
}
