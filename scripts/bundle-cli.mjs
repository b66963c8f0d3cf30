// The command line as one file: two hundred modules take longer to open than to run.
import { fileURLToPath } from "node:url";
import { build } from "vite";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

await build({
  configFile: false,
  logLevel: "error",
  root: at("."),
  // Those find files beside their own: they stay packages.
  ssr: { noExternal: true, external: ["piscina", "bullmq", "ioredis"] },
  build: {
    ssr: true,
    outDir: at("dist"),
    emptyOutDir: false,
    target: "node20",
    minify: false,
    rollupOptions: {
      input: { sideslip: at("src/cli/main.ts"), "sideslip-thread": at("src/campaign/thread.ts") },
      output: { entryFileNames: "[name].js", chunkFileNames: "sideslip-[name].js" },
    },
  },
});
