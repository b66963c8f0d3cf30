/** Analyses: contributions at the current instant, trim, polar, envelope, modes, physics lint. */
import { useState } from "preact/hooks";
import { useShown } from "../studio.ts";
import { Check } from "./check.tsx";
import { Envelope } from "./envelope.tsx";
import { Explain } from "./explain.tsx";
import { Modes } from "./modes.tsx";
import { Polar } from "./polar.tsx";
import { Trim } from "./trim.tsx";

const VIEWS = [
  { name: "Explain", View: Explain },
  { name: "Trim", View: Trim },
  { name: "Polar", View: Polar },
  { name: "Envelope", View: Envelope },
  { name: "Modes", View: Modes },
  { name: "Check", View: Check },
] as const;

export function Understand() {
  const [name, setName] = useState<(typeof VIEWS)[number]["name"]>("Explain");
  const info = useShown((s) => s.info);
  const { View } = VIEWS.find((v) => v.name === name) ?? VIEWS[0];
  if (!info) return <p class="dim">No simulation is running.</p>;
  return (
    <>
      <div class="row" role="group" aria-label="views" style={{ marginBottom: "10px" }}>
        {VIEWS.map((v) => (
          <button key={v.name} type="button" aria-pressed={v.name === name} onClick={() => setName(v.name)}>
            {v.name}
          </button>
        ))}
      </div>
      <View key={info.name} />
    </>
  );
}
