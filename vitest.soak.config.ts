import { defineConfig } from "vitest/config";

// Long forms: property tests with fresh seeds and many more cases, and runs of day length.
export default defineConfig({
  test: {
    include: [
      "test/invariance/**/*.test.ts",
      "test/analytic/rotation.test.ts",
      "test/analytic/elementary.test.ts",
      "test/bridges/hostile.test.ts",
      "test/bridges/px4-starts.test.ts",
      "test/bridges/hostile-autopilots.test.ts",
      "test/**/*.soak.ts",
    ],
    globalSetup: ["test/support/folder.mjs"],
    setupFiles: ["test/support/setup.ts"],
    env: { SIDESLIP_SOAK: "1", SIDESLIP_BUILT: "1" },
    testTimeout: 3_600_000,
  },
});
