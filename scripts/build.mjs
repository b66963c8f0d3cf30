// Builds dist/ where the sources changed since the last time: the command line and library, and the Studio.
//   node scripts/build.mjs            only what changed
//   node scripts/build.mjs --all      everything
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const FILES = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];

/** Each part with its sources, its steps, and the file that keeps what it was built from. */
const PARTS = [
  {
    name: "command line and library",
    stamp: `${root}dist/.built`,
    sources: ["src", "scripts"],
    steps: [
      ["node", "scripts/embed-presets.mjs"],
      ["node", "scripts/embed-references.mjs"],
      ["tsx", "scripts/embed-places.mjs"],
      ["node", "scripts/embed-equations.mjs"],
      ["tsx", "scripts/embed-jacobian.mjs"],
      ["node", "scripts/embed-identity.mjs"],
      ["tsc", "-p", "tsconfig.build.json"],
      ["node", "scripts/store-jacobians.mjs"],
      ["node", "scripts/bundle-cli.mjs"],
    ],
    seconds: 30,
  },
  {
    name: "Studio",
    stamp: `${root}dist/.studio-built`,
    sources: ["src", "scripts", "studio"],
    steps: [["vite", "build", "--config", "studio/vite.config.ts"]],
    seconds: 10,
  },
];

/** Files below the folders, without tests. */
function filesBelow(folders) {
  return folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
      .filter((f) => f.isFile() && !f.name.endsWith(".test.ts"))
      .map((f) => `${f.parentPath ?? f.path}/${f.name}`),
  );
}

/** Written by people, not by a step. */
const isWritten = (file) => !file.includes(".generated.");

/** A hash of all that a part is made of, or of what `counts`. */
function fingerprint({ sources }, counts = () => true) {
  const hash = createHash("sha256");
  for (const file of [...FILES.map((f) => root + f), ...filesBelow(sources).sort()].filter(counts))
    hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

/** Times first: they are read in a few milliseconds, and mostly nothing changed. */
function isFresh(part) {
  if (!existsSync(part.stamp)) return false;
  const built = statSync(part.stamp).mtimeMs;
  const isOlder = (file) => statSync(file).mtimeMs <= built;
  if (FILES.every((f) => isOlder(root + f)) && filesBelow(part.sources).every(isOlder)) return true;
  if (readFileSync(part.stamp, "utf8") !== fingerprint(part)) return false;
  const now = new Date();
  utimesSync(part.stamp, now, now);
  return true;
}

export const isBuilt = () => PARTS.every(isFresh);

/** Whether the process that a lock names is there; a lock that has gone just now is nobody's. */
function isHeld(lock) {
  try {
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** One process builds at a time: another waits for it, and finds its work done. */
function alone(work) {
  const lock = `${root}dist/.building`;
  mkdirSync(`${root}dist`, { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      if (isHeld(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      else rmSync(lock, { force: true });
    }
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function run([command, ...args], name) {
  const own = `${root}node_modules/.bin/${command}`;
  const { status, error } = spawnSync(command === "node" ? process.execPath : own, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (!error && status === 0) return;
  console.error(`sideslip: building the ${name} failed at "${command} ${args.join(" ")}"`);
  process.exit(1);
}

/** Says on standard error what it does; nothing where nothing is to be done. */
export function build({ all = false } = {}) {
  alone(() => {
    const due = PARTS.filter((part) => all || !isFresh(part));
    if (due.length === 0) return;
    const begun = performance.now();
    const names = due.map((part) => part.name).join(" and ");
    const seconds = due.reduce((sum, part) => sum + part.seconds, 0);
    console.error(
      `sideslip: building the ${names} (about ${seconds} s, once after each change of the sources) ...`,
    );
    for (const part of due) {
      rmSync(part.stamp, { force: true });
      const before = fingerprint(part, isWritten);
      for (const step of part.steps) run(step, part.name);
      // Some steps write sources, so the stamp is made after them; what somebody else changed meanwhile is built the next time.
      if (fingerprint(part, isWritten) === before) writeFileSync(part.stamp, fingerprint(part));
    }
    console.error(`sideslip: built in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build({ all: process.argv.includes("--all") });
