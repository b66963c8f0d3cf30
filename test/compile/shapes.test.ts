/** Aircraft of every size are compiled, and nothing in src/compile knows any of them. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withJacobian } from "../../src/compile/with-jacobian.ts";
import { aircraftOf, ROTOR } from "../support/aircraft.ts";
import { statesHashes } from "../support/compiled-bits.ts";
import { instants } from "../support/states.ts";

const numbered = <T>(count: number, make: (k: number) => T) =>
  Array.from({ length: count }, (_, k) => make(k));

/** So many rotors in a circle, and a wing with so many control surfaces on servos of their own. */
function aircraft(rotors: number, controls: number) {
  return aircraftOf({
    m: 2,
    I: { xx: 0.05, yy: 0.06, zz: 0.1 },
    rotors: numbered(rotors, (k) => ({
      ...ROTOR,
      position: [0.3 - 0.05 * k, 0.1 * k - 0.3, 0],
      direction: k % 2 === 0 ? "ccw" : "cw",
      timeConstantUp: 0.02,
      timeConstantDown: 0.03,
    })),
    ...(controls === 0
      ? {}
      : {
          servos: numbered(controls, () => ({ min: -0.5, max: 0.5, tau: 0.05 })),
          surfaces: [
            {
              position: [-0.1, 0, 0],
              area: 0.5,
              AR: 6,
              mac: 0.25,
              eff: 0.9,
              alpha_stall: 0.3,
              CD0: 0.02,
              CLa: 5,
              Cema: -0.6,
              CYb: -0.2,
              Cellb: -0.05,
              Cenb: 0.05,
              controls: numbered(controls, (k) => ({
                servo: k + 1,
                CL_ctrl: 0.001 * k,
                Cem_ctrl: -0.02,
                Cell_ctrl: 0.001,
              })),
            },
          ],
        }),
  });
}

describe("an aircraft", () => {
  it.each(Array.from({ length: 12 }, (_, i) => [i + 1, Math.min(8, (i * 5) % 9)]))(
    "of %i rotors and %i control surfaces",
    (rotors, controls) => {
      const vehicle = aircraft(rotors, controls);
      const { plain, generated, kernel } = statesHashes(vehicle, 1000);
      expect([generated, kernel]).toEqual([plain, plain]);
      const { x, u, e } = instants(vehicle, 2)(1);
      const { model, parameters } = withJacobian(vehicle);
      const J = new Float64Array(x.length * x.length);
      expect(model.jacobian?.("states", x, u, parameters, e, J)).toBe(true);
      // Each lag by itself.
      expect(J[13 * x.length + 13]).toBeLessThan(-30);
    },
  );

  it("with each number of control surfaces from 0 to 8", () => {
    for (let controls = 0; controls <= 8; controls++) {
      const { plain, kernel } = statesHashes(aircraft(2, controls), 400);
      expect(kernel, `${controls}`).toBe(plain);
    }
  });
});

it("src/compile names no vehicle and no part of one", () => {
  const folder = new URL("../../src/compile/", import.meta.url);
  const files = readdirSync(folder).filter((f) => !f.includes("generated"));
  for (const file of files)
    expect(readFileSync(new URL(file, folder), "utf8"), file).not.toMatch(
      /parafoil|aircraft|quadrotor|\bcar\b|tyre|propeller|brake|servo/i,
    );
});
