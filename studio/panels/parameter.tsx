/** One parameter: meaning, unit, range, a slider and exact entry, and the way back. */
import { useEffect, useState } from "preact/hooks";
import { allowed, type Field, inRange } from "../../src/model/field.ts";

const shown = (v: number) => String(Number(v.toPrecision(6)));

/** Ends of a slider: the allowed ones where they are near, otherwise around the original. */
function endsOf(field: Field, original: number, value: number): readonly [number, number] {
  const size = Math.max(Math.abs(original), Math.abs(value)) || 1;
  const low = field.min ?? field.above ?? Number.NEGATIVE_INFINITY;
  const high = field.max ?? Number.POSITIVE_INFINITY;
  const from = low >= -10 * size ? low : Math.min(value, original - 2 * size);
  const to = high <= 10 * size ? high : Math.max(value, original + (low >= 0 ? 1.5 : 2) * size);
  return [from, to];
}

interface ParameterProps {
  readonly field: Field;
  readonly value: number;
  readonly original: number;
  readonly source?: string;
  onChange(value: number): void;
}

export function Parameter({ field, value, original, source, onChange }: ParameterProps) {
  const [text, setText] = useState(shown(value));
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setText(shown(value));
    setProblem(undefined);
  }, [value]);
  const take = (entered: string) => {
    setText(entered);
    const v = Number(entered);
    if (entered.trim() === "" || !inRange(field, v)) {
      setProblem(`${entered.trim() || "an empty value"} is not allowed: ${allowed(field)}`);
      return;
    }
    setProblem(undefined);
    onChange(v);
  };
  const [low, high] = endsOf(field, original, value);
  const short = field.name.split(".").slice(-2).join(".");
  return (
    <div class={value === original ? "parameter" : "parameter changed"}>
      <div class="what" title={`${field.name}; ${source ?? ""}`}>
        <span class="name">{/^\d/.test(short) ? short.replace(/^\d+\./, "") : short}</span>{" "}
        <span class="dim small">
          {field.meaning}
          {field.unit === "1" ? "" : ` [${field.unit}]`}
        </span>
      </div>
      {field.choices ? (
        <select
          aria-label={field.name}
          value={String(value)}
          onChange={(event) => onChange(Number(event.currentTarget.value))}
        >
          {Object.entries(field.choices).map(([choice, v]) => (
            <option key={choice} value={String(v)}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="range"
          aria-label={`${field.name}, slider`}
          min={low}
          max={high}
          step="any"
          value={value}
          disabled={!Number.isFinite(value)}
          onInput={(event) => {
            const v = Number(Number(event.currentTarget.value).toPrecision(4));
            if (inRange(field, v)) onChange(v);
          }}
        />
      )}
      {field.choices ? (
        <span />
      ) : (
        <input
          type="text"
          inputMode="decimal"
          class="number"
          aria-label={field.name}
          aria-invalid={problem !== undefined}
          value={text}
          style={{ minHeight: "26px", padding: "1px 6px", width: "100%" }}
          onChange={(event) => take(event.currentTarget.value)}
        />
      )}
      <button
        type="button"
        aria-label={`reset ${field.name}`}
        title={`reset to ${shown(original)}`}
        disabled={value === original}
        onClick={() => onChange(original)}
      >
        ↺
      </button>
      {problem && (
        <span class="what small" role="alert" style={{ color: "var(--bad)" }}>
          {problem}
        </span>
      )}
      {value !== original && (
        <span class="what small dim">
          originally {shown(original)}
          {original !== 0 &&
            ` (${value > original ? "+" : "−"}${Math.abs(100 * (value / original - 1)).toFixed(1)} %)`}
        </span>
      )}
    </div>
  );
}
