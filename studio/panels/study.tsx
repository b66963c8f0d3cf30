/** Requests to the analyst: busy state, result or error, and a button to compute again. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SteadyPoint, StudyRequest, StudyResults } from "../../src/session/study.ts";
import { analyse, subject } from "../analyst.ts";
import { studio } from "../studio.ts";

interface Asked<T> {
  readonly answer?: T;
  readonly isBusy: boolean;
  readonly failure?: string;
  ask(): void;
}

/** Requests a study at once, and again when `key` changes. */
export function useStudy<K extends StudyRequest["study"]>(
  wanted: Omit<StudyRequest & { study: K }, "subject">,
  key: string,
): Asked<StudyResults[K]> {
  const [state, setState] = useState<{ answer?: StudyResults[K]; isBusy: boolean; failure?: string }>({
    isBusy: true,
  });
  const ask = () => {
    setState((old) => ({ ...old, isBusy: true, failure: undefined }));
    analyse<K>(wanted).then(
      (answer) => setState({ answer, isBusy: false }),
      (error: Error) => setState((old) => ({ ...old, isBusy: false, failure: error.message })),
    );
  };
  useEffect(ask, [key]);
  return { ...state, ask };
}

export function Studied<T>({
  asked,
  children,
}: {
  asked: Asked<T>;
  children: (answer: T) => ComponentChildren;
}) {
  return (
    <>
      {asked.isBusy && (
        <p class="dim" role="status">
          computing…
        </p>
      )}
      {asked.failure && (
        <p role="alert" style={{ color: "var(--bad)" }}>
          {asked.failure}
        </p>
      )}
      {asked.answer !== undefined && children(asked.answer)}
      <p>
        <button type="button" onClick={asked.ask} disabled={asked.isBusy} title="with the current parameters">
          compute again
        </button>
      </p>
    </>
  );
}

/** Starts a flight in a steady motion, with the parameters as they are. */
export function flyFrom({ x, u }: SteadyPoint): void {
  const own = subject();
  if (own) studio.send({ type: "start", vehicle: own.vehicle, parameters: own.parameters, from: { x, u } });
}

/** Few digits; angles in degrees unless `isPlain`. */
export function readable(exact: number, unit: string, isPlain = false): string {
  const value = Math.abs(exact) < 1e-9 ? 0 : exact;
  const isAngle = !isPlain && (unit === "rad" || unit === "rad/s");
  const v = isAngle ? (value * 180) / Math.PI : value;
  const shown = isAngle ? unit.replace("rad", "°") : unit === "1" ? "" : unit;
  return `${Number(v.toPrecision(4))}${shown.startsWith("°") ? shown : shown && ` ${shown}`}`;
}
