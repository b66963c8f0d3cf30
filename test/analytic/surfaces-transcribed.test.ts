import { describe, expect, it } from "vitest";
import { aircraftOf, evaluate, vectorOf } from "../support/aircraft.ts";

/**
 * Both laws written down once more, from Gazebo's description and in vectors, and compared at random parameters, axes, places
 * and states: no derivative is zero, no surface stands straight.
 */
type V3 = [number, number, number];
const dot = (a: V3, b: V3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: V3, b: V3): V3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const times = (s: number, a: V3): V3 => [s * a[0], s * a[1], s * a[2]];
const plus = (...all: V3[]): V3 => all.reduce((s, a) => [s[0] + a[0], s[1] + a[1], s[2] + a[2]], [0, 0, 0]);
const unit = (a: V3): V3 => times(1 / Math.sqrt(dot(a, a)), a);

/** A small generator with a seed of its own. */
function random(seed: number) {
  let s = seed;
  return (low: number, high: number) => {
    s = (1103515245 * s + 12345) % 2147483648;
    return low + ((high - low) * s) / 2147483648;
  };
}

const LETTERS = ["CD", "CY", "CL", "Cell", "Cem", "Cen"];
const BODY = { m: 1.3, I: { xx: 0.1, yy: 0.12, zz: 0.15 }, rho: 1.1 };

/** Upward is made across forward, as the vehicle does. */
function axes(forward: V3, upward: V3): [V3, V3, V3] {
  const x = unit(forward);
  const z = times(-1, unit(plus(upward, times(-dot(upward, x), x))));
  return [x, cross(z, x), z];
}

function advanced(
  s: Record<string, number>,
  controls: Record<string, number>[],
  angles: number[],
  v: V3,
  w: V3,
  A: V3[],
) {
  const [x, y, z] = A;
  const [u, across, down] = [dot(v, x), dot(v, y), dot(v, z)];
  const [p, q, r] = [dot(w, x), dot(w, y), dot(w, z)];
  const V = Math.hypot(u, down);
  const alpha = Math.atan2(down, u);
  const beta = Math.atan2(across, u);
  const { M, alpha_stall: as } = s;
  const up = Math.exp(-M * (alpha - as));
  const low = Math.exp(M * (alpha + as));
  const sigma = (1 + up + low) / ((1 + up) * (1 + low));
  const b = Math.sqrt(s.area * s.AR);
  const c = s.mac > 0 ? s.mac : s.area / b;
  const ctrl = (C: string) =>
    controls.reduce(
      (sum, k) => sum + ((angles[k.servo - 1] * 180) / Math.PI) * k.direction * k[`${C}_ctrl`],
      0,
    );
  const rates = (C: string) => (s[`${C}p`] * p * b + s[`${C}q`] * q * c + s[`${C}r`] * r * b) / (2 * V);
  const stalled = 2 * Math.sign(alpha) * Math.sin(alpha) ** 2 * Math.cos(alpha);
  const CL = (1 - sigma) * (s.CL0 + s.CLa * alpha) + sigma * stalled + s.CLb * beta + ctrl("CL");
  const plate = 2 / (1 + Math.exp(s.k1 + s.k2 * Math.max(s.AR, 1 / s.AR)));
  const CD =
    (1 - sigma) * (s.CD0 + (CL * CL) / (Math.PI * s.AR * s.eff)) +
    sigma * Math.abs(plate * (0.5 - 0.5 * Math.cos(2 * alpha))) +
    ctrl("CD");
  const linear = (C: string) => s[`${C}a`] * alpha + s[`${C}b`] * beta + ctrl(C) + rates(C);
  const Cm0 =
    alpha > as
      ? s.Cem0 + s.Cema * as + s.Cema_stall * (alpha - as)
      : alpha < -as
        ? s.Cem0 - s.Cema * as + s.Cema_stall * (alpha + as)
        : s.Cem0 + s.Cema * alpha;
  const Cm = Cm0 + s.Cemb * beta + ctrl("Cem") + rates("Cem");
  const Q = 0.5 * BODY.rho * V * V * s.area;
  const xs = unit(plus(v, times(-across, y)));
  const zs = cross(xs, y);
  const force = plus(
    times(-Q * (CL + rates("CL")), zs),
    times(-Q * (CD + rates("CD")), xs),
    times(Q * linear("CY"), y),
  );
  const moment = plus(
    times(Q * b * linear("Cell"), x),
    times(Q * c * Cm, y),
    times(Q * b * linear("Cen"), z),
  );
  return { force, moment };
}

