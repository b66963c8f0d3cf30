/** Dials on a canvas. */

interface Inks {
  readonly text: string;
  readonly dim: string;
  readonly accent: string;
  readonly back: string;
}
export function inks(): Inks {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return { text: of("--text"), dim: of("--dim"), accent: of("--accent"), back: of("--raised") };
}

/** Fits the canvas to its size on the page and clears it; the pen's unit is a CSS pixel. */
function penOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const ratio = Math.min(2, devicePixelRatio);
  const [w, h] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  return pen;
}

/** Artificial horizon with the heading above it. */
export function drawAttitude(canvas: HTMLCanvasElement, roll: number, pitch: number, heading: number): void {
  const pen = penOf(canvas);
  const size = canvas.clientWidth;
  const r = size / 2 - 2;
  const { text, accent } = inks();
  pen.save();
  pen.translate(size / 2, size / 2);
  pen.beginPath();
  pen.arc(0, 0, r, 0, 2 * Math.PI);
  pen.clip();
  pen.rotate(-roll);
  const perRadian = r / 0.6;
  const horizon = pitch * perRadian;
  pen.fillStyle = "#3d7fb8";
  pen.fillRect(-2 * r, -4 * r + horizon, 4 * r, 4 * r);
  pen.fillStyle = "#7a5a3a";
  pen.fillRect(-2 * r, horizon, 4 * r, 4 * r);
  pen.strokeStyle = "#fff";
  pen.fillStyle = "#fff";
  pen.font = "9px system-ui";
  pen.textAlign = "right";
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(-2 * r, horizon);
  pen.lineTo(2 * r, horizon);
  pen.stroke();
  pen.lineWidth = 1;
  for (const degrees of [-40, -30, -20, -10, 10, 20, 30, 40]) {
    const y = horizon - ((degrees * Math.PI) / 180) * perRadian;
    if (Math.abs(y) > 0.8 * r) continue;
    const half = degrees % 20 === 0 ? 18 : 10;
    pen.beginPath();
    pen.moveTo(-half, y);
    pen.lineTo(half, y);
    pen.stroke();
    if (degrees % 20 === 0) pen.fillText(String(Math.abs(degrees)), -half - 3, y + 3);
  }
  pen.restore();
  pen.save();
  pen.translate(size / 2, size / 2);
  pen.strokeStyle = accent;
  pen.lineWidth = 3;
  pen.beginPath();
  pen.moveTo(-26, 0);
  pen.lineTo(-9, 0);
  pen.lineTo(0, 6);
  pen.lineTo(9, 0);
  pen.lineTo(26, 0);
  pen.stroke();
  pen.fillStyle = text;
  pen.font = "600 11px system-ui";
  pen.textAlign = "center";
  const degrees = Math.round((((heading * 180) / Math.PI) % 360) + 360) % 360;
  const label = `${String(degrees).padStart(3, "0")}°`;
  pen.fillStyle = "rgba(0,0,0,0.55)";
  pen.fillRect(-18, -r + 2, 36, 15);
  pen.fillStyle = "#fff";
  pen.fillText(label, 0, -r + 13.5);
  pen.restore();
}

/** Accelerations as a dot in circles of g, with a fading tail. */
export function drawAccelerations(
  canvas: HTMLCanvasElement,
  tail: readonly (readonly [number, number])[],
  g: number,
): void {
  const pen = penOf(canvas);
  const size = canvas.clientWidth;
  const { dim, accent, text } = inks();
  const most = 2;
  const scale = (size / 2 - 3) / most;
  pen.translate(size / 2, size / 2);
  pen.strokeStyle = dim;
  pen.lineWidth = 1;
  for (const ring of [1, 2]) {
    pen.beginPath();
    pen.arc(0, 0, ring * scale, 0, 2 * Math.PI);
    pen.stroke();
  }
  pen.beginPath();
  pen.moveTo(-most * scale, 0);
  pen.lineTo(most * scale, 0);
  pen.moveTo(0, -most * scale);
  pen.lineTo(0, most * scale);
  pen.stroke();
  pen.fillStyle = dim;
  pen.font = "10px system-ui";
  pen.fillText("1 g", scale + 2, -3);
  pen.fillStyle = accent;
  tail.forEach(([ax, ay], i) => {
    // Of the car: to the left is left, ahead is up.
    const isLast = i === tail.length - 1;
    pen.globalAlpha = isLast ? 1 : (0.35 * i) / tail.length;
    pen.beginPath();
    pen.arc((-ay / g) * scale, (-ax / g) * scale, isLast ? 5 : 2, 0, 2 * Math.PI);
    pen.fill();
  });
  pen.globalAlpha = 1;
  pen.fillStyle = text;
}

/** Loads of the wheels as bars where the wheels are. */
export function drawLoads(canvas: HTMLCanvasElement, loads: readonly number[], rest: number): void {
  const pen = penOf(canvas);
  const [w, h] = [canvas.clientWidth, canvas.clientHeight];
  const { accent, back, text } = inks();
  pen.font = "10px system-ui";
  pen.textAlign = "center";
  pen.fillStyle = text;
  pen.fillText("N", w / 2, 0.5 * h);
  loads.forEach((load, i) => {
    const x = (i % 2 === 0 ? 0.27 : 0.73) * w;
    const base = (i < 2 ? 0.44 : 0.94) * h;
    const most = 0.34 * h;
    pen.fillStyle = back;
    pen.fillRect(x - 9, base - most, 18, most);
    const part = Math.max(0, Math.min(1, load / (3 * rest)));
    pen.fillStyle = accent;
    pen.fillRect(x - 9, base - most * part, 18, most * part);
    pen.fillStyle = text;
    pen.fillText(`${Math.round(load)}`, x, base - most - 2);
  });
}
