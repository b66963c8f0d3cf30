/** The runs of a campaign as dots over two of their numbers; a click flies one of them. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { CampaignRuns } from "../../src/session/open-campaign.ts";
import { runScenario } from "../files.ts";
import { studio, useShown } from "../studio.ts";

const [W, H, LEFT, DOWN, PAD] = [700, 620, 100, 64, 12];

export function Runs() {
  const runs = useShown((s) => s.campaign);
  return runs ? <Chosen key={runs.title} runs={runs} /> : null;
}

function Chosen({ runs }: { readonly runs: CampaignRuns }) {
  const { landing, names } = runs;
  const [x, setX] = useState(landing?.[1] ?? names[1] ?? names[0]);
  const [y, setY] = useState(landing?.[0] ?? names[0]);
  const [picked, setPicked] = useState<number>();
  const isMap = landing !== undefined && x === landing[1] && y === landing[0];
  const fails = runs.failed.reduce((a, b) => a + b, 0);
  return (
    <>
      <p>
        <b>{runs.title}</b>
        <br />
        <span class="dim small">
          {runs.run.length} runs, {fails} of them failed (red). Click a dot to fly that run.
        </span>
      </p>
      <div class="row">
        {(
          [
            ["across", x, setX],
            ["up", y, setY],
          ] as const
        ).map(([label, value, set]) => (
          <label key={label}>
            {label}{" "}
            <select value={value} aria-label={label} onChange={(e) => set(e.currentTarget.value)}>
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        ))}
      </div>
      <Dots
        runs={runs}
        x={x}
        y={y}
        isMap={isMap}
        picked={picked}
        onPick={(i) => {
          setPicked(i);
          fly(runs, i);
        }}
      />
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const i = runs.run.indexOf(Number(new FormData(event.currentTarget).get("run")));
          if (i < 0) return studio.say("error", `There is no such run; the campaign has ${runs.run.length}.`);
          setPicked(i);
          fly(runs, i);
        }}
      >
        <label>
          run <input name="run" type="number" min={0} required style={{ width: "7em" }} />
        </label>
        <button type="submit">fly run</button>
      </form>
      {picked !== undefined && (
        <table class="data" aria-label={`run ${runs.run[picked]}`}>
          <tbody>
            <tr>
              <td>run</td>
              <td>
                {runs.run[picked]}
                {runs.failed[picked] ? ", failed" : ""}
              </td>
            </tr>
            {names.map((name) => (
              <tr key={name}>
                <td>{name}</td>
                <td>{Number((runs.numbers.get(name)?.[picked] ?? Number.NaN).toPrecision(5))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

async function fly(runs: CampaignRuns, i: number): Promise<void> {
  const { vehicle, files, run, words } = runs;
  const scenario = await runScenario(words, run[i]);
  if (scenario === undefined) return;
  studio.send({ type: "start", vehicle, files, scenario });
  studio.send({ type: "play" });
}

interface DotsProps {
  readonly runs: CampaignRuns;
  readonly x: string;
  readonly y: string;
  /** Same scale on both axes. */
  readonly isMap: boolean;
  readonly picked?: number;
  onPick(i: number): void;
}

function Dots({ runs, x, y, isMap, picked, onPick }: DotsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useShown((s) => s.isDark);
  const xs = runs.numbers.get(x) as Float64Array;
  const ys = runs.numbers.get(y) as Float64Array;
  const { px, py, ticks } = scales(xs, ys, isMap);
  useEffect(() => {
    const pen = canvas.current?.getContext("2d");
    if (!pen) return;
    const [ink, dim] = isDark ? ["#e8eaed", "#8b939c"] : ["#222", "#777"];
    pen.clearRect(0, 0, W, H);
    pen.font = "20px system-ui";
    pen.strokeStyle = dim;
    pen.strokeRect(LEFT, PAD, W - LEFT - PAD, H - DOWN - PAD);
    pen.fillStyle = dim;
    const [left, right, low, high] = ticks;
    const text = (v: number) => String(Number(v.toPrecision(4)));
    pen.textAlign = "left";
    pen.fillText(text(left), LEFT, H - DOWN + 24);
    pen.textAlign = "right";
    pen.fillText(text(right), W - PAD, H - DOWN + 24);
    pen.fillText(text(low), LEFT - 8, H - DOWN);
    pen.fillText(text(high), LEFT - 8, PAD + 18);
    pen.fillStyle = ink;
    pen.textAlign = "center";
    pen.fillText(`${x} →, ${y} ↑`, (LEFT + W) / 2, H - 12);
    const size = runs.run.length > 3000 ? 3 : 5;
    for (let i = 0; i < xs.length; i++) {
      pen.fillStyle = runs.failed[i] ? "#e0523acc" : "#4aa3df99";
      pen.fillRect(px(xs[i]) - size / 2, py(ys[i]) - size / 2, size, size);
    }
    if (picked === undefined) return;
    pen.strokeStyle = ink;
    pen.lineWidth = 3;
    pen.beginPath();
    pen.arc(px(xs[picked]), py(ys[picked]), 10, 0, 7);
    pen.stroke();
    pen.lineWidth = 1;
  }, [runs, x, y, picked, isDark]);
  const pick = (event: MouseEvent) => {
    const box = (canvas.current as HTMLCanvasElement).getBoundingClientRect();
    const [cx, cy] = [
      ((event.clientX - box.left) * W) / box.width,
      ((event.clientY - box.top) * H) / box.height,
    ];
    let [best, least] = [-1, 30 * 30];
    for (let i = 0; i < xs.length; i++) {
      const [dx, dy] = [px(xs[i]) - cx, py(ys[i]) - cy];
      const d = dx * dx + dy * dy;
      if (d < least) [best, least] = [i, d];
    }
    if (best >= 0) onPick(best);
  };
  return (
    <canvas
      ref={canvas}
      width={W}
      height={H}
      style={{ width: "100%", cursor: "crosshair" }}
      onClick={pick}
      aria-label={`runs over ${x} and ${y}`}
    />
  );
}

/** From numbers to the canvas. */
function scales(xs: Float64Array, ys: Float64Array, isMap: boolean) {
  let [left, right] = extent(xs);
  let [low, high] = extent(ys);
  const [w, h] = [W - LEFT - PAD, H - DOWN - PAD];
  if (isMap) {
    const metre = Math.max((right - left) / w, (high - low) / h);
    const [cx, cy] = [(left + right) / 2, (low + high) / 2];
    [left, right] = [cx - (metre * w) / 2, cx + (metre * w) / 2];
    [low, high] = [cy - (metre * h) / 2, cy + (metre * h) / 2];
  }
  return {
    px: (v: number) => LEFT + ((v - left) / (right - left)) * w,
    py: (v: number) => PAD + h - ((v - low) / (high - low)) * h,
    ticks: [left, right, low, high],
  };
}

function extent(values: Float64Array): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (!(low <= high)) return [0, 1];
  const pad = high > low ? 0.04 * (high - low) : 0.5;
  return [low - pad, high + pad];
}
