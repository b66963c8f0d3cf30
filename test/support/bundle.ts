/** A module and all it imports as one script that leaves its exports on a global name: for workers and browsers. */
import { build } from "vite";

export async function bundled(entry: URL, name: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      lib: { entry: entry.pathname, formats: ["iife"], name, fileName: name },
    },
  });
  const [{ output }] = result as unknown as { output: { code: string }[] }[];
  return output[0].code;
}
