/** `sideslip fly`: serves the Studio on this machine and opens it. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { InputError } from "../model/input-error.ts";
import { RunError } from "../simulation/divergence.ts";
import { presetNames, unknownVehicle } from "../vehicle-types/index.ts";
import { type Served, serveFolder, type Upgrade } from "./static-server.ts";
import { print } from "./terminal.ts";

interface Options {
  readonly port: string;
  readonly host: string;
  readonly open: boolean;
}

export function addFly(program: Command): void {
  program
    .command("fly")
    .description("open the Studio: fly, see forces, change parameters, find polars and modes, in the browser")
    .argument("[vehicle]", "vehicle to start with", "parafoil")
    .option("--port <number>", "port to serve on (the next free one if it is taken)", "8770")
    .option(
      "--host <address>",
      "address to listen on; the default can be reached from this machine only",
      "127.0.0.1",
    )
    .option("--no-open", "only print the address")
    .addHelpText(
      "after",
      `
Examples:
  sideslip fly
  sideslip fly x500
  sideslip fly --no-open --port 9000
The same page is in dist/studio: any web server can serve it, from any folder.
`,
    )
    .action(fly);
}

/** Beside the command line in dist/. */
const FOLDER = fileURLToPath(new URL("./studio/", import.meta.url));
const OTHER_PORTS = 20;

async function fly(vehicle: string, options: Options): Promise<void> {
  if (!presetNames().includes(vehicle))
    throw unknownVehicle(vehicle, "and to open a file, drop it on the page");
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new InputError("is not a port number", {
      field: "--port",
      value: options.port,
      allowed: "0 to 65535",
    });
  const { address, close } = await serveStudio(port, options.host);
  const page = `${address}#vehicle=${vehicle}`;
  print(`Sideslip Studio runs at ${page}\nCtrl-C stops it.\n`);
  if (options.open) open(page);
  const end = () => close();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
}

/** The page, on this port or one of the next. */
export async function serveStudio(port: number, host: string, upgrade?: Upgrade): Promise<Served> {
  if (!existsSync(`${FOLDER}index.html`)) throw new RunError("the Studio is not built; run `npm run build`");
  for (let k = 0; ; k++)
    try {
      return await serveFolder(FOLDER, host, port === 0 ? 0 : port + k, upgrade);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "EADDRINUSE" && k < OTHER_PORTS && port !== 0) continue;
      if (code === "EACCES")
        throw new InputError("is not permitted for this user", {
          field: "--port",
          value: port,
          allowed: "1024 and above",
        });
      throw new RunError(`cannot serve on ${host}: ${message}`);
    }
}

/** Opens the page in the default browser; without one, the user copies the printed address. */
function open(page: string): void {
  const [command, args] =
    process.platform === "darwin"
      ? ["open", [page]]
      : process.platform === "win32"
        ? ["cmd", ["/c", "start", "", page.replaceAll("&", "^&")]]
        : ["xdg-open", [page]];
  const child = spawn(command as string, args as string[], { stdio: "ignore", detached: true });
  child.on("error", () => print("No browser could be opened from here: copy the address.\n"));
  child.unref();
}
