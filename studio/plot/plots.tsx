/** Any channels over time, in several plots under each other. */
import { useEffect, useRef, useState } from "preact/hooks";
import { areLists, readStored, store } from "../storage.ts";
import { studio, useShown } from "../studio.ts";
import { Pane } from "./pane.tsx";
import { COLOURS, FIRST, RANGES, type Range, save, shownUnit, zoomed } from "./scales.ts";

const firstPanes = (model: string): string[][] =>
  readStored(`plots.${model}`, areLists) ?? (FIRST[model] ?? [[]]).map((names) => [...names]);

export function Plots() {
  const info = useShown((s) => s.info);
  const [panes, setPanes] = useState<string[][]>([]);
  const looked = useShown((s) => s.examined);
  const [range, setRange] = useState<Range>(RANGES[1]);
  const host = useRef<HTMLDivElement>(null);
  const wanted = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (info) setPanes(firstPanes(info.model));
  }, [info?.name]);
  if (!info) return <p class="dim">No simulation is running.</p>;
  const change = (next: string[][]) => {
    setPanes(next);
    store(`plots.${info.model}`, next);
  };
  const fieldsOf = (names: readonly string[]) =>
    names.flatMap((name) => info.channels.find((c) => c.name === name) ?? []);
  const valueIn = (row: Float64Array, name: string) => {
    const i = info.channels.findIndex((c) => c.name === name);
    return i < 0 ? "" : String(Number((row[i] * shownUnit(info.channels[i]).factor).toPrecision(4)));
  };
  /** The picture shows the moment under the cursor; the newest question counts. */
  const look = (t: number | undefined) => {
    wanted.current = t;
    if (t === undefined) {
      studio.look(undefined);
      return;
    }
    void studio.session.query({ type: "sample", t }).then((row) => {
      if (wanted.current === t) studio.look(row);
    });
  };
  const shownPanes = panes.filter((names) => fieldsOf(names).length > 0);
  const picture = () => {
    const canvases = [...(host.current?.querySelectorAll("canvas") ?? [])];
    const whole = document.createElement("canvas");
    whole.width = Math.max(1, ...canvases.map((c) => c.width));
    whole.height = canvases.reduce((sum, c) => sum + c.height + 22, 0);
    const pen = whole.getContext("2d") as CanvasRenderingContext2D;
    const style = getComputedStyle(document.documentElement);
    pen.fillStyle = style.getPropertyValue("--panel");
    pen.fillRect(0, 0, whole.width, whole.height);
    let y = 0;
    canvases.forEach((c, i) => {
      pen.fillStyle = style.getPropertyValue("--text");
      pen.font = "13px system-ui";
      let x = 8;
      fieldsOf(shownPanes[i]).forEach((f, k) => {
        const label = `${f.name} [${shownUnit(f).unit}]`;
        pen.fillStyle = COLOURS[k % COLOURS.length];
        pen.fillText(label, x, y + 16);
        x += pen.measureText(label).width + 14;
      });
      pen.drawImage(c, 0, y + 22);
      y += c.height + 22;
    });
    whole.toBlob((blob) => blob && save(`${info.name}.png`, [blob], "image/png"));
  };
  return (
    <div ref={host}>
      <div class="row" style={{ marginBottom: "8px" }}>
        {RANGES.map((r) => (
          <button key={r.name} type="button" aria-pressed={r.name === range.name} onClick={() => setRange(r)}>
            {r.name}
          </button>
        ))}
        {range.name === "zoomed" && <span class="dim small">double-click leaves the zoom</span>}
      </div>
      {panes.map((names, i) => {
        const fields = fieldsOf(names);
        return (
          <div class="pane" key={i}>
            <div class="chips">
              {fields.map((f, k) => (
                <span class="chip" key={f.name} title={f.meaning}>
                  <i style={{ background: COLOURS[k % COLOURS.length] }} />
                  {f.name} <span class="dim">[{shownUnit(f).unit}]</span>
                  {looked && <b class="number">{valueIn(looked, f.name)}</b>}
                  <button
                    type="button"
                    aria-label={`remove ${f.name}`}
                    onClick={() => change(panes.map((p, j) => (j === i ? p.filter((n) => n !== f.name) : p)))}
                  >
                    ✕
                  </button>
                </span>
              ))}
              <input
                type="text"
                class="small"
                list="channels"
                placeholder="add a channel"
                aria-label={`add a channel to plot ${i + 1}`}
                style={{ width: "130px", minHeight: "24px", padding: "0 6px" }}
                onChange={(event) => {
                  const name = event.currentTarget.value.trim();
                  if (name !== "" && !info.channels.some((c) => c.name === name))
                    studio.say(
                      "error",
                      `There is no channel "${name}"; the list under the field shows all channels.`,
                    );
                }}
                onInput={(event) => {
                  const name = event.currentTarget.value;
                  if (!info.channels.some((c) => c.name === name)) return;
                  event.currentTarget.value = "";
                  if (!names.includes(name)) change(panes.map((p, j) => (j === i ? [...p, name] : p)));
                }}
              />
              <button
                type="button"
                class="small"
                style={{ minHeight: "24px", padding: "0 6px", marginLeft: "auto" }}
                aria-label={`remove plot ${i + 1}`}
                onClick={() => change(panes.filter((_, j) => j !== i))}
              >
                ✕
              </button>
            </div>
            {fields.length > 0 && (
              <Pane
                fields={fields}
                range={range}
                onLook={look}
                onZoom={(from, to) => setRange(Number.isNaN(from) ? RANGES[1] : zoomed(from, to))}
              />
            )}
          </div>
        );
      })}
      <datalist id="channels">
        {info.channels.map((c) => (
          <option key={c.name} value={c.name}>
            {`${c.meaning} [${c.unit}]`}
          </option>
        ))}
      </datalist>
      <div class="row">
        <button type="button" onClick={() => change([...panes, []])}>
          add a plot
        </button>
        <button type="button" disabled={shownPanes.length === 0} onClick={picture}>
          save PNG
        </button>
        <button
          type="button"
          disabled={shownPanes.length === 0}
          onClick={() => {
            const names = [...new Set(shownPanes.flat())];
            void studio.session
              .query({ type: "csv", names })
              .then((parts) => save(`${info.name}-plotted.csv`, [...parts], "text/csv"));
          }}
        >
          save CSV
        </button>
        <button
          type="button"
          title="all channels at all ticks"
          onClick={() => {
            void studio.session
              .query({ type: "csv", names: [] })
              .then((parts) => save(`${info.name}.csv`, [...parts], "text/csv"));
          }}
        >
          save all as CSV
        </button>
      </div>
    </div>
  );
}
