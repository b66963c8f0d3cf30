import { describe, expect, it } from "vitest";
import { densityRatio, geopotential, standardAtmosphere } from "../../src/environment/air.ts";

describe("International Standard Atmosphere", () => {
  // ISO 2533 table: altitude [m], temperature [K], pressure [Pa], density [kg/m^3].
  const TABLE = [
    [-1000, 294.65, 113929, 1.347],
    [0, 288.15, 101325, 1.225],
    [1000, 281.65, 89874.6, 1.11164],
    [5000, 255.65, 54019.9, 0.736116],
    [11000, 216.65, 22632.1, 0.363918],
    [15000, 216.65, 12044.6, 0.193674],
    [20000, 216.65, 5474.89, 0.0880349],
    [30000, 226.65, 1171.87, 0.0180119],
  ];
  for (const [altitude, temperature, pressure, density] of TABLE)
    it(`${altitude} m`, () => {
      const air = standardAtmosphere(altitude);
      expect(air.temperature).toBeCloseTo(temperature, 6);
      expect(Math.abs(air.pressure / pressure - 1)).toBeLessThan(1e-5); // the table's last digit
      expect(Math.abs(air.density / density - 1)).toBeLessThan(1e-5);
    });
  it("has no answer where the table has none", () => {
    expect(standardAtmosphere(40_000).pressure).toBeNaN();
    expect(standardAtmosphere(-6000).density).toBeNaN();
  });
  it("is the ratio to sea level, and 1 in constant air", () => {
    expect(densityRatio({ model: "constant" }, 5000)).toBe(1);
    // The table's 5000 m are geopotential: geometrically they are 5003.9 m.
    expect(geopotential(5003.94)).toBeCloseTo(5000, 1);
    expect(densityRatio({ model: "isa", originAltitude: 4000 }, 1003.94)).toBeCloseTo(0.736116 / 1.225, 5);
  });
});
