/** A first visit explains itself in three hints. */
import { useState } from "preact/hooks";
import { isText, readStored, store } from "../storage.ts";
import { studio } from "../studio.ts";

const HINTS = [
  {
    title: "You are flying already",
    text: "The keys are listed at the top left; hold one and watch. A gamepad works too. Choose another vehicle at the top.",
  },
  {
    title: "See why it does that",
    text: "“forces” at the top right shows every force as an arrow. Plot draws any quantity over time. Understand shows the contributions to each force, and computes trim, polars and modes.",
  },
  {
    title: "Change it, go back, share it",
    text: "Change lists every parameter with its unit and meaning. Drag the time bar back and press play to fly on from there. Share makes a link that repeats your flight bit for bit.",
  },
];

export function Hints() {
  const [at, setAt] = useState(readStored("hints", isText) ? HINTS.length : 0);
  if (at >= HINTS.length) return null;
  const leave = () => {
    store("hints", "seen");
    setAt(HINTS.length);
    studio.send({ type: "play" });
  };
  const { title, text } = HINTS[at];
  return (
    <div class="hint" role="dialog" aria-label="first steps">
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="row">
        <button type="button" onClick={leave}>
          skip
        </button>
        <span class="dim">
          {at + 1} of {HINTS.length}
        </span>
        <button type="button" class="main" onClick={() => (at + 1 < HINTS.length ? setAt(at + 1) : leave())}>
          {at + 1 < HINTS.length ? "next" : "fly"}
        </button>
      </div>
    </div>
  );
}
