/** The physics lint of the vehicle as it is. */
import { Studied, useStudy } from "./study.tsx";

export function Check() {
  const asked = useStudy<"check">({ study: "check" }, "");
  return (
    <>
      <p class="dim small">
        Random tests of the equations with this vehicle's numbers: units, symmetry, energy, signs, idle
        parameters.
      </p>
      <Studied asked={asked}>
        {(findings) => {
          const wrong = findings.filter((f) => f.status === "wrong").length;
          return (
            <>
              <p>
                <b>{wrong === 0 ? "No errors." : `${wrong} ${wrong === 1 ? "error" : "errors"}.`}</b>
              </p>
              {findings.map((f) => (
                <div key={`${f.check} ${f.text}`} class={`finding ${f.status}`}>
                  <b>{f.check}</b> <span class="dim">{f.status === "ok" ? "fine" : f.status}</span>
                  <br />
                  {f.text}
                </div>
              ))}
            </>
          );
        }}
      </Studied>
    </>
  );
}
