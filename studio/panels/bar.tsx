/** The vehicle and time: play, pause, step, speed, seek. */
import { isElsewhere } from "../session-client.ts";
import { studio, useShown } from "../studio.ts";
import { OpenFiles } from "./open-files.tsx";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20];

const clock = (t: number) => {
  const minutes = Math.floor(t / 60);
  return `${minutes}:${(t - 60 * minutes).toFixed(1).padStart(4, "0")}`;
};

export function Bar({ isSideOpen, onSide }: { isSideOpen: boolean; onSide(): void }) {
  const info = useShown((s) => s.info);
  const frame = useShown((s) => s.frame, 100);
  const isDark = useShown((s) => s.isDark);
  const dt = info?.controlDt ?? 0.02;
  const play = frame?.isPlaying ? "pause" : "play";
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
        onClick={() => studio.send({ type: "restart" })}
      >
        ⟲
      </button>
      <button
        type="button"
        class="icon main"
        title={`${play} (P)`}
        aria-label={play}
        disabled={frame?.isOver && frame.tick === frame.end}
        onClick={() => studio.send({ type: play })}
      >
        {frame?.isPlaying ? "❚❚" : "▶"}
      </button>
      <button
        type="button"
        class="icon"
        title="single step (.)"
        aria-label="single step"
        onClick={() => studio.send({ type: "step" })}
      >
        ▶❘
      </button>
      <select
        aria-label="simulation speed"
        value={String(frame?.speed ?? 1)}
        onChange={(event) => {
          studio.send({ type: "setSpeed", value: Number(event.currentTarget.value) });
          event.currentTarget.blur();
        }}
      >
        {[...new Set([...SPEEDS, frame?.speed ?? 1])].map((v) => (
          <option key={v} value={String(v)}>
            {v}×
          </option>
        ))}
      </select>
      <div class="time">
        <input
          type="range"
          aria-label="time"
          min={frame?.first ?? 0}
          max={frame?.end ?? 0}
          value={frame?.tick ?? 0}
          onInput={(event) => studio.send({ type: "seek", tick: Number(event.currentTarget.value) })}
        />
        <span class="number" data-testid="time" style={{ minWidth: "108px" }}>
          {clock((frame?.tick ?? 0) * dt)} <span class="dim">/ {clock((frame?.end ?? 0) * dt)}</span>
        </span>
      </div>
      <span
        class="hash"
        title="hash of all states so far: identical flights have identical hashes"
        data-testid="hash"
      >
        {frame?.hash}
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

/** Choice of the vehicle. */
function VehicleChoice() {
  const info = useShown((s) => s.info);
  const catalogue = useShown((s) => s.catalogue) ?? [];
  const names = catalogue.map(({ name }) => name);
  const groups = [...new Set(catalogue.map(({ group }) => group))];
  return (
    <>
      <label>
        <span class="dim">vehicle </span>
        <select
          aria-label="vehicle"
          value={info && names.includes(info.name) ? info.name : ""}
          onChange={(event) => {
            const name = event.currentTarget.value;
            event.currentTarget.blur();
            history.replaceState(null, "", `#vehicle=${name}`);
            studio.send({ type: "start", vehicle: name });
          }}
        >
          {info && !names.includes(info.name) && <option value="">{info.name}</option>}
          {groups.map((group) => (
            <optgroup key={group} label={group}>
              {catalogue
                .filter((entry) => entry.group === group)
                .map(({ name }) => (
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
  pilot: "you have control",
  viewer: "another page has control",
  free: "no page has control",
  gone: "disconnected",
};

/** The vehicle on a server, and which page has control. */
function Elsewhere() {
  const info = useShown((s) => s.info);
  const role = useShown((s) => s.role) ?? "free";
  return (
    <span data-testid="elsewhere">
      {info?.name} <span class="dim">on a server · {ROLES[role]}</span>
    </span>
  );
}
