/** The page: bar, stage, side. */
import { useEffect, useState } from "preact/hooks";
import { beginFromAddress } from "./address.ts";
import { openFiles } from "./files.ts";
import { Bar } from "./panels/bar.tsx";
import { Change } from "./panels/change.tsx";
import { Controls } from "./panels/controls.tsx";
import { Messages } from "./panels/messages.tsx";
import { Runs } from "./panels/runs.tsx";
import { Share } from "./panels/share.tsx";
import { Understand } from "./panels/understand.tsx";
import { Plots } from "./plot/plots.tsx";
import { Stage } from "./stage.tsx";
import { store } from "./storage.ts";
import { studio, useShown } from "./studio.ts";

const TABS = [
  { name: "Plot", Panel: Plots },
  { name: "Change", Panel: Change },
  { name: "Understand", Panel: Understand },
  { name: "Controls", Panel: Controls },
  { name: "Share", Panel: Share },
  { name: "Runs", Panel: Runs },
] as const;

export function App() {
  const [tab, setTab] = useState<(typeof TABS)[number]["name"] | undefined>("Plot");
  const isDark = useShown((s) => s.isDark);
  useEffect(() => {
    document.documentElement.classList.toggle("light", !isDark);
    store("theme", isDark ? "dark" : "light");
  }, [isDark]);
  useEffect(() => {
    beginFromAddress();
    addEventListener("hashchange", beginFromAddress);
    return () => removeEventListener("hashchange", beginFromAddress);
  }, []);
  const [isDropping, setDropping] = useState(false);
  const campaign = useShown((s) => s.campaign);
  useEffect(() => {
    if (campaign) setTab("Runs");
  }, [campaign]);
  const tabs = TABS.filter(({ name }) => name !== "Runs" || campaign !== undefined);
  const open = tabs.find((t) => t.name === tab);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a pointer's way; the button "Open" is everybody's
    <div
      class={open ? "studio" : "studio wide"}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={(event) => event.relatedTarget === null && setDropping(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDropping(false);
        void openFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      {isDropping && <div class="drop">drop to open</div>}
      <Bar isSideOpen={open !== undefined} onSide={() => setTab(open ? undefined : "Plot")} />
      <main class="stage" aria-label="flight">
        <Stage />
        <Messages />
      </main>
      {open && (
        <aside class="side" aria-label="panels">
          <div role="tablist">
            {tabs.map(({ name }) => (
              <button
                key={name}
                type="button"
                role="tab"
                aria-selected={name === tab}
                onClick={() => {
                  setTab(name);
                  studio.look(undefined);
                }}
              >
                {name}
              </button>
            ))}
          </div>
          <div role="tabpanel" aria-label={open.name}>
            <open.Panel />
          </div>
        </aside>
      )}
    </div>
  );
}
