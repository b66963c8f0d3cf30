/** Trim at given conditions, and a flight from there. */
import { useState } from "preact/hooks";
import { flyFrom, readable, Studied, useStudy } from "./study.tsx";

const SHOWN: Readonly<Record<string, { unit: string; factor: number }>> = {
  rad: { unit: "°", factor: Math.PI / 180 },
  "rad/s": { unit: "°/s", factor: Math.PI / 180 },
};

export function Trim() {
  const [condition, setCondition] = useState<Readonly<Record<string, number>>>({});
  const asked = useStudy<"trim">({ study: "trim", condition }, JSON.stringify(condition));
  return (
    <>
      <p class="dim small">Steady flight, glide, climb, turn, hover or cornering. Empty fields are free.</p>
      {asked.answer?.conditions.map(({ name, unit }) => {
        const { unit: shownUnit, factor } = SHOWN[unit] ?? { unit, factor: 1 };
        return (
          <label class="field" key={name}>
            <span>
              {name} <span class="dim">[{shownUnit}]</span>
            </span>
            <input
              type="number"
              step="any"
              aria-label={name}
              value={condition[name] === undefined ? "" : Number((condition[name] / factor).toPrecision(6))}
              onChange={(event) => {
                const { [name]: _, ...others } = condition;
                const text = event.currentTarget.value;
                setCondition(text === "" ? others : { ...others, [name]: Number(text) * factor });
              }}
            />
          </label>
        );
      })}
      <Studied asked={asked}>
        {({ isTrimmed, point, quantities, controls, notes }) => (
          <>
            {notes.map((n) => (
              <p key={n} class={isTrimmed ? "small dim" : "small"}>
                {n}
              </p>
            ))}
            {point && (
              <>
                <button type="button" class="main" onClick={() => flyFrom(point)}>
                  fly from here
                </button>
                <table class="data">
                  <tbody>
                    {quantities.map(({ name, value, unit }) => (
                      <tr key={name}>
                        <td>{name.replace(/_/g, " ")}</td>
                        <td>{readable(value, unit)}</td>
                      </tr>
                    ))}
                    {controls.map(({ name, value, unit }) => (
                      <tr key={name}>
                        <td>{name.replace(/_/g, " ")}</td>
                        <td>{readable(value, unit, unit === "rad/s")}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </>
            )}
          </>
        )}
      </Studied>
    </>
  );
}
