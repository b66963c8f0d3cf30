/**
 * Pilots of the stand-ins: simple loops on a state { t, position, velocity, q, rates, airspeed } in north-east-down and
 * forward-right-down. They share no code with src/: what they believe of frames and signs is written down here again.
 */
const clip = (v, most) => Math.max(-most, Math.min(most, v));
const between = (v, low, high) => Math.max(low, Math.min(high, v));
const wrap = (a) => Math.atan2(Math.sin(a), Math.cos(a));

export function euler([w, x, y, z]) {
  return {
    roll: Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    pitch: Math.asin(clip(2 * (w * y - z * x), 1)),
    yaw: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  };
}

/** Flies to one place after the other; each counts as reached within a radius. */
class Route {
  constructor(places, radius) {
    this.places = places;
    this.radius = radius;
    this.next = 0;
    this.reached = [];
  }
  target(t, [n, e]) {
    const [tn, te] = this.places[this.next];
    if (Math.hypot(tn - n, te - e) < this.radius && this.next < this.places.length - 1) {
      this.reached.push(Number(t.toFixed(2)));
      this.next++;
    }
    return this.places[this.next];
  }
  get isDone() {
    return this.next === this.places.length - 1;
  }
}

/** A quadrotor: front right and rear left turn counter-clockwise. `hover` is the thrust that carries it, of the most. */
export class Quad {
  constructor(hover, { height = 5, side = 10, leave = 2 } = {}) {
    this.hover = hover;
    this.height = height;
    this.leave = leave;
    this.route = new Route(
      [
        [0, 0],
        [side, 0],
        [side, side],
        [0, side],
        [0, 0],
        [0, 0],
      ],
      0.6,
    );
    this.lift = 0;
    this.stage = "waiting";
    this.stages = { waiting: 0 };
    this.held = { lowest: Infinity, highest: -Infinity };
  }
  to(stage, t) {
    if (this.stage === stage) return;
    this.stage = stage;
    this.stages[stage] = Number(t.toFixed(2));
  }
  /** Thrust of each motor, 0 to 1, or nothing while it is disarmed. */
  fly({ t, position, velocity, q, rates }, dt) {
    const { roll, pitch, yaw } = euler(q);
    const altitude = -position[2];
    if (this.ground === undefined) this.ground = altitude;
    if (t < this.leave || this.stage === "landed") return undefined;
    if (this.stage === "waiting") this.to("climbing", t);
    if (this.stage === "climbing" && altitude > this.ground + this.height - 0.2) this.to("hovering", t);
    if (this.stage === "hovering" && t > this.stages.hovering + 5) {
      this.held.lowest = Math.min(this.held.lowest, altitude);
      this.held.highest = Math.max(this.held.highest, altitude);
      if (t > this.stages.hovering + 10) this.to("square", t);
    }
    let target = [0, 0];
    if (this.stage === "square") {
      target = this.route.target(t, position);
      if (this.route.isDone) this.to("landing", t);
    }
    const isLanding = this.stage === "landing";
    if (isLanding && altitude < this.ground + 0.03 && Math.abs(velocity[2]) < 0.1) {
      this.to("landed", t);
      return undefined;
    }
    const climb = isLanding ? -0.7 : between(this.ground + this.height - altitude, -1, 1.5);
    const upward = clip(3 * (climb + velocity[2]), 3);
    this.lift = between(this.lift + 0.02 * (climb + velocity[2]) * dt, -0.2, 0.2);
    const wish = [0, 1].map((i) => 2 * (clip(0.8 * (target[i] - position[i]), 3) - velocity[i]));
    const [ahead, right] = [
      clip(wish[0] * Math.cos(yaw) + wish[1] * Math.sin(yaw), 3),
      clip(-wish[0] * Math.sin(yaw) + wish[1] * Math.cos(yaw), 3),
    ];
    const thrust =
      ((this.hover + this.lift) * (1 + upward / 9.81)) / Math.max(0.7, Math.cos(roll) * Math.cos(pitch));
    const r = 0.04 * (5 * (right / 9.81 - roll) - rates[0]);
    const p = 0.04 * (5 * (-ahead / 9.81 - pitch) - rates[1]);
    const y = clip(0.1 * (2 * wrap(-yaw) - rates[2]), 0.1);
    // Rolling right wants more on the left, pitching up more in front; a counter-clockwise rotor turns the body to the right.
    return [
      [-r, p, y],
      [r, -p, y],
      [r, p, -y],
      [-r, -p, -y],
    ].map((parts) => between(thrust + parts[0] + parts[1] + parts[2], 0.02, 1));
  }
  summary() {
    return { stage: this.stage, stages: this.stages, held: this.held, reached: this.route.reached };
  }
}