/** As in gz's plugin: spanwise, lift and drag directions by cross products, angle by the arc cosine. */
function plain(s: Record<string, number>, angle: number, v: V3, A: V3[]) {
  const forward = A[0];
  const nothing = { force: [0, 0, 0] as V3, moment: [0, 0, 0] as V3 };
  if (dot(forward, v) <= 0) return nothing;
  const upward = s.radial === 1 ? unit(cross(forward, cross(forward, v))) : times(-1, A[2]);
  const span = unit(cross(forward, upward));
  const sine = dot(span, unit(v));
  const inPlane = plus(v, times(-dot(v, span), span));
  const lift = unit(cross(span, inPlane));
  const arc = Math.acos(Math.min(1, Math.max(-1, dot(lift, upward))));
  let alpha = dot(lift, forward) >= 0 ? s.a0 + arc : s.a0 - arc;
  while (Math.abs(alpha) > Math.PI / 2) alpha += alpha > 0 ? -Math.PI : Math.PI;
  const cos2 = 1 - sine * sine;
  const curve = (slope: number, beyond: number) =>
    (alpha > s.alpha_stall
      ? slope * s.alpha_stall + beyond * (alpha - s.alpha_stall)
      : alpha < -s.alpha_stall
        ? -slope * s.alpha_stall + beyond * (alpha + s.alpha_stall)
        : slope * alpha) * cos2;
  const held = (c: number) =>
    alpha > s.alpha_stall ? Math.max(0, c) : alpha < -s.alpha_stall ? Math.min(0, c) : c;
  const Q = 0.5 * BODY.rho * dot(inPlane, inPlane) * s.area;
  const cl = held(curve(s.cla, s.cla_stall)) + s.control_joint_rad_to_cl * angle;
  const force = plus(times(cl * Q, lift), times(-Math.abs(curve(s.cda, s.cda_stall)) * Q, unit(inPlane)));
  return { force, moment: times(held(curve(s.cma, s.cma_stall)) * Q * s.chord, span) };
}

describe("both laws against their transcription in vectors", () => {
  const r = random(4);
  const vector = (size: number): V3 => [r(-size, size), r(-size, size), r(-size, size)];
  const compare = (
    vehicle: ReturnType<typeof aircraftOf>,
    place: V3,
    made: { force: V3; moment: V3 },
    v: V3,
    w: V3,
    servos: number[],
  ) => {
    const { y } = evaluate(
      vehicle,
      { q_w: 1, v_north: v[0], v_east: v[1], v_down: v[2], p: w[0], q: w[1], r: w[2], down: -100 },
      Object.fromEntries(servos.map((a, i) => [`servo_${i + 1}_cmd`, a])),
    );
    const moment = plus(made.moment, cross(place, made.force));
    const scale = Math.max(1, ...made.force.map(Math.abs), ...moment.map(Math.abs));
    vectorOf(y, "force_surface_1").forEach((f, i) => {
      expect(Math.abs(f - made.force[i]) / scale, `force ${i}`).toBeLessThan(1e-9);
    });
    vectorOf(y, "moment_surface_1").forEach((m, i) => {
      expect(Math.abs(m - moment[i]) / scale, `moment ${i}`).toBeLessThan(1e-9);
    });
  };

  it("AdvancedLiftDrag, 300 random surfaces and states", () => {
    for (let n = 0; n < 300; n++) {
      const numbers: Record<string, number> = {
        area: r(0.1, 2),
        AR: n % 5 === 0 ? r(0.2, 0.9) : r(2, 15),
        mac: n % 3 === 0 ? 0 : r(0.05, 0.5),
        eff: r(0.6, 1),
        CD0: r(0, 0.1),
        CL0: r(-0.3, 0.5),
        Cem0: r(-0.1, 0.1),
        Cema_stall: r(-1, 1),
        alpha_stall: r(0.15, 0.6),
        M: r(5, 40),
        k1: r(-0.4, 0),
        k2: r(-0.2, -0.05),
      };
      for (const C of LETTERS)
        for (const c of ["a", "b", "p", "q", "r"])
          if (!(C === "CD" && "ab".includes(c))) numbers[C + c] = r(-3, 3);
      const controls = [1, 2].map((servo) => ({
        servo,
        direction: r(-1, 1),
        ...Object.fromEntries(LETTERS.map((C) => [`${C}_ctrl`, r(-0.02, 0.02)])),
      })) as Record<string, number>[];
      const [forward, upward, place] = [vector(1), vector(1), vector(2)];
      const vehicle = aircraftOf({
        ...BODY,
        surfaces: [{ position: place, forward, upward, ...numbers, controls }],
        servos: [
          { min: -1, max: 1 },
          { min: -1, max: 1 },
        ],
      });
      const [v, w, servos] = [vector(20), vector(2), [r(-0.5, 0.5), r(-0.5, 0.5)]];
      const there = plus(v, cross(w, place));
      compare(
        vehicle,
        place,
        advanced(numbers, controls, servos, there, w, axes(forward, upward)),
        v,
        w,
        servos,
      );
    }
  });

  it("plain LiftDrag, 300 random surfaces and states, every third with radial symmetry", () => {
    for (let n = 0; n < 300; n++) {
      const numbers: Record<string, number> = {
        area: r(0.1, 2),
        a0: r(-0.2, 0.2),
        cla: r(1, 6),
        cda: r(0, 1.5),
        alpha_stall: r(0.1, 0.8),
        cla_stall: r(-4, 1),
        cda_stall: r(-1, 1),
        chord: r(0, 0.5),
        cma: r(-1, 1),
        cma_stall: r(-1, 1),
        control_joint_rad_to_cl: r(-5, 5),
      };
      const isRadial = n % 3 === 0;
      const [forward, upward, place] = [vector(1), vector(1), vector(2)];
      const vehicle = aircraftOf({
        ...BODY,
        surfaces: [
          {
            law: "lift-drag",
            position: place,
            forward,
            upward,
            ...numbers,
            servo: 1,
            ...(isRadial ? { radial_symmetry: "on" } : {}),
          },
        ],
        servos: [{ min: -1, max: 1 }],
      });
      const [v, w, angle] = [vector(20), vector(2), r(-0.5, 0.5)];
      const there = plus(v, cross(w, place));
      const made = plain({ ...numbers, radial: isRadial ? 1 : 0 }, angle, there, axes(forward, upward));
      compare(vehicle, place, made, v, w, [angle]);
    }
  });
});
