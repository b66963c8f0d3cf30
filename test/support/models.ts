/** Small models with known solutions, defined outside src/ as a user would. */

import { cos, sin } from "../../src/math/elementary.ts";
import type { Model } from "../../src/model/model.ts";

/** A ball thrown upward in vacuum that bounces or stays. */
export const ball: Model<{ g: number; restitution: number }> = {
  name: "ball",
  meaning: "point mass over a floor",
  states: [
    { name: "height", unit: "m", meaning: "above the floor", kind: "position" },
    { name: "speed", unit: "m/s", meaning: "upward", kind: "velocity" },
  ],
  inputs: [],
  outputs: [{ name: "energy", unit: "m^2/s^2", meaning: "per mass" }],
  environment: [],
  parameters: [
    { name: "g", unit: "m/s^2", meaning: "gravity", above: 0, default: 9.81 },
    { name: "restitution", unit: "1", meaning: "speed kept by a bounce", min: 0, max: 1, default: 0.5 },
  ],
  derivative(x, _u, p, _e, dx, y) {
    dx[0] = x[1];
    dx[1] = -p.g;
    if (y) y[0] = p.g * x[0] + 0.5 * x[1] * x[1];
  },
  events: [
    {
      name: "bounce",
      guard: (x) => -x[0],
      reset(x, p) {
        x[0] = 0;
        x[1] = -p.restitution * x[1];
      },
    },
  ],
};

interface Cart {
  cart_mass: number;
  bob_mass: number;
  length: number;
  g: number;
  drag: number;
}

/** A pendulum hanging from a cart that a force pushes and the wind blows at. */
export const pendulumCart: Model<Cart> = {
  name: "pendulum-cart",
  meaning: "pendulum on a cart",
  states: [
    { name: "position", unit: "m", meaning: "of the cart, northward", kind: "position" },
    { name: "angle", unit: "rad", meaning: "of the pendulum from hanging", kind: "position" },
    { name: "speed", unit: "m/s", meaning: "of the cart", kind: "velocity" },
    { name: "angle_rate", unit: "rad/s", meaning: "of the pendulum", kind: "rate" },
  ],
  inputs: [{ name: "force_cmd", unit: "N", meaning: "push on the cart", min: -100, max: 100, default: 0 }],
  outputs: [{ name: "energy", unit: "J", meaning: "kinetic and potential" }],
  environment: [{ name: "wind_north", unit: "m/s", meaning: "velocity of the air" }],
  parameters: [
    { name: "cart_mass", unit: "kg", meaning: "of the cart", above: 0 },
    { name: "bob_mass", unit: "kg", meaning: "of the bob", above: 0 },
    { name: "length", unit: "m", meaning: "of the rod", above: 0 },
    { name: "g", unit: "m/s^2", meaning: "gravity", default: 9.81 },
    { name: "drag", unit: "kg/s", meaning: "of the cart in the air", min: 0, default: 0 },
  ],
  derivative(x, u, p, e, dx, y) {
    const s = sin(x[1]);
    const c = cos(x[1]);
    const push = u[0] - p.drag * (x[2] - e[0]);
    const total = p.cart_mass + p.bob_mass * s * s;
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = (push + p.bob_mass * s * (p.length * x[3] * x[3] + p.g * c)) / total;
    dx[3] =
      (-push * c - p.bob_mass * p.length * x[3] * x[3] * c * s - (p.cart_mass + p.bob_mass) * p.g * s) /
      (p.length * total);
    if (y)
      y[0] =
        0.5 * (p.cart_mass + p.bob_mass) * x[2] * x[2] +
        p.bob_mass * p.length * x[2] * x[3] * c +
        0.5 * p.bob_mass * (p.length * x[3]) ** 2 -
        p.bob_mass * p.g * p.length * c;
  },
  events: [{ name: "wall", terminal: true, guard: (x) => x[0] - 5 }],
};
