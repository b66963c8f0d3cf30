/** Keys to gestures. A key that is held pushes; let go, or the page left, it pushes no more. */
import type { KeyAction } from "../../src/model/manual-control.ts";
import type { Command, SessionInfo } from "../../src/session/protocol.ts";

/** Letters belong to a text field; on a list only the keys that choose do. */
const isTyping = ({ target, code }: KeyboardEvent) => {
  if (!(target instanceof HTMLElement)) return false;
  if (target.tagName === "SELECT") return !/^Key/.test(code);
  return (
    target.tagName === "TEXTAREA" ||
    (target instanceof HTMLInputElement && !/^(range|checkbox)$/.test(target.type))
  );
};

export class Keyboard {
  private readonly held = new Set<string>();
  private readonly pushed = new Map<number, number>();
  private sticks: readonly string[] = [];
  private actions: readonly KeyAction[] = [];
  private readonly send: (command: Command) => void;
  private readonly page: (key: string) => boolean;

  /** `page` answers whether a key was one of the page's own. */
  constructor(command: (command: Command) => void, page: (key: string) => boolean) {
    this.send = command;
    this.page = page;
    addEventListener("keydown", (event) => this.down(event));
    addEventListener("keyup", (event) => this.up(event.code));
    addEventListener("blur", () => this.letGo());
    document.addEventListener("visibilitychange", () => document.hidden && this.letGo());
  }

  /** Keys that are still held belong to the previous flight. */
  begin({ sticks }: SessionInfo, actions: readonly KeyAction[]): void {
    this.held.clear();
    this.pushed.clear();
    this.sticks = sticks.map((s) => s.name);
    this.actions = actions;
  }

  /** Repeats the commands of held keys after the session was not listening. */
  again(): void {
    this.pushed.clear();
    this.push();
  }

  letGo(): void {
    this.held.clear();
    this.push();
  }

  private down(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const action = this.actions.find((a) => a.keys.includes(event.code));
    if (action === undefined) {
      if (this.page(event.code)) event.preventDefault();
      return;
    }
    event.preventDefault();
    // A button that has the focus is not pressed by a key that flies.
    if (document.activeElement instanceof HTMLElement && document.activeElement !== document.body)
      document.activeElement.blur();
    if (event.repeat) return;
    for (const [name, value] of Object.entries(action.puts ?? {}))
      this.send({ type: "moveStick", stick: this.sticks.indexOf(name), motion: "put", value });
    if (!action.pushes) return;
    this.held.add(event.code);
    this.push();
  }

  private up(code: string): void {
    if (this.held.delete(code)) this.push();
  }

  /** Sticks whose push is another than before. */
  private push(): void {
    const sums = new Map<number, number>();
    for (const code of this.held)
      for (const [name, v] of Object.entries(this.actions.find((a) => a.keys.includes(code))?.pushes ?? {})) {
        const stick = this.sticks.indexOf(name);
        sums.set(stick, (sums.get(stick) ?? 0) + v);
      }
    for (const stick of new Set([...sums.keys(), ...this.pushed.keys()])) {
      const value = Math.sign(sums.get(stick) ?? 0);
      if (value === (this.pushed.get(stick) ?? 0)) continue;
      this.pushed.set(stick, value);
      this.send({ type: "moveStick", stick, motion: "push", value });
    }
  }
}
