import { studio, useShown } from "../studio.ts";

/** Why it goes no further, and what one can do. */
export function Ended() {
  const instant = useShown((s) => s.instant, 200);
  const isLog = useShown((s) => s.begun?.isLog);
  if (!instant?.isOver || instant.tick < instant.end) return null;
  const last = instant.events.at(-1);
  const why = isLog
    ? "The log ends here"
    : last
      ? `It ends here: ${last.name.replace(/_/g, " ")}`
      : "The scenario ends here";
  return (
    <div
      class="over"
      role="status"
      style={{ left: "50%", top: "38%", transform: "translateX(-50%)", textAlign: "center" }}
    >
      <p style={{ margin: "4px 0 8px" }}>
        <b>{why}.</b>
      </p>
      <div class="row">
        <button type="button" class="main" onClick={() => studio.order({ do: "restart" })}>
          once more
        </button>
        <button
          type="button"
          onClick={() => {
            const back = Math.round(10 / (studio.shown.begun?.controlDt ?? 0.02));
            studio.order({ do: "seek", tick: instant.end - back });
          }}
        >
          back 10 s
        </button>
      </div>
    </div>
  );
}
