#!/usr/bin/env node
// An installed package has its build; a clone makes it where it is missing or older than its sources.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

if (existsSync(at("src")) && process.env.SIDESLIP_BUILT === undefined) {
  const isReady = existsSync(at("node_modules")) && (await import("../scripts/build.mjs")).isBuilt();
  if (!isReady) {
    const { status } = spawnSync(process.execPath, [at("scripts/setup.mjs"), "build"], {
      stdio: ["ignore", 2, 2],
    });
    if (status !== 0) process.exit(1);
  }
} else if (!existsSync(at("dist/sideslip.js"))) {
  console.error("sideslip: dist/sideslip.js is missing: this package is damaged, install it again");
  process.exit(1);
}
await import("../dist/sideslip.js");
