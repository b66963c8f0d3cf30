/** The page's state: what flies, where it is, what is shown. Components listen to the parts they show. */
import { useEffect, useState } from "preact/hooks";
import type { CampaignRuns } from "../src/deck/open-campaign.ts";
import type { Begun, Instant, News, Order } from "../src/deck/protocol.ts";
import type { Role } from "../src/deck/socket.ts";
import { Crew } from "./crew.ts";
import { isText, kept } from "./kept.ts";
import { Samples } from "./view/sample.ts";

export interface Message {
  readonly kind: "error" | "note";
  readonly text: string;
}

/** What components show; a new object for every change. */
export interface Shown {
  readonly begun?: Begun;
  readonly instant?: Instant;
  readonly values?: Float64Array;
  readonly scenario?: Readonly<Record<string, unknown>>;
  readonly messages: readonly Message[];
  readonly isDark: boolean;
  /** Of a simulation that runs elsewhere: who steers. */
  readonly role?: Role;
  /** The sample of the past under a plot's cursor. */
  readonly looked?: Float64Array;
  /** Results of a campaign that somebody opened. */
  readonly campaign?: CampaignRuns;
}

const REPEATING = "The shared flight is flown again:";

type Listener = (shown: Shown) => void;

export class Studio {
  readonly crew = new Crew(
    (news) => this.hear(news),
    (role) => this.set({ role }),
  );
  samples?: Samples;
  shown: Shown = { messages: [], isDark: prefersDark() };
  private readonly listeners = new Set<Listener>();
  /** Called for every new flight and every change of its surroundings. */
  onBegin?: (begun: Begun) => void;
  onSurround?: (begun: Begun) => void;
  onPlay?: () => void;
  onJump?: () => void;
  onChange?: (begun: Begun, values: Float64Array) => void;
  private lastTick = -1;

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  set(change: Partial<Shown>): void {
    this.shown = { ...this.shown, ...change };
    for (const listener of this.listeners) listener(this.shown);
  }

  order(order: Order): void {
    this.crew.order(order);
  }

  /** Shows a sample of the past, or the flight again. */
  look(row: Float64Array | undefined): void {
    this.set({ looked: row });
    const shown = row ?? this.shown.instant?.row;
    if (shown) this.samples?.take(shown, performance.now(), true);
  }

  say(kind: Message["kind"], text: string): void {
    const others = this.shown.messages.filter((m) => m.text !== text);
    const message = { kind, text };
    this.set({ messages: [...others, message].slice(-3) });
    // What is only good to know goes by itself; errors wait to be read.
    if (kind === "note") setTimeout(() => this.dismiss(message), 9000);
  }

  dismiss(message: Message): void {
    this.set({ messages: this.shown.messages.filter((m) => m !== message) });
  }

  private hear(news: News): void {
    if (news.news === "begun") {
      const { flight } = news;
      this.samples = new Samples(flight.channels);
      this.lastTick = -1;
      const messages = this.shown.messages.filter((m) => !m.text.startsWith(REPEATING));
      this.set({
        messages,
        begun: flight,
        values: flight.values,
        scenario: flight.scenario,
        looked: undefined,
      });
      this.onBegin?.(flight);
    } else if (news.news === "instant") {
      const { instant } = news;
      const isJump = instant.tick < this.lastTick || instant.tick > this.lastTick + 100 || !instant.isPlaying;
      if (instant.tick < this.lastTick) this.onJump?.();
      this.lastTick = instant.tick;
      if (instant.isPlaying && this.shown.instant?.isPlaying === false) this.onPlay?.();
      if (this.shown.looked === undefined) this.samples?.take(instant.row, performance.now(), isJump);
      this.set({ instant });
    } else if (news.news === "changed") {
      const { begun } = this.shown;
      this.set({ values: news.values, scenario: news.scenario });
      if (begun) {
        this.onChange?.(begun, news.values);
        const now = { ...begun, boundaries: news.boundaries };
        const isOther = JSON.stringify(begun.boundaries) !== JSON.stringify(news.boundaries);
        if (isOther) {
          this.set({ begun: now });
          this.onSurround?.(now);
        }
      }
    } else if (news.news === "repeating") {
      const others = this.shown.messages.filter((m) => !m.text.startsWith(REPEATING));
      this.set({
        messages: [...others, { kind: "note", text: `${REPEATING} ${Math.round(100 * news.part)} %` }],
      });
    } else if (news.news === "repeated")
      this.say(
        news.hash === news.wanted ? "note" : "error",
        news.hash === news.wanted
          ? `The shared flight came out the same, bit for bit (${news.hash}). It waits at its end: scrub back, or fly on.`
          : `The shared flight came out otherwise: ${news.hash} instead of ${news.wanted}. It was made with another version of Sideslip, or its link was changed.`,
      );
    else if (news.news === "opened") {
      const { name, notes } = news;
      const more = notes.length > 4 ? [...notes.slice(0, 4), `and ${notes.length - 4} more remarks`] : notes;
      this.say("note", [`Opened ${name}.`, ...more].join(" · "));
    } else if (news.news === "refused") this.say("error", news.message);
    else
      this.say(
        "error",
        `${news.message} The flight before it stays: scrub back and fly on from there, or restart.`,
      );
  }
}

const prefersDark = () => {
  const theme = kept("theme", isText);
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

/** The value of a channel in an instant. */
export function channel(begun: Begun | undefined, instant: Instant | undefined, name: string): number {
  const i = begun?.channels.findIndex((c) => c.name === name) ?? -1;
  return i < 0 ? Number.NaN : (instant?.row[i] ?? Number.NaN);
}
