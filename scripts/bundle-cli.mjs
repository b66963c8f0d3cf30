// The command line in few files: two hundred modules take longer to open than to run.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Bundles it into a folder; `plugins` may replace modules. */
export async function bundleCli({ outDir = at("dist"), plugins = [] } = {}) {
  if (existsSync(outDir))
    for (const name of readdirSync(outDir)) if (/^sideslip.*\.js$/.test(name)) rmSync(`${outDir}/${name}`);
  await build({
    configFile: false,
    logLevel: "error",
    root: at("."),
    plugins,
    // Those find files beside their own: they stay packages.
    ssr: { noExternal: true, external: ["piscina", "bullmq", "ioredis"] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: "node20",
      minify: false,
      rollupOptions: {
        input: {
          sideslip: at("src/cli/main.ts"),
          "sideslip-thread": at("src/campaign/thread.ts"),
          "sideslip-reader": at("src/campaign/reading-process.ts"),
        },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "sideslip-[name].js",
          // What most commands need is one file; small pieces are not worth one each.
          codeSplitting: {
            minShareCount: 2,
            minSize: 30_000,
            groups: [{ name: "common", minShareCount: 10 }],
          },
        },
      },
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCli();
