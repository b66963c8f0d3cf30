/** The current instant: the contributions to every coefficient, force and moment. */
import { useEffect, useState } from "preact/hooks";
import type { Contribution, Explanation } from "../../src/analysis/explain.ts";
import { studio } from "../studio.ts";

/** Values below rounding are shown as 0. */
const digits = (v: number) =>
  Math.abs(v) < 1e-12 ? "0" : String(Number(v.toPrecision(4))).replaceAll("-", "−");

export function Explain() {
  const [now, setNow] = useState<Explanation>();
  const [search, setSearch] = useState("");
  useEffect(() => {
    let isGone = false;
    const look = () =>
      studio.session.query({ type: "explain" }).then(
        (answer) => !isGone && setNow(answer),
        () => {},
      );
    void look();
    const timer = setInterval(look, 300);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, []);
  if (!now) return <p class="dim">computing…</p>;
  const found = now.contributions.filter(
    (c) => c.parts.length > 0 && c.name.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <>
      <p class="dim small">
        Each sum and its contributions, largest first, live. Orange is negative. Pause to examine one instant.
      </p>
      <input
        type="search"
        placeholder="find: CL, force_z, moment…"
        aria-label="find a quantity"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
        style={{ width: "100%" }}
      />
      {now.warnings.map((w) => (
        <p key={w} class="small" style={{ color: "var(--bad)" }}>
          {w}
        </p>
      ))}
      {found.map((c) => (
        <Whole key={c.name} whole={c} />
      ))}
    </>
  );
}

function Whole({ whole }: { whole: Contribution }) {
  const most = Math.max(1e-30, ...whole.parts.map((p) => Math.abs(p.value)));
  const acting = whole.parts.filter((p) => Math.abs(p.value) > 1e-12);
  const idle = whole.parts.length - acting.length;
  return (
    <details open>
      <summary title={whole.meaning}>
        {whole.name} ={" "}
        <span class="number">
          {digits(whole.value)}
          {whole.unit === "1" ? "" : ` ${whole.unit}`}
        </span>
      </summary>
      {acting.map((p) => {
        const width = (50 * Math.abs(p.value)) / most;
        return (
          <div
            class="contribution"
            key={p.name}
            title={`${p.meaning}; ${Math.round(100 * Math.abs(p.share))} % of the parts`}
          >
            <span>
              {p.name} {p.symbol && <span class="dim">{p.symbol}</span>}
            </span>
            <span class="value number">{digits(p.value)}</span>
            <span class="bar2">
              <i
                class={p.value < 0 ? "negative" : ""}
                style={{ left: `${p.value < 0 ? 50 - width : 50}%`, width: `${width}%` }}
              />
            </span>
          </div>
        );
      })}
      {idle > 0 && (
        <span class="dim small">
          {idle} more {idle === 1 ? "is" : "are"} zero
        </span>
      )}
    </details>
  );
}
