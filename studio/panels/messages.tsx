import { studio, useShown } from "../studio.ts";

/** What went wrong and what to do, or what is good to know; errors stay until they are read. */
export function Messages() {
  const messages = useShown((s) => s.messages);
  return (
    <div class="messages" role="status" aria-live="polite">
      {messages.map((m) => (
        <div key={m.text} class={`message ${m.kind}`} role={m.kind === "error" ? "alert" : undefined}>
          <p>{m.text}</p>
          <button type="button" aria-label="dismiss" onClick={() => studio.dismiss(m)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
