import { studio, useShown } from "../studio.ts";

/** Why the flight ended, and how to continue. */
export function Ended() {
  const frame = useShown((s) => s.frame, 200);
  const isLog = useShown((s) => s.info?.isLog);
  if (!frame?.isOver || frame.tick < frame.end) return null;
  const last = frame.events.at(-1);
  const why = isLog
    ? "End of the log"
    : last
      ? `The flight ended: ${last.name.replace(/_/g, " ")}`
      : "End of the scenario";
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
        <button type="button" class="main" onClick={() => studio.send({ type: "restart" })}>
          restart
        </button>
        <button
          type="button"
          onClick={() => {
            const back = Math.round(10 / (studio.shown.info?.controlDt ?? 0.02));
            studio.send({ type: "seek", tick: frame.end - back });
          }}
        >
          back 10 s
        </button>
      </div>
    </div>
  );
}
