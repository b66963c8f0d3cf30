/** A Redis server of the tests' own: on loopback, with a password, forgetting all at its end. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { folder } from "./cli.ts";

export const hasRedis = spawnSync("sh", ["-c", "command -v redis-server"]).status === 0;
if (!hasRedis && process.env.CI === "true")
  throw new Error("CI without redis-server: the distributed engine cannot be tested");

export const freePort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });

export class RedisServer {
  readonly port: number;
  private child?: ChildProcess;
  constructor(port: number) {
    this.port = port;
  }
  get url(): string {
    return `redis://:secret@127.0.0.1:${this.port}`;
  }
  start(): Promise<void> {
    const child = spawn(
      "redis-server",
      [
        "--bind",
        "127.0.0.1",
        "--port",
        String(this.port),
        "--requirepass",
        "secret",
        "--save",
        "",
        "--appendonly",
        "no",
      ],
      { cwd: folder(), stdio: ["ignore", "pipe", "ignore"] },
    );
    this.child = child;
    return new Promise((ready, fail) => {
      child.on("exit", () => fail(new Error("redis-server ended")));
      child.stdout?.on("data", (text) => {
        if (String(text).includes("Ready to accept connections")) ready();
      });
    });
  }
  stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null) return Promise.resolve();
    return new Promise((go) => {
      child.once("exit", () => go());
      child.kill("SIGKILL");
    });
  }
}
