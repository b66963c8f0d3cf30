/** Flow angles depend on the direction of the flow alone, and units hold at very low speed and in reverse. */
import { pow } from "../../math/elementary.ts";
import { stream } from "../../math/random.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { isRigidBody } from "../motion.ts";
import { evaluate } from "./evaluate.ts";
import { type Finding, finding, shown } from "./finding.ts";
import { type Sample, Sampler } from "./sample.ts";

const SAMPLES = 60;
/** Down to so small a part of a usual speed, as a power of ten. */
const SLOWEST = -2.2;
/** Slowest motors [rad/s]: below, a propeller's advance ratio means nothing. */
const SLOWEST_MOTOR = 4;

/** A sample with its flow and its rates a part of what they were; a negative one turns them round. */
function slowed({ model }: Vehicle, { x, u, e }: Sample, part: number): Sample {
  const slow = x.slice();
  if (isRigidBody(model))
    for (let i = 0; i < 3; i++) {
      slow[3 + i] = e[i] + part * (x[3 + i] - e[i]);
      slow[10 + i] *= Math.abs(part);
    }
  else for (const i of [3, 4, 5]) slow[i] *= part;
  return { x: slow, u, e };
}

/** At a crawl, in reverse, with motors that hardly turn. */
export function slowSamples(vehicle: Vehicle): Sample[] {
  const { model } = vehicle;
  const sampler = new Sampler(vehicle, 23);
  const { uniform } = stream(5, "slow");
  return Array.from({ length: SAMPLES }, (_, k) => {
    const part = pow(10, SLOWEST * uniform(2 * k)) * (k % 3 === 2 ? -1 : 1);
    const slow = slowed(vehicle, sampler.sample(), part);
    const motor = pow(10, SLOWEST * uniform(2 * k + 1));
    model.states.forEach((f, i) => {
      if (f.kind === "actuator" && f.unit === "rad/s")
        slow.x[i] = Math.sign(slow.x[i]) * Math.max(SLOWEST_MOTOR, Math.abs(slow.x[i]) * motor);
    });
    return slow;
  });
}

/** Flow from ahead and from behind, at parts of its speed that lie above every guard. */
const PARTS = [0.3, 0.05, 0.004];
const TRIES = 40;

export function checkSpeed(vehicle: Vehicle, p: unknown, skips: (s: Sample) => boolean): Finding[] {
  const { model } = vehicle;
  const angles = model.outputs.flatMap((f, i) => (/^(alpha|beta)(_|$)/.test(f.name) ? [i] : []));
  if (angles.length === 0) return [];
  const sampler = new Sampler(vehicle, 32);
  const mode = model.states.findIndex((f) => f.kind === "discrete");
  for (let k = 0; k < TRIES; k++) {
    const usual = sampler.sample();
    const fast = k % 4 === 1 ? slowed(vehicle, usual, -1) : usual;
    const part = PARTS[k % PARTS.length];
    const slow = slowed(vehicle, fast, part);
    // The same equations at both speeds.
    if (mode >= 0) slow.x[mode] = fast.x[mode];
    if (skips(fast) || skips(slow)) continue;
    const [a, b] = [fast, slow].map((sample) => evaluate(model, p, sample).y);
    const other = angles.find((i) => !(Math.abs(a[i] - b[i]) < 1e-7));
    if (other !== undefined)
      return [
        finding(
          "speed",
          "wrong",
          `${model.outputs[other].name} is ${shown(a[other])} rad, but ${shown(b[other])} rad in the same flow at ${part} of its speed`,
        ),
      ];
  }
  return [finding("speed", "ok", "flow angles do not depend on the speed, from ahead and from behind")];
}
