// Makes a fresh clone ready without being asked: installs packages, builds dist/, and (for the tests) brings the real parts.
// Usage: node scripts/setup.mjs [build] [parts], or prepare (npm's own step)
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const wanted = process.argv.slice(2);

const { engines } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`sideslip needs Node ${engines.node}; this is ${process.version}`);
  process.exit(1);
}

// npx runs the clone's "prepare" before it runs the command, without a word of what that says, and is broken for this clone for ever if
// it fails. The command itself builds what is missing (bin/sideslip.js).
if (wanted.includes("prepare") && process.env.npm_command === "exec") process.exit(0);

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    ...options,
  });
  if (error || status !== 0) {
    console.error(
      `sideslip setup: "${command} ${args.join(" ")}" failed${error ? `: ${error.message}` : ""}`,
    );
    process.exit(1);
  }
}

/** npm writes this file when it finishes an install. */
const installed = `${root}node_modules/.package-lock.json`;
const isFresh =
  existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs;
if (!isFresh) {
  console.error("sideslip: installing packages (once) ...");
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: ["ignore", 2, 2],
  });
}

if (wanted.includes("build") || wanted.includes("prepare")) (await import("./build.mjs")).build();

if (wanted.includes("parts")) (await import("./test-parts.mjs")).bringParts();
