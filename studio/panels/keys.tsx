import { useState } from "preact/hooks";
import type { SessionInfo } from "../../src/session/protocol.ts";
import { boundActions, keyName } from "../input/bindings.ts";
import { useShown } from "../studio.ts";

/** The keys that fly, where one looks for them. */
export function Keys({ info }: { info: SessionInfo }) {
  const [isOpen, setOpen] = useState(true);
  const isByHand = useShown((s) => s.frame?.isByHand ?? true);
  return (
    <div class="over keys">
      <div class="row" style={{ justifyContent: "space-between" }}>
        <b>{info.name}</b>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "hide keys" : "keys"}
        </button>
      </div>
      {isOpen && (
        <>
          {!isByHand && !info.isLog && (
            <p class="small" style={{ margin: "4px 0" }}>
              {info.drivenBy
                ? `${info.drivenBy} has control. Keys and gamepad are its radio control.`
                : "The scenario has control. Press any key below to take over."}
            </p>
          )}
          <table>
            <tbody>
              {boundActions(info.name, info.actions).map((a) => (
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
          <div class="dim small">{info.help}</div>
        </>
      )}
    </div>
  );
}
