import { defineConfig } from "vitest/config";

/** Physics, formats, analysis: nothing to build, no system packages, no processes of their own. */
export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "test/{analytic,convergence,invariance,vectors,simulation,session}/*.test.ts",
      "test/conformance/{aircraft-files,avl-modes,presets,px4-mix,uiuc}.test.ts",
    ],
    // Those that run commands need a build; flights of random aircraft and of long runs take their time.
    exclude: [
      "test/analytic/{airframe,random-aircraft,exact-slopes,trim-branches,trim-starts}.test.ts",
      "test/simulation/{flight-sensors,inputs-file,long-run,mishaps}.test.ts",
      "test/vectors/{parafoil-run60,parafoil-tables}.test.ts",
    ],
    globalSetup: ["test/support/folder.mjs"],
    setupFiles: ["test/support/setup.ts"],
    pool: "threads",
    isolate: false,
    maxWorkers: "100%",
    testTimeout: 60_000,
  },
});
