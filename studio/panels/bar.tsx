/** What flies, and time: play, pause, step, speed, back and forth. */
import { presetNames } from "../../src/vehicles/vehicle-file.ts";
import { isElsewhere } from "../crew.ts";
import { studio, useShown } from "../studio.ts";
import { OpenFiles } from "./open-files.tsx";

/** Names mean little to who sees them first. */
export const GROUPS = [
  { kind: "parafoil", vehicles: ["parafoil"] },
  { kind: "multirotors", vehicles: ["x500", "iris", "hakoniwa", "typhoon-h480"] },
  { kind: "aeroplanes", vehicles: ["advanced-plane", "rc-cessna", "zephyr"] },
  { kind: "hovers and cruises", vehicles: ["standard-vtol"] },
  { kind: "race car", vehicles: ["formula-student"] },
];

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20];

const clock = (t: number) => {
  const minutes = Math.floor(t / 60);
  return `${minutes}:${(t - 60 * minutes).toFixed(1).padStart(4, "0")}`;
};

export function Bar({ isSideOpen, onSide }: { isSideOpen: boolean; onSide(): void }) {
  const begun = useShown((s) => s.begun);
  const instant = useShown((s) => s.instant, 100);
  const isDark = useShown((s) => s.isDark);
  const dt = begun?.controlDt ?? 0.02;
  const play = instant?.isPlaying ? "pause" : "play";
  return (
    <header class="bar">
      <span class="brand">
        side<span>slip</span>
      </span>
      {isElsewhere ? <Elsewhere /> : <VehicleChoice />}
      <button
        type="button"
        class="icon"
        title="restart (⌫)"
        aria-label="restart"
        onClick={() => studio.order({ do: "restart" })}
      >
        ⟲
      </button>
      <button
        type="button"
        class="icon main"
        title={`${play} (P)`}
        aria-label={play}
        disabled={instant?.isOver && instant.tick === instant.end}
        onClick={() => studio.order({ do: play })}
      >
        {instant?.isPlaying ? "❚❚" : "▶"}
      </button>
      <button
        type="button"
        class="icon"
        title="single step (.)"
        aria-label="single step"
        onClick={() => studio.order({ do: "step" })}
      >
        ▶❘
      </button>
      <select
        aria-label="speed of time"
        value={String(instant?.speed ?? 1)}
        onChange={(event) => {
          studio.order({ do: "speed", value: Number(event.currentTarget.value) });
          event.currentTarget.blur();
        }}
      >
        {[...new Set([...SPEEDS, instant?.speed ?? 1])].map((v) => (
          <option key={v} value={String(v)}>
            {v}×
          </option>
        ))}
      </select>
      <div class="time">
        <input
          type="range"
          aria-label="time"
          min={instant?.first ?? 0}
          max={instant?.end ?? 0}
          value={instant?.tick ?? 0}
          onInput={(event) => studio.order({ do: "seek", tick: Number(event.currentTarget.value) })}
        />
        <span class="number" data-testid="time" style={{ minWidth: "108px" }}>
          {clock((instant?.tick ?? 0) * dt)} <span class="dim">/ {clock((instant?.end ?? 0) * dt)}</span>
        </span>
      </div>
      <span
        class="hash"
        title="hash of all states so far: the same flight has the same everywhere"
        data-testid="hash"
      >
        {instant?.hash}
      </span>
      <button
        type="button"
        class="icon"
        aria-label={isDark ? "light colours" : "dark colours"}
        title={isDark ? "light colours" : "dark colours"}
        onClick={() => studio.set({ isDark: !isDark })}
      >
        {isDark ? "☀" : "☾"}
      </button>
      <button
        type="button"
        class="icon"
        aria-expanded={isSideOpen}
        aria-label="panels"
        title="panels"
        onClick={onSide}
      >
        {isSideOpen ? "»" : "«"}
      </button>
    </header>
  );
}

/** What flies, to be chosen. */
function VehicleChoice() {
  const begun = useShown((s) => s.begun);
  const names = presetNames();
  return (
    <>
      <label>
        <span class="dim">vehicle </span>
        <select
          aria-label="vehicle"
          value={begun && names.includes(begun.name) ? begun.name : ""}
          onChange={(event) => {
            const name = event.currentTarget.value;
            event.currentTarget.blur();
            history.replaceState(null, "", `#vehicle=${name}`);
            studio.order({ do: "begin", vehicle: name });
          }}
        >
          {begun && !names.includes(begun.name) && <option value="">{begun.name}</option>}
          {GROUPS.map(({ kind, vehicles }) => (
            <optgroup key={kind} label={kind}>
              {vehicles.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <OpenFiles />
    </>
  );
}

const ROLES = {
  pilot: "you steer",
  viewer: "another page steers",
  free: "nobody steers from a page",
  gone: "which has gone",
};

/** What flies in a server, and who steers. */
function Elsewhere() {
  const begun = useShown((s) => s.begun);
  const role = useShown((s) => s.role) ?? "free";
  return (
    <span data-testid="elsewhere">
      {begun?.name} <span class="dim">in a server · {ROLES[role]}</span>
    </span>
  );
}
