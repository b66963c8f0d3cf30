/** The page's state: what flies, where it is, what is shown. Components listen to the parts they show. */
import { useEffect, useState } from "preact/hooks";
import type { CampaignRuns } from "../src/session/open-campaign.ts";
import type {
  CatalogueEntry,
  Command,
  Frame,
  Role,
  SessionEvent,
  SessionInfo,
} from "../src/session/protocol.ts";
import { SessionClient } from "./session-client.ts";
import { isText, readStored } from "./storage.ts";
import { Samples } from "./view/sample.ts";

export interface Message {
  readonly kind: "error" | "note";
  readonly text: string;
}

/** What components show; a new object for every change. */
export interface Shown {
  readonly info?: SessionInfo;
  readonly frame?: Frame;
  readonly values?: Float64Array;
  readonly scenario?: Readonly<Record<string, unknown>>;
  readonly messages: readonly Message[];
  readonly isDark: boolean;
  /** On a server: which page has control. */
  readonly role?: Role;
  /** The sample of the past under a plot's cursor. */
  readonly examined?: Float64Array;
  /** Vehicles that can be chosen; not of a simulation that runs elsewhere. */
  readonly catalogue?: readonly CatalogueEntry[];
  /** Results of an opened campaign. */
  readonly campaign?: CampaignRuns;
}

const REPEATING = "Repeating the shared flight:";

type Listener = (shown: Shown) => void;

export class Studio {
  readonly session = new SessionClient(
    (event) => this.onEvent(event),
    (role) => this.set({ role }),
  );
  samples?: Samples;
  shown: Shown = { messages: [], isDark: prefersDark() };
  private readonly listeners = new Set<Listener>();
  /** Called for every new flight and every change of its environment. */
  onStart?: (info: SessionInfo) => void;
  onEnvironment?: (info: SessionInfo) => void;
  onPlay?: () => void;
  onJump?: () => void;
  onChange?: (info: SessionInfo, values: Float64Array) => void;
  private lastTick = -1;

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  set(change: Partial<Shown>): void {
    this.shown = { ...this.shown, ...change };
    for (const listener of this.listeners) listener(this.shown);
  }

  send(command: Command): void {
    this.session.send(command);
  }

  /** Shows a sample of the past, or the flight again. */
  look(row: Float64Array | undefined): void {
    this.set({ examined: row });
    const shown = row ?? this.shown.frame?.row;
    if (shown) this.samples?.take(shown, performance.now(), true);
  }

  say(kind: Message["kind"], text: string): void {
    const others = this.shown.messages.filter((m) => m.text !== text);
    const message = { kind, text };
    this.set({ messages: [...others, message].slice(-3) });
    // Notes disappear by themselves; errors stay until they are dismissed.
    if (kind === "note") setTimeout(() => this.dismiss(message), 9000);
  }

  dismiss(message: Message): void {
    this.set({ messages: this.shown.messages.filter((m) => m !== message) });
  }

  private onEvent(event: SessionEvent): void {
    if (event.type === "started") {
      const { info: flight } = event;
      this.samples = new Samples(flight.channels);
      this.lastTick = -1;
      const messages = this.shown.messages.filter((m) => !m.text.startsWith(REPEATING));
      this.set({
        messages,
        info: flight,
        values: flight.values,
        scenario: flight.scenario,
        examined: undefined,
      });
      this.onStart?.(flight);
    } else if (event.type === "frame") {
      const { frame } = event;
      const isJump = frame.tick < this.lastTick || frame.tick > this.lastTick + 100 || !frame.isPlaying;
      if (frame.tick < this.lastTick) this.onJump?.();
      this.lastTick = frame.tick;
      if (frame.isPlaying && this.shown.frame?.isPlaying === false) this.onPlay?.();
      if (this.shown.examined === undefined) this.samples?.take(frame.row, performance.now(), isJump);
      this.set({ frame: frame });
    } else if (event.type === "changed") {
      const { info } = this.shown;
      this.set({ values: event.values, scenario: event.scenario });
      if (info) {
        this.onChange?.(info, event.values);
        const now = { ...info, boundaries: event.boundaries };
        const isOther = JSON.stringify(info.boundaries) !== JSON.stringify(event.boundaries);
        if (isOther) {
          this.set({ info: now });
          this.onEnvironment?.(now);
        }
      }
    } else if (event.type === "repeating") {
      const others = this.shown.messages.filter((m) => !m.text.startsWith(REPEATING));
      this.set({
        messages: [...others, { kind: "note", text: `${REPEATING} ${Math.round(100 * event.part)} %` }],
      });
    } else if (event.type === "repeated")
      this.say(
        event.hash === event.wanted ? "note" : "error",
        event.hash === event.wanted
          ? `The shared flight was repeated bit for bit (${event.hash}). It is paused at its end: seek back or continue.`
          : `The repeated flight differs: hash ${event.hash} instead of ${event.wanted}. Its link was changed, or made with another version of Sideslip.`,
      );
    else if (event.type === "opened") {
      const { name, notes } = event;
      const more = notes.length > 4 ? [...notes.slice(0, 4), `and ${notes.length - 4} more remarks`] : notes;
      this.say("note", [`Opened ${name}.`, ...more].join(" · "));
    } else if (event.type === "rejected") this.say("error", event.message);
    else
      this.say(
        "error",
        `${event.message} The flight up to there is kept: seek back and continue from there, or restart.`,
      );
  }
}

const prefersDark = () => {
  const theme = readStored("theme", isText);
  return theme ? theme === "dark" : !matchMedia("(prefers-color-scheme: light)").matches;
};

export const studio = new Studio();

/** A part of the state; the component is drawn again when it is another, at most once in so many milliseconds. */
export function useShown<T>(select: (shown: Shown) => T, every = 0): T {
  const [value, set] = useState(() => select(studio.shown));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = () => {
      timer = undefined;
      set(() => select(studio.shown));
    };
    take();
    const stop = studio.listen(() => {
      if (every === 0) take();
      else timer ??= setTimeout(take, every);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  return value;
}

/** The value of a channel in a sample. */
export function channel(info: SessionInfo | undefined, frame: Frame | undefined, name: string): number {
  const i = info?.channels.findIndex((c) => c.name === name) ?? -1;
  return i < 0 ? Number.NaN : (frame?.row[i] ?? Number.NaN);
}
