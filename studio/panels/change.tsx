/** All parameters of the vehicle and its environment: change, undo, save. */
import { useEffect, useState } from "preact/hooks";
import { save } from "../plot/scales.ts";
import { studio, useShown } from "../studio.ts";
import { EnvironmentPanel } from "./environment.tsx";
import { Parameter } from "./parameter.tsx";

/** Names `rotors.1.position.x` belong to "rotors 1". */
const groupOf = (name: string): string => {
  const [head, number] = name.split(".");
  return name.includes(".") ? (/^\d+$/.test(number) ? `${head} ${number}` : head) : "vehicle";
};

/** What an undo brings back. */
interface Before {
  readonly name: string;
  readonly values: Readonly<Record<string, number>>;
  readonly at: number;
}
/** A slider that pauses for longer is taken up anew [ms]. */
const ONE_CHANGE = 1000;

export function Change() {
  const info = useShown((s) => s.info);
  const values = useShown((s) => s.values);
  const [search, setSearch] = useState("");
  const [undo, setUndo] = useState<readonly Before[]>([]);
  useEffect(() => setUndo([]), [info?.name]);
  if (!info || !values) return <p class="dim">No simulation is running.</p>;
  const all = info.parameters.map((field, i) => ({ field, value: values[i], original: info.original[i] }));
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter(({ field }) => {
    const text = `${field.name} ${field.meaning} ${field.unit}`.toLowerCase();
    return terms.every((term) => text.includes(term));
  });
  const changed = all.filter(({ value, original }) => value !== original);
  const groups = new Map<string, (typeof all)[number][]>();
  for (const p of found) {
    const group = groupOf(p.field.name);
    groups.set(group, [...(groups.get(group) ?? []), p]);
  }
  /** A slider that is dragged is one change, not a hundred. */
  const change = (name: string, value: number) => {
    const before = all.find((p) => p.field.name === name)?.value ?? value;
    const last = undo.at(-1);
    const isSame = last?.name === name && Date.now() - last.at < ONE_CHANGE;
    const entry = isSame ? { ...last, at: Date.now() } : { name, values: { [name]: before }, at: Date.now() };
    setUndo([...(isSame ? undo.slice(0, -1) : undo), entry].slice(-100));
    studio.send({ type: "setParameters", values: { [name]: value } });
  };
  const row = (p: (typeof all)[number]) => (
    <Parameter
      key={p.field.name}
      {...p}
      source={info.sources[p.field.name]}
      onChange={(v) => change(p.field.name, v)}
    />
  );
  return (
    <>
      <EnvironmentPanel />
      <h2>Parameters of {info.name}</h2>
      <div class="row" style={{ marginBottom: "6px" }}>
        <input
          type="search"
          placeholder="find: mass, drag, stall…"
          aria-label="find a parameter"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
          style={{ flex: 1 }}
        />
        <button
          type="button"
          disabled={undo.length === 0}
          onClick={() => {
            const last = undo.at(-1);
            setUndo(undo.slice(0, -1));
            if (last) studio.send({ type: "setParameters", values: last.values });
          }}
        >
          undo
        </button>
      </div>
      <div class="row">
        <button
          type="button"
          disabled={changed.length === 0}
          onClick={() => {
            const values = Object.fromEntries(changed.map((p) => [p.field.name, p.value]));
            setUndo([...undo, { name: "", values, at: 0 }]);
            studio.send({
              type: "setParameters",
              values: Object.fromEntries(changed.map((p) => [p.field.name, p.original])),
            });
          }}
        >
          reset all
        </button>
        <button
          type="button"
          onClick={() =>
            void studio.session.query({ type: "yaml" }).then(
              (text) => save(`${info.name}-changed.yaml`, [text], "application/yaml"),
              (error: Error) => studio.say("error", error.message),
            )
          }
        >
          save as vehicle YAML
        </button>
      </div>
      {changed.length > 0 && (
        <details open>
          <summary>{changed.length} changed from the original</summary>
          {changed.map(row)}
        </details>
      )}
      {[...groups].map(([group, list]) => (
        <details key={group} open={terms.length > 0 || groups.size === 1 || group === "vehicle"}>
          <summary>
            {group} <span class="dim">({list.length})</span>
          </summary>
          {list.map(row)}
        </details>
      ))}
      {found.length === 0 && <p class="dim">No parameter matches.</p>}
    </>
  );
}
