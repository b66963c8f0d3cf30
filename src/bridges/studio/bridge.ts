/** Studio pages on a served session: several viewers, one of which has control. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { InputError } from "../../model/input-error.ts";
import { decode, encode } from "../../session/encoding.ts";
import type { Role, SessionEvent } from "../../session/protocol.ts";
import type { Session } from "../../session/session.ts";
import { Counts } from "../counts.ts";
import { keepAlive } from "../keep-alive.ts";
import { refuse } from "../refuse.ts";
import type { Bridge } from "../server.ts";
import { readPageMessage } from "./read-command.ts";

/** A page that does not keep up misses frames; one that does not read at all is disconnected [bytes]. */
const MOST_WAITING = 1 << 20;
const MOST_EVER_WAITING = 64 << 20;
const LARGEST_MESSAGE = 1 << 20;
const MOST_PAGES = 32;
/** Pages look as often as screens do [ms]. */
const FRAME = 15;

export class StudioBridge implements Bridge {
  readonly name = "studio";
  /** New at every start; required to connect. */
  readonly token = randomBytes(16).toString("hex");
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
  });
  private readonly pages = new Set<WebSocket>();
  private readonly counts = new Counts();
  private met = 0;
  private session?: Session;
  private pilot?: WebSocket;
  private shown = Number.NEGATIVE_INFINITY;

  /** Whether a page has control. */
  get isPiloted(): boolean {
    return this.pilot !== undefined;
  }

  show(session: Session): void {
    this.session = session;
  }

  /** Sends a session event to all pages. */
  readonly sendEvent = (event: SessionEvent): void => {
    if (this.pages.size === 0) return;
    if (event.type === "frame") {
      const now = performance.now();
      if (event.frame.isPlaying && now - this.shown < FRAME) return;
      this.shown = now;
    }
    const message = encode({ event });
    for (const page of this.pages) this.post(page, message, event.type === "frame");
  };

  private post(page: WebSocket, message: string, mayMiss = false): void {
    if (page.readyState !== page.OPEN) return;
    if (page.bufferedAmount > MOST_EVER_WAITING) page.terminate();
    else if (!mayMiss || page.bufferedAmount < MOST_WAITING) page.send(message);
  }

  /** A page connects: its origin must be this server, and it needs the token. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Errors of a connection that is being refused are ignored.
    socket.on("error", () => socket.destroy());
    const { origin, host } = request.headers;
    const [path, query = ""] = (request.url ?? "").split("?");
    const given = Buffer.from(new URLSearchParams(query).get("token") ?? "");
    const wanted = Buffer.from(this.token);
    const isRight = given.length === wanted.length && timingSafeEqual(given, wanted);
    if (path !== "/session" || !isRight || origin !== `http://${host}` || this.pages.size >= MOST_PAGES) {
      this.counts.add("a connection without permission");
      refuse(socket);
      return;
    }
    this.sockets.handleUpgrade(request, socket, head, (page) => this.welcome(page));
  };

  private welcome(page: WebSocket): void {
    this.pages.add(page);
    this.met++;
    page.on("error", () => {});
    keepAlive(page);
    page.on("close", () => {
      this.pages.delete(page);
      if (this.pilot !== page) return;
      this.pilot = undefined;
      this.tellRoles();
    });
    page.on("message", (data, isBinary) => {
      if (isBinary) this.counts.add("malformed");
      else this.hear(page, data.toString());
    });
    this.session?.sendCurrent((event) => this.post(page, encode({ event })));
    this.tellRole(page);
  }

  private tellRole(page: WebSocket): void {
    const role: Role = this.pilot === undefined ? "free" : this.pilot === page ? "pilot" : "viewer";
    this.post(page, encode({ role }));
  }
  private tellRoles(): void {
    for (const page of this.pages) this.tellRole(page);
  }

  private hear(page: WebSocket, text: string): void {
    const { session } = this;
    if (session === undefined) return;
    let id: number | undefined;
    try {
      const message = readPageMessage(decoded(text));
      if ("query" in message) {
        id = message.id;
        this.post(page, encode({ id, reply: session.query(message.query) }));
        return;
      }
      if (this.pilot !== undefined && this.pilot !== page)
        throw new InputError("another page has control: close it to take over");
      session.execute(message.command);
      // The sender of an executed command gets control.
      if (this.pilot === undefined) {
        this.pilot = page;
        this.tellRoles();
      }
    } catch (error) {
      const isForeseen = error instanceof InputError;
      this.counts.add(isForeseen ? "refused" : "failed");
      const problem = (error as Error).message;
      const message = isForeseen ? problem : `internal error: ${problem}`;
      this.post(
        page,
        encode(id === undefined ? { event: { type: "rejected", message } } : { id, failure: message }),
      );
    }
  }

  status() {
    return { pages: this.met, refused: this.counts.total };
  }
  close(): Promise<void> {
    for (const page of this.pages) page.terminate();
    return new Promise((resolve) => this.sockets.close(() => resolve()));
  }
}

function decoded(text: string): unknown {
  try {
    return decode(text);
  } catch {
    throw new InputError("not valid JSON");
  }
}
