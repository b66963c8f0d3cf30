/** Keys and gamepad: what moves what, and how to change it. */
import { useEffect, useState } from "preact/hooks";
import type { Stick } from "../../src/model/manual-control.ts";
import { boundActions, keyName, PAGE_KEYS, storedKeys, storeKeys } from "../input/bindings.ts";
import {
  AXIS,
  type AxisMap,
  calibrated,
  connectedPad,
  type PadMap,
  storedMap,
  storeMap,
  usualMap,
} from "../input/gamepad.ts";
import { pad } from "../stage.tsx";
import { studio, useShown } from "../studio.ts";

export function Controls() {
  const info = useShown((s) => s.info);
  const [waiting, setWaiting] = useState<string>();
  const [, again] = useState(0);
  useEffect(() => {
    if (waiting === undefined || !info) return;
    const take = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      const ofPage = PAGE_KEYS.find((k) => k.key === event.code);
      const previous = boundActions(info.name, info.actions).find(
        (a) => a.meaning !== waiting && a.keys.includes(event.code),
      );
      if (ofPage)
        studio.say(
          "error",
          `${keyName(event.code)} is a key of the page: ${ofPage.meaning}. Choose another key.`,
        );
      else if (event.code !== "Escape") {
        if (previous) studio.say("note", `${keyName(event.code)} was bound to "${previous.meaning}" before.`);
        // A key has one action: the previous action loses it.
        const others = boundActions(info.name, info.actions).map((a) => ({
          ...a,
          keys: a.meaning === waiting ? [event.code] : a.keys.filter((k) => k !== event.code),
        }));
        const changes = others.filter((a) => {
          const first = info.actions.find((b) => b.meaning === a.meaning);
          return first?.keys.join() !== a.keys.join();
        });
        storeKeys(info.name, Object.fromEntries(changes.map((a) => [a.meaning, a.keys])));
        dispatchEvent(new Event("sideslip-keys"));
      }
      setWaiting(undefined);
    };
    addEventListener("keydown", take, { capture: true });
    return () => removeEventListener("keydown", take, { capture: true });
  }, [waiting, info?.name]);
  if (!info) return <p class="dim">No simulation is running.</p>;
  const isChanged = Object.keys(storedKeys(info.name)).length > 0;
  return (
    <>
      <h2>Keys of {info.name}</h2>
      <p class="dim small">{info.help}. Click a key to change it.</p>
      <table class="data">
        <tbody>
          {boundActions(info.name, info.actions).map((a) => (
            <tr key={a.meaning}>
              <td>{a.meaning}</td>
              <td>
                <button type="button" onClick={() => setWaiting(a.meaning)}>
                  {waiting === a.meaning
                    ? "press a key (Esc: cancel)"
                    : a.keys.map(keyName).join(" ") || "none"}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isChanged && (
        <button
          type="button"
          onClick={() => {
            storeKeys(info.name, {});
            dispatchEvent(new Event("sideslip-keys"));
            again((n) => n + 1);
          }}
        >
          restore default keys
        </button>
      )}
      <h2>Keys of the page</h2>
      <table class="data">
        <tbody>
          {PAGE_KEYS.map(({ key, meaning }) => (
            <tr key={key}>
              <td>{meaning}</td>
              <td>
                <kbd>{keyName(key)}</kbd>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <GamepadMap key={info.name} vehicle={info.name} sticks={info.sticks} />
    </>
  );
}

function GamepadMap({ vehicle, sticks }: { vehicle: string; sticks: readonly Stick[] }) {
  const [map, setMap] = useState<PadMap>(() => storedMap(vehicle, sticks));
  const [axes, setAxes] = useState<readonly number[]>([]);
  const [name, setName] = useState<string>();
  const [seen, setSeen] = useState<{ low: number[]; high: number[] }>();
  useEffect(() => {
    const timer = setInterval(() => {
      const found = connectedPad();
      setName(found?.id);
      setAxes(found ? [...found.axes] : []);
      if (found)
        setSeen(
          (old) =>
            old && {
              low: found.axes.map((v, i) => Math.min(v, old.low[i] ?? v)),
              high: found.axes.map((v, i) => Math.max(v, old.high[i] ?? v)),
            },
        );
    }, 80);
    return () => clearInterval(timer);
  }, []);
  const change = (next: PadMap) => {
    setMap(next);
    storeMap(vehicle, next);
    pad.map = next;
  };
  const set = (stick: string, part: Partial<AxisMap>) =>
    change({ ...map, [stick]: { ...AXIS, ...map[stick], ...part } });
  if (name === undefined)
    return (
      <>
        <h2>Gamepad or joystick</h2>
        <p class="dim">Plug one in and press one of its buttons: browsers detect it only then.</p>
      </>
    );
  return (
    <>
      <h2>Gamepad or joystick</h2>
      <p class="dim small">{name}</p>
      {sticks.map((s) => {
        const m = map[s.name];
        return (
          <div class="parameter" key={s.name}>
            <div class="what">
              <b>{s.name.replace(/_/g, " ")}</b> <span class="dim">{s.meaning}</span>
            </div>
            <label>
              <span class="dim small">axis </span>
              <select
                aria-label={`axis of ${s.name}`}
                value={m ? String(m.axis) : ""}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  if (value !== "") set(s.name, { axis: Number(value) });
                  else change(Object.fromEntries(Object.entries(map).filter(([k]) => k !== s.name)));
                }}
              >
                <option value="">none</option>
                {axes.map((v, i) => (
                  <option key={i} value={String(i)}>
                    {i} ({v.toFixed(2)})
                  </option>
                ))}
              </select>
            </label>
            {m && (
              <>
                <label class="small">
                  <input
                    type="checkbox"
                    checked={m.isReversed}
                    onChange={() => set(s.name, { isReversed: !m.isReversed })}
                  />{" "}
                  reverse
                </label>
                <span class="number small">{calibrated(m, axes[m.axis] ?? 0).toFixed(2)}</span>
                <label class="what small row">
                  dead zone
                  <input
                    type="range"
                    min="0"
                    max="0.5"
                    step="0.01"
                    value={m.deadZone}
                    aria-label={`dead zone of ${s.name}`}
                    onInput={(e) => set(s.name, { deadZone: Number(e.currentTarget.value) })}
                  />
                  expo
                  <input
                    type="range"
                    min="0"
                    max="1"
                    step="0.05"
                    value={m.expo}
                    aria-label={`expo of ${s.name}`}
                    onInput={(e) => set(s.name, { expo: Number(e.currentTarget.value) })}
                  />
                </label>
              </>
            )}
          </div>
        );
      })}
      <div class="row" style={{ marginTop: "8px" }}>
        {seen === undefined ? (
          <button type="button" onClick={() => setSeen({ low: [...axes], high: [...axes] })}>
            calibrate
          </button>
        ) : (
          <button
            type="button"
            class="main"
            onClick={() => {
              const middle = connectedPad()?.axes ?? [];
              change(
                Object.fromEntries(
                  Object.entries(map).map(([k, m]) => [
                    k,
                    seen.high[m.axis] - seen.low[m.axis] > 0.5
                      ? { ...m, low: seen.low[m.axis], high: seen.high[m.axis], middle: middle[m.axis] ?? 0 }
                      : m,
                  ]),
                ),
              );
              setSeen(undefined);
            }}
          >
            done: all sticks were moved to both ends and are centred
          </button>
        )}
        <button type="button" onClick={() => change(usualMap(sticks))}>
          default mapping
        </button>
      </div>
    </>
  );
}
