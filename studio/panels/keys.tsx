import { useState } from "preact/hooks";
import type { Begun } from "../../src/deck/protocol.ts";
import { boundActions, keyName } from "../input/bindings.ts";
import { useShown } from "../studio.ts";

/** The keys that fly, where one looks for them. */
export function Keys({ begun }: { begun: Begun }) {
  const [isOpen, setOpen] = useState(true);
  const isByHand = useShown((s) => s.instant?.isByHand ?? true);
  return (
    <div class="over keys">
      <div class="row" style={{ justifyContent: "space-between" }}>
        <b>{begun.name}</b>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "hide keys" : "keys"}
        </button>
      </div>
      {isOpen && (
        <>
          {!isByHand && !begun.isLog && (
            <p class="small" style={{ margin: "4px 0" }}>
              {begun.drivenBy
                ? `${begun.drivenBy} flies. Keys and gamepad are its radio control.`
                : "The scenario flies. Any key below takes over."}
            </p>
          )}
          <table>
            <tbody>
              {boundActions(begun.name, begun.actions).map((a) => (
                <tr key={a.meaning}>
                  <td>
                    {a.keys.map((k) => (
                      <>
                        <kbd>{keyName(k)}</kbd>{" "}
                      </>
                    ))}
                  </td>
                  <td>{a.meaning}</td>
                </tr>
              ))}
              <tr>
                <td>
                  <kbd>P</kbd> <kbd>C</kbd> <kbd>V</kbd>
                </td>
                <td class="dim">pause, camera, forces</td>
              </tr>
            </tbody>
          </table>
          <div class="dim small">{begun.help}</div>
        </>
      )}
    </div>
  );
}
