// The unit and determinism suites with the other versions of Node that Sideslip supports; npm's packages of Node bring them.
//   node scripts/node-versions.mjs          now
//   node scripts/node-versions.mjs --ci     where CI=true, and nothing elsewhere
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const VERSIONS = ["20.20.2", "22.23.3", "24.21.0"];
const SUITES = [["--config", "vitest.unit.config.ts"], ["test/determinism/determinism.test.ts"]];

if (process.argv.includes("--ci") && process.env.CI !== "true") process.exit(0);
const root = fileURLToPath(new URL("..", import.meta.url));
const [own] = process.versions.node.split(".");
const fail = (text) => {
  console.error(`node-versions: ${text}`);
  process.exit(1);
};

for (const version of VERSIONS.filter((v) => !v.startsWith(`${own}.`))) {
  const place = `${root}node_modules/.cache/node-${version}`;
  const name = `node-${process.platform}-${process.arch}`;
  const binary = `${place}/node_modules/${name}/bin/node`;
  if (!existsSync(binary)) {
    console.error(`node-versions: npm installs Node ${version} below node_modules/.cache ...`);
    const wanted = ["install", "--prefix", place, "--no-save", "--ignore-scripts", "--loglevel=error"];
    const { status } = spawnSync("npm", [...wanted, `${name}@${version}`], { stdio: ["ignore", 2, 2] });
    if (status !== 0) fail(`npm has no ${name}@${version}`);
  }
  for (const suite of SUITES) {
    console.error(`node-versions: Node ${version}: vitest run ${suite.join(" ")}`);
    const { status } = spawnSync(binary, [`${root}node_modules/vitest/vitest.mjs`, "run", ...suite], {
      cwd: root,
      stdio: "inherit",
    });
    if (status !== 0) fail(`a suite fails with Node ${version}`);
  }
}
