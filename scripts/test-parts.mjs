// The real parts that the tests compare with. On Debian, as root, what is absent is installed; elsewhere its suites are skipped.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** A command or a folder that shows that a part is there, the Debian packages that bring it, and what it is for. */
const PARTS = [
  {
    proof: "chromium",
    packages: ["chromium"],
    purpose: "the Studio's pages, and the same bits in a browser",
  },
  { proof: "redis-server", packages: ["redis-server"], purpose: "campaigns through Redis workers" },
  { proof: "gcc", packages: ["gcc", "libc6-dev"], purpose: "reference programs in C" },
  { proof: "g++", packages: ["g++"], purpose: "ROS 2 peers" },
  {
    proof: "idlc",
    packages: ["cyclonedds-tools", "cyclonedds-dev"],
    purpose: "Cyclone DDS, a peer of the RTPS participant",
  },
  {
    proof: "/usr/include/fastdds",
    packages: ["libfastrtps-dev"],
    purpose: "Fast DDS, another peer",
  },
];

const isThere = ({ proof }) =>
  proof.startsWith("/")
    ? existsSync(proof)
    : spawnSync("sh", ["-c", `command -v ${proof}`], { stdio: "ignore" }).status === 0;
const list = (parts) => parts.map((p) => `  ${p.packages.join(", ")}: ${p.purpose}`).join("\n");

/** Says what is absent and why it is wanted, installs it where that is possible, and says what will be skipped. */
export function bringParts() {
  const missing = PARTS.filter((part) => !isThere(part));
  if (missing.length === 0) return;
  const canInstall =
    existsSync("/etc/debian_version") && isThere({ proof: "apt-get" }) && process.getuid?.() === 0;
  if (canInstall) {
    console.error(
      `sideslip: the tests use parts that are absent; apt-get installs them now:\n${list(missing)}`,
    );
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const quietly = { stdio: ["ignore", 2, 2], env };
    spawnSync("apt-get", ["update", "-qq"], quietly);
    const packages = missing.flatMap((part) => part.packages);
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], quietly);
  }
  const absent = missing.filter((part) => !isThere(part));
  if (absent.length > 0)
    console.error(`sideslip: absent, so that their suites are skipped:\n${list(absent)}`);
}