/** Something with wings: takes off straight ahead, then flies around a rectangle at a height. */
export class Wing {
  constructor({ airspeed, cruise, height = 40, leave = 2, roll = 0.6, pitch = 0.8, most = 0.4 }) {
    Object.assign(this, { airspeed, cruise, height, leave, gains: { roll, pitch }, most });
    this.route = new Route(
      [
        [250, 0],
        [250, 180],
        [-100, 180],
        [-100, 0],
        [250, 0],
        [250, 180],
      ],
      35,
    );
    this.throttle = 0;
    this.lift = 0;
    this.stage = "waiting";
    this.stages = { waiting: 0 };
    this.heights = { lowest: Infinity, highest: -Infinity };
  }
  /** Aileron (rolls right), elevator (nose up), rudder (nose right), throttle; nothing while it is disarmed. */
  fly({ t, position, velocity, q, rates, airspeed }, dt) {
    if (t < this.leave) return undefined;
    const { roll, pitch } = euler(q);
    const altitude = -position[2];
    if (this.stage === "waiting") {
      this.stage = "take-off";
      this.stages["take-off"] = t;
    }
    if (this.stage === "take-off" && altitude > 15) {
      this.stage = "circuit";
      this.stages.circuit = Number(t.toFixed(2));
    }
    const isUp = this.stage === "circuit";
    const [n, e] = this.route.target(t, position);
    const course = Math.atan2(velocity[1], velocity[0]);
    const wanted = Math.atan2(e - position[1], n - position[0]);
    const bank = isUp ? clip(1.2 * wrap(wanted - course), 0.6) : 0;
    const up = this.height - altitude;
    if (isUp && this.route.next > 0) {
      this.heights.lowest = Math.min(this.heights.lowest, altitude);
      this.heights.highest = Math.max(this.heights.highest, altitude);
    }
    const climb = clip(0.35 * up, 3);
    this.lift = between(this.lift + 0.03 * (climb + velocity[2]) * dt, -0.15, 0.25);
    const nose = isUp ? clip(0.05 * (climb + velocity[2]) + this.lift, 0.35) : 0.2;
    this.throttle = between(this.throttle + 0.02 * (this.airspeed - airspeed) * dt, -0.2, 0.3);
    const push = isUp
      ? between(this.cruise + this.throttle + 0.03 * (this.airspeed - airspeed) + 0.02 * climb, 0, this.most)
      : this.most;
    return {
      aileron: clip(this.gains.roll * (bank - roll) - 0.08 * rates[0], 1),
      elevator: clip(this.gains.pitch * (nose - pitch) - 0.1 * rates[1], 1),
      rudder: clip(-0.2 * rates[2], 0.3),
      throttle: push,
    };
  }
  summary() {
    return { stage: this.stage, stages: this.stages, heights: this.heights, reached: this.route.reached };
  }
}

/** A car that drives around a square. */
export class Wheels {
  constructor({ speed = 6, leave = 2 } = {}) {
    this.speed = speed;
    this.leave = leave;
    this.route = new Route(
      [
        [40, 0],
        [40, 40],
        [0, 40],
        [0, 0],
        [40, 0],
      ],
      4,
    );
    this.fastest = 0;
  }
  /** Steering to the right, throttle (negative brakes); nothing while it is disarmed. */
  fly({ t, position, velocity, q }) {
    if (t < this.leave) return undefined;
    const { yaw } = euler(q);
    const [n, e] = this.route.target(t, position);
    const speed = velocity[0] * Math.cos(yaw) + velocity[1] * Math.sin(yaw);
    this.fastest = Math.max(this.fastest, speed);
    const off = wrap(Math.atan2(e - position[1], n - position[0]) - yaw);
    const wish = this.route.isDone ? 0 : this.speed / (1 + Math.abs(off));
    return { steering: clip(1.2 * off, 0.9), throttle: clip(0.08 * (wish - speed), 0.3) };
  }
  summary() {
    return { reached: this.route.reached, fastest: Number(this.fastest.toFixed(2)) };
  }
}

/** Thrust that carries each, of the most, and how those with wings fly. */
export const PILOTS = {
  x500: () => new Quad(0.592),
  iris: () => new Quad(0.533),
  "advanced-plane": () => new Wing({ airspeed: 14, cruise: 0.14 }),
  zephyr: () => new Wing({ airspeed: 13, cruise: 0.08, roll: 0.35, pitch: 0.5, most: 0.26 }),
  "formula-student": () => new Wheels(),
};
