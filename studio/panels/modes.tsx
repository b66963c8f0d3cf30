/** Modes about steady motion: eigenvalues, and the shape of the chosen one on the vehicle. */
import { useEffect, useState } from "preact/hooks";
import * as THREE from "three";
import type { ModeStudy } from "../../src/session/study.ts";
import { view } from "../stage.tsx";
import { put } from "../view/frames.ts";
import { Studied, useStudy } from "./study.tsx";

type Mode = ModeStudy["modes"][number];

export function Modes() {
  const asked = useStudy<"modes">({ study: "modes" }, "");
  const [chosen, setChosen] = useState<string>();
  const { answer } = asked;
  const mode = answer?.modes.find((m) => m.name === chosen);
  useEffect(() => {
    if (!mode || !answer || !view) return;
    return animate(answer.states, mode);
  }, [chosen]);
  return (
    <>
      <p class="dim small">
        Left of the line: damped; right: unstable. Choose a mode to see its shape on the vehicle.
      </p>
      <Studied asked={asked}>
        {({ modes, about }) => (
          <>
            <p class="small">about {about}</p>
            <Eigenvalues modes={modes} chosen={chosen} onChoose={setChosen} />
            <table class="data">
              <thead>
                <tr>
                  <th>mode</th>
                  <th>damping</th>
                  <th>period</th>
                  <th>half / double</th>
                </tr>
              </thead>
              <tbody>
                {modes.map((m) => (
                  <tr key={`${m.name} ${m.re}`} class="click">
                    <td>
                      <button
                        type="button"
                        aria-pressed={m.name === chosen}
                        onClick={() => setChosen(m.name === chosen ? undefined : m.name)}
                      >
                        {m.name}
                      </button>
                    </td>
                    <td>{Number(m.damping.toPrecision(3))}</td>
                    <td>{m.period === undefined ? "" : `${Number(m.period.toPrecision(3))} s`}</td>
                    <td>
                      {m.half !== undefined
                        ? `${Number(m.half.toPrecision(3))} s`
                        : m.double !== undefined
                          ? `doubles in ${Number(m.double.toPrecision(3))} s`
                          : "neither"}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </Studied>
    </>
  );
}

/** The largest turn of a shown shape [rad], how long a period is shown [s], and how long a shape fades or grows. */
const LARGEST = 0.4;
const SHOWN = 2.5;
const AGAIN = 6;
/** Slower ones would go anywhere [rad/s]. */
const SLOWEST = 0.3;

/** Adds the mode's motion to the picture until it is stopped. */
function animate(states: readonly string[], mode: Mode): () => void {
  const at = (name: string) => states.indexOf(name);
  const size = (name: string) => (at(name) < 0 ? 0 : mode.magnitude[at(name)]);
  const angle = Math.max(size("roll"), size("pitch"), size("r") / Math.max(SLOWEST, mode.frequency), 1e-9);
  const speed = Math.max(size("u"), size("v"), size("w"), 1e-9);
  // A mode that hardly turns is shown by where it goes.
  const scale = Math.min(LARGEST / angle, (1.2 * Math.max(SLOWEST, mode.frequency)) / speed);
  const pace =
    mode.im !== 0 ? (2 * Math.PI) / (Math.abs(mode.im) * SHOWN) : 1 / Math.max(1e-6, Math.abs(mode.re) * 1.5);
  const began = performance.now();
  let frame = 0;
  const draw = () => {
    frame = requestAnimationFrame(draw);
    if (!view) return;
    const t = (((performance.now() - began) / 1000) % AGAIN) / pace;
    const growth = Math.exp(Math.max(-6, Math.min(1.5, mode.re * t)));
    const now = (name: string, integral = 0) => {
      const i = at(name);
      if (i < 0) return 0;
      // The integral of exp(lambda t) is itself over lambda: behind by its angle, smaller by its size.
      const lag = integral * Math.atan2(Math.abs(mode.im), mode.re);
      const size = mode.magnitude[i] / Math.max(SLOWEST, mode.frequency) ** integral;
      return scale * size * growth * Math.cos(Math.abs(mode.im) * t + mode.phase[i] - lag);
    };
    view.wobble = {
      turn: new THREE.Vector3(now("pitch"), -now("r", 1), -now("roll")),
      shift: put(new THREE.Vector3(), now("u", 1), now("v", 1), now("w", 1)),
    };
  };
  draw();
  return () => {
    cancelAnimationFrame(frame);
    if (view) view.wobble = undefined;
  };
}

const [W, H] = [350, 210];

function Eigenvalues({
  modes,
  chosen,
  onChoose,
}: {
  modes: readonly Mode[];
  chosen?: string;
  onChoose(name: string): void;
}) {
  // Fast and slow ones in one picture: both axes are pressed together away from zero.
  const press = (v: number) => Math.sign(v) * Math.log10(1 + Math.abs(v) * 20);
  const most = Math.max(1, ...modes.flatMap((m) => [Math.abs(press(m.re)), Math.abs(press(m.im))]));
  const px = (v: number) => W * 0.72 + (press(v) / most) * W * 0.66;
  const py = (v: number) => H / 2 - (press(v) / most) * (H / 2 - 14);
  return (
    <svg
      viewBox={`0 0 ${W} ${H}`}
      width="100%"
      role="img"
      aria-label="eigenvalues"
      style={{ font: "10px system-ui" }}
    >
      <path d={`M${px(0)} 4V${H - 4}M4 ${H / 2}H${W - 4}`} stroke="var(--line)" />
      <text x={px(0) + 4} y={12} fill="var(--dim)">
        grows →
      </text>
      <text x={px(0) - 4} y={12} text-anchor="end" fill="var(--dim)">
        ← fades
      </text>
      {modes.flatMap((m) =>
        (m.im === 0 ? [0] : [m.im, -m.im]).map((im) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table below has buttons for the same
          <g key={`${m.name} ${m.re} ${im}`} onClick={() => onChoose(m.name)} style={{ cursor: "pointer" }}>
            <circle cx={px(m.re)} cy={py(im)} r="10" fill="transparent" />
            <path
              d={`M${px(m.re) - 5} ${py(im) - 5}l10 10m0 -10l-10 10`}
              stroke={m.name === chosen ? "var(--accent)" : m.re > 1e-6 ? "var(--bad)" : "#56b4e9"}
              stroke-width={m.name === chosen ? 3.5 : 2}
            />
            <title>{`${m.name}: ${Number(m.re.toPrecision(3))} ± ${Number(Math.abs(m.im).toPrecision(3))} i`}</title>
          </g>
        )),
      )}
    </svg>
  );
}
