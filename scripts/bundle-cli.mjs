// The command line as one file: two hundred modules take longer to open than to run.
import { fileURLToPath } from "node:url";
import { build } from "vite";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

await build({
  configFile: false,
  logLevel: "error",
  root: at("."),
  ssr: { noExternal: true },
  build: {
    ssr: at("src/cli/main.ts"),
    outDir: at("dist"),
    emptyOutDir: false,
    target: "node20",
    minify: false,
    rollupOptions: {
      output: { entryFileNames: "sideslip.js", chunkFileNames: "sideslip-[name].js" },
    },
  },
});
