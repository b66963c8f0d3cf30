/** The picture with what lies over it: keys, looks, instruments, hints. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { SessionInfo } from "../src/session/protocol.ts";
import { boundActions } from "./input/bindings.ts";
import { Pad, storedMap } from "./input/gamepad.ts";
import { Keyboard } from "./input/keyboard.ts";
import { Dash, WindRose } from "./instruments/dash.tsx";
import { SPEEDS } from "./panels/bar.tsx";
import { Ended } from "./panels/ended.tsx";
import { Hints } from "./panels/hints.tsx";
import { Keys } from "./panels/keys.tsx";
import { studio, useShown } from "./studio.ts";
import { type ArrowKind, KINDS } from "./view/arrows.ts";
import { CAMERAS, type CameraName } from "./view/cameras.ts";
import { View } from "./view/view.ts";

const css = (colour: number) => `#${colour.toString(16).padStart(6, "0")}`;

export const pad = new Pad((command) => studio.send(command));
export let view: View | undefined;

/** What the bench measures: frames, when the first was drawn, ticks that came too late. */
const seen = { frames: 0, first: 0, lost: 0 };
Object.assign(window, { sideslipSeen: seen });

export function Stage() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const info = useShown((s) => s.info);
  const isDark = useShown((s) => s.isDark);
  const looking = useShown((s) => s.examined?.[0]);
  const [camera, setCamera] = useState<CameraName>("chase");
  const [shown, setShown] = useState<ReadonlySet<ArrowKind>>(new Set());
  const [looks, setLooks] = useState({ trail: true, wind: true });
  const [kinds, setKinds] = useState<readonly ArrowKind[]>([]);
  const [isLost, setLost] = useState<string>();
  const toggles = useRef({ camera: () => {}, arrows: () => {} });
  toggles.current = {
    camera: () => setCamera(CAMERAS[(CAMERAS.indexOf(camera) + 1) % CAMERAS.length]),
    arrows: () => setShown(shown.size > 0 ? new Set() : new Set(kinds)),
  };

  useEffect(() => {
    const element = canvas.current as HTMLCanvasElement;
    let picture: View;
    try {
      picture = new View(element, studio.shown.isDark);
    } catch {
      setLost("This browser cannot show the 3-D picture (WebGL is off). Instruments and panels still work.");
      picture = undefined as never;
    }
    view = picture;
    const keyboard = new Keyboard(
      (command) => studio.send(command),
      (key) => pageKey(key, toggles.current),
    );
    const begin = (now: SessionInfo) => {
      picture?.begin(now);
      setKinds(picture?.kinds ?? []);
      keyboard.begin(now, boundActions(now.name, now.actions));
      pad.begin(now, storedMap(now.name, now.sticks));
    };
    studio.onStart = begin;
    studio.onPlay = () => keyboard.again();
    studio.onJump = () => picture?.jump();
    studio.onChange = (now, values) => picture?.change(now, values);
    studio.onEnvironment = (now) => picture?.environment(now.boundaries, now);
    if (studio.shown.info) begin(studio.shown.info);
    const rebind = () =>
      studio.shown.info &&
      keyboard.begin(studio.shown.info, boundActions(studio.shown.info.name, studio.shown.info.actions));
    addEventListener("sideslip-keys", rebind);
    const fit = () => picture?.resize(element.clientWidth, element.clientHeight, devicePixelRatio);
    const watch = new ResizeObserver(fit);
    watch.observe(element);
    fit();
    const lost = (event: Event) => {
      event.preventDefault();
      setLost(
        "The graphics card has lost the picture. The flight continues; the picture returns by itself or after reloading the page.",
      );
    };
    const back = () => setLost(undefined);
    element.addEventListener("webglcontextlost", lost);
    element.addEventListener("webglcontextrestored", back);
    let frame = 0;
    let last = performance.now();
    const draw = (time: number) => {
      frame = requestAnimationFrame(draw);
      const seconds = Math.min(0.1, (time - last) / 1000);
      last = time;
      const { samples, shown: state } = studio;
      // Noise of a stick must not end the display of a past sample.
      pad.look(state.frame?.isPlaying ?? false);
      if (!samples || !state.frame) return;
      samples.show(performance.now());
      const flown = state.frame.isPlaying && state.examined === undefined ? seconds * state.frame.speed : 0;
      picture?.draw(samples, seconds, flown);
      if (picture?.adapt(seconds)) fit();
      seen.frames++;
      seen.lost = state.frame.lost;
      if (seen.first === 0) seen.first = performance.now();
    };
    frame = requestAnimationFrame(draw);
    return () => {
      cancelAnimationFrame(frame);
      watch.disconnect();
      removeEventListener("sideslip-keys", rebind);
    };
  }, []);
  const campaign = useShown((s) => s.campaign);
  useEffect(() => {
    const [north, east] = campaign?.landing?.map((name) => campaign.numbers.get(name)) ?? [];
    view?.dots(north, east, campaign?.failed);
  }, [campaign]);
  useEffect(() => view?.cameras.choose(camera), [camera]);
  useEffect(() => view?.dark(isDark), [isDark]);
  useEffect(() => {
    if (view) view.shown = shown;
  }, [shown]);
  useEffect(() => {
    if (view) [view.showsTrail, view.showsWind] = [looks.trail, looks.wind];
  }, [looks]);

  return (
    <>
      <canvas ref={canvas} aria-label="picture of the flight" role="img" />
      {info && <Keys info={info} />}
      <div class="over looks">
        <div class="row" role="group" aria-label="camera">
          {CAMERAS.map((name) => (
            <button key={name} type="button" aria-pressed={name === camera} onClick={() => setCamera(name)}>
              {name}
            </button>
          ))}
        </div>
        <div class="row">
          <button
            type="button"
            aria-pressed={shown.size > 0}
            title="forces and moments (V)"
            onClick={() => toggles.current.arrows()}
          >
            forces
          </button>
          <button
            type="button"
            aria-pressed={looks.trail}
            onClick={() => setLooks({ ...looks, trail: !looks.trail })}
          >
            trail
          </button>
          <button
            type="button"
            aria-pressed={looks.wind}
            onClick={() => setLooks({ ...looks, wind: !looks.wind })}
          >
            wind
          </button>
        </div>
        <WindRose />
        {shown.size > 0 && (
          <fieldset class="legend" style={{ border: 0, padding: 0, margin: 0 }} aria-label="arrows">
            {KINDS.filter((k) => kinds.includes(k.kind)).map(({ kind, name, colour }) => (
              <label key={kind}>
                <input
                  type="checkbox"
                  checked={shown.has(kind)}
                  onChange={() => {
                    const next = new Set(shown);
                    if (!next.delete(kind)) next.add(kind);
                    setShown(next);
                  }}
                />
                <i style={{ background: css(colour) }} />
                {name}
              </label>
            ))}
            <span class="dim small">scale: the weight arrow has the vehicle's length</span>
          </fieldset>
        )}
      </div>
      {looking !== undefined && (
        <div class="over" style={{ left: "50%", top: "60px", transform: "translateX(-50%)" }}>
          showing t = {looking.toFixed(2)} s
        </div>
      )}
      {isLost && (
        <div
          class="over"
          role="alert"
          style={{ left: "50%", top: "45%", transform: "translate(-50%,-50%)", maxWidth: "420px" }}
        >
          {isLost}
        </div>
      )}
      <Ended />
      <Dash />
      <Hints />
    </>
  );
}

function pageKey(key: string, toggles: { camera(): void; arrows(): void }): boolean {
  const { frame, info } = studio.shown;
  if (!frame || !info) return false;
  const speed = SPEEDS.indexOf(frame.speed);
  if (key === "KeyP") studio.send({ type: frame.isPlaying ? "pause" : "play" });
  else if (key === "Period") studio.send({ type: "step" });
  else if (key === "Comma") studio.send({ type: "seek", tick: frame.tick - Math.round(5 / info.controlDt) });
  else if (key === "Backspace") studio.send({ type: "restart" });
  else if (key === "Minus") studio.send({ type: "setSpeed", value: SPEEDS[Math.max(0, speed - 1)] });
  else if (key === "Equal")
    studio.send({ type: "setSpeed", value: SPEEDS[Math.min(SPEEDS.length - 1, speed + 1)] });
  else if (key === "KeyC") toggles.camera();
  else if (key === "KeyV") toggles.arrows();
  else return false;
  return true;
}
