/** Wind, gusts, turbulence, failing rotors, ceilings and walls; changes take effect at once. */
import { useState } from "preact/hooks";
import { channel, studio, useShown } from "../studio.ts";

type Block = Readonly<Record<string, unknown>>;
const block = (v: unknown): Block => (typeof v === "object" && v !== null ? (v as Block) : {});
const setEnvironment = (text: Block) => studio.send({ type: "setEnvironment", spec: text });

function NumberField(props: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  onChange(v: number): void;
}) {
  const { label, value, min, max, step, onChange } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        aria-label={label}
        value={Number(value.toFixed(3))}
        min={min}
        max={max}
        step={step}
        onChange={(event) => {
          const v = Number(event.currentTarget.value);
          if (Number.isFinite(v) && v >= min && v <= max) onChange(v);
          else {
            studio.say("error", `${label}: ${event.currentTarget.value} is not allowed: ${min} to ${max}`);
            event.currentTarget.value = String(value);
          }
        }}
      />
    </label>
  );
}

export function EnvironmentPanel() {
  const info = useShown((s) => s.info);
  const scenario = useShown((s) => s.scenario);
  if (!info || !scenario) return null;
  const hasAir = info.channels.some((c) => c.name === "wind_north");
  const rotors = info.inputs.flatMap((f) => /^(rotor_\d+)_health$/.exec(f.name)?.[1] ?? []);
  return (
    <>
      {hasAir && <WindFields scenario={scenario} />}
      {rotors.length > 0 && <Faults rotors={rotors} scenario={scenario} />}
      {info.boundaries.length > 0 && <Walls scenario={scenario} />}
      {!hasAir && rotors.length === 0 && <p class="dim">Wind and walls do not affect this vehicle.</p>}
    </>
  );
}

function WindFields({ scenario }: { scenario: Block }) {
  const wind = block(scenario.wind);
  const steady = Array.isArray(wind.steady) ? (wind.steady as number[]) : [0, 0, 0];
  const speed = Math.hypot(steady[0], steady[1]);
  const [storedFrom, setStored] = useState(270);
  const from = speed > 0 ? ((Math.atan2(steady[1], steady[0]) * 180) / Math.PI + 540) % 360 : storedFrom;
  const blow = (v: number, degrees: number, down: number) => {
    const a = (degrees * Math.PI) / 180;
    // Still air has no direction: keep the last one.
    setStored(degrees);
    setEnvironment({ wind: { steady: [-v * Math.cos(a), -v * Math.sin(a), down] } });
  };
  const gust = block(wind.gust);
  const { turbulence = "none" } = block(wind.dryden) as { turbulence?: string };
  return (
    <>
      <h2>Wind</h2>
      <NumberField
        label="speed [m/s]"
        value={speed}
        min={0}
        max={60}
        step={0.5}
        onChange={(v) => blow(v, from, steady[2])}
      />
      <NumberField
        label="blows from [deg]"
        value={from}
        min={0}
        max={360}
        step={5}
        onChange={(v) => blow(speed, v, steady[2])}
      />
      <NumberField
        label="upward [m/s]"
        value={-steady[2]}
        min={-20}
        max={20}
        step={0.5}
        onChange={(v) => blow(speed, from, -v)}
      />
      <NumberField
        label="gusts, up to [m/s]"
        value={Number(gust.magnitude ?? 0)}
        min={0}
        max={40}
        step={0.5}
        onChange={(v) =>
          setEnvironment({ wind: { gust: v > 0 ? { interval: 5, duration: 2, magnitude: v } : null } })
        }
      />
      <label class="field">
        <span>turbulence (Dryden)</span>
        <select
          aria-label="turbulence"
          value={turbulence}
          onChange={(event) => {
            const { info, frame } = studio.shown;
            const get = (name: string) => channel(info, frame, name);
            const level = event.currentTarget.value;
            const height = Math.min(300, Math.max(3, get("altitude") || 10));
            const airspeed = Math.max(1, get("airspeed") || 5);
            setEnvironment({
              wind: { dryden: level === "none" ? null : { turbulence: level, height, airspeed } },
            });
          }}
        >
          {["none", "light", "moderate", "severe"].map((level) => (
            <option key={level}>{level}</option>
          ))}
        </select>
      </label>
    </>
  );
}

function Faults({ rotors, scenario }: { rotors: readonly string[]; scenario: Block }) {
  const lines = Array.isArray(scenario.faults) ? (scenario.faults as Record<string, number>[]) : [];
  const now = Object.assign({}, ...lines) as Record<string, number>;
  return (
    <details>
      <summary>Failing rotors</summary>
      {rotors.map((name) => (
        <label class="field" key={name}>
          <span>
            {name.replace("_", " ")}: {Math.round(100 * (now[name] ?? 1))} % left
          </span>
          <input
            type="range"
            aria-label={`health of ${name}`}
            min="0"
            max="1"
            step="0.05"
            value={now[name] ?? 1}
            onChange={(event) => {
              const { info, frame } = studio.shown;
              const t = (frame?.tick ?? 0) * (info?.controlDt ?? 0);
              const share = { [name]: Number(event.currentTarget.value) };
              const isNow = (line: Record<string, number>) => Math.abs(line.t - t) < 1e-9;
              const others = lines.filter((line) => !isNow(line));
              const now = { ...lines.find(isNow), t, ...share };
              setEnvironment({ faults: [...others, now].sort((a, b) => a.t - b.t) });
            }}
          />
        </label>
      ))}
    </details>
  );
}

function Walls({ scenario }: { scenario: Block }) {
  const list = Array.isArray(scenario.boundaries) ? (scenario.boundaries as Block[]) : [{ kind: "ground" }];
  const add = (more: Block) => setEnvironment({ boundaries: [...list, more] });
  return (
    <details>
      <summary>Ground, ceilings and walls</summary>
      <p class="small dim">{list.map((b) => String(b.kind)).join(", ") || "none"}</p>
      <div class="row">
        <button
          type="button"
          onClick={() => {
            const { info, frame } = studio.shown;
            add({
              kind: "ceiling",
              altitude: Math.round(10 * (channel(info, frame, "altitude") + 1)) / 10,
            });
          }}
        >
          ceiling 1 m above
        </button>
        <button
          type="button"
          onClick={() => {
            const { info, frame } = studio.shown;
            const get = (name: string) => channel(info, frame, name);
            const yaw = get("yaw") || 0;
            const point = [get("north") + 5 * Math.cos(yaw), get("east") + 5 * Math.sin(yaw), get("down")];
            add({ kind: "wall", point, normal: [-Math.cos(yaw), -Math.sin(yaw), 0], size: [8, 6] });
          }}
        >
          wall 5 m ahead
        </button>
        <button
          type="button"
          onClick={() => setEnvironment({ boundaries: [{ kind: "ground", altitude: 0 }] })}
        >
          only flat ground
        </button>
      </div>
    </details>
  );
}
