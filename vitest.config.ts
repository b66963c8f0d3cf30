import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/support/folder.mjs"],
    setupFiles: ["test/support/setup.ts"],
    // npm test has built before.
    env: { SIDESLIP_BUILT: "1" },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
