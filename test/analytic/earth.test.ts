/** Geodesy, gravity and the magnetic field against numbers that others published or computed. */
import { describe, expect, it } from "vitest";
import { pressureAltitude, standardAtmosphere } from "../../src/environment/air.ts";
import { fromGeodetic, normalGravity, toGeodetic } from "../../src/environment/earth.ts";
import { magneticField } from "../../src/environment/geomagnetism.ts";

/** GeographicLib 2.1.2, GeodSolve: latitude, longitude, azimuth [deg], distance [m], and where that leads. */
const LINES = [
  [47.397742, 8.545594, 30, 100000, 48.17468873823776, 9.21786825063947],
  [-33.9, 18.4, 200, 100000, -34.74655291316774, 18.02650083655705],
  [0, 179.9, 90, 50000, 0, -179.65084235794023],
  [78.2, 15.6, -75, 100000, 78.39997778623534, 11.29474331105507],
  [-77.85, 166.7, 135, 99000, -78.46022573718439, 169.83482888016812],
  [47.397742, 8.545594, -120, 1234.567, 47.39218894324476, 8.53143241949584],
] as const;
const METRES_A_DEGREE = 111_000;

describe("the flat world on the ellipsoid", () => {
  it.each(LINES)(
    "from %d, %d to azimuth %d deg, %d m: to the millimetre",
    (lat, lon, azimuth, s, lat2, lon2) => {
      const home = { latitude: lat, longitude: lon, altitude: 0 };
      const a = (azimuth * Math.PI) / 180;
      const there = toGeodetic(home, s * Math.cos(a), s * Math.sin(a), -120);
      const cosLatitude = Math.cos((lat2 * Math.PI) / 180);
      expect(Math.abs(there.latitude - lat2) * METRES_A_DEGREE).toBeLessThan(1e-3);
      expect(Math.abs(there.longitude - lon2) * METRES_A_DEGREE * cosLatitude).toBeLessThan(1e-3);
      expect(there.altitude).toBe(120);
      const [north, east, down] = fromGeodetic(home, { latitude: lat2, longitude: lon2, altitude: 120 });
      expect(Math.abs(north - s * Math.cos(a))).toBeLessThan(1e-3);
      expect(Math.abs(east - s * Math.sin(a))).toBeLessThan(1e-3);
      expect(down).toBe(-120);
    },
  );

  it("Flinders Peak to Buninyong, the surveyors' example: 54 972.271 m at 306 deg 52' 05.37\"", () => {
    const dms = (d: number, m: number, s: number) => Math.sign(d) * (Math.abs(d) + m / 60 + s / 3600);
    const flinders = { latitude: dms(-37, 57, 3.7203), longitude: dms(144, 25, 29.5244), altitude: 0 };
    const buninyong = { latitude: dms(-37, 39, 10.1561), longitude: dms(143, 55, 35.3839), altitude: 0 };
    const [north, east] = fromGeodetic(flinders, buninyong);
    expect(Math.hypot(north, east)).toBeCloseTo(54972.271, 3);
    expect((Math.atan2(east, north) * 180) / Math.PI + 360).toBeCloseTo(dms(306, 52, 5.37), 5);
  });

  it("there and back within a micrometre, at any height of home, and home is home", () => {
    for (const altitude of [0, 488, 5000])
      for (const latitude of [-89, -45, 0, 47.4, 80])
        for (const [n, e] of [
          [0, 0],
          [1e-3, 0],
          [-3, 4],
          [5e4, -8e4],
          [0, 1e5],
        ]) {
          const home = { latitude, longitude: -179.999, altitude };
          const [north, east] = fromGeodetic(home, toGeodetic(home, n, e, 0));
          expect(Math.hypot(north - n, east - e), `${latitude} ${n} ${e}`).toBeLessThan(2e-6);
        }
  });

  it("a metre is a metre at home's own height: chord in earth-centred coordinates", () => {
    const f = 1 / 298.257223563;
    const e2 = f * (2 - f);
    const centred = ({ latitude, longitude, altitude }: ReturnType<typeof toGeodetic>) => {
      const [la, lo] = [latitude, longitude].map((d) => (d * Math.PI) / 180);
      const n = 6378137 / Math.sqrt(1 - e2 * Math.sin(la) ** 2);
      return [
        (n + altitude) * Math.cos(la) * Math.cos(lo),
        (n + altitude) * Math.cos(la) * Math.sin(lo),
        (n * (1 - e2) + altitude) * Math.sin(la),
      ];
    };
    const home = { latitude: -35.363, longitude: 149.165, altitude: 3000 };
    for (const [n, e] of [
      [10, 0],
      [0, 10],
      [-6, 8],
    ]) {
      const [a, b] = [centred(home), centred(toGeodetic(home, n, e, 0))];
      expect(Math.hypot(...a.map((v, i) => v - b[i]))).toBeCloseTo(10, 6);
    }
  });
});

describe("gravity", () => {
  it("of the WGS 84 ellipsoid at the equator and the poles (NIMA TR8350.2, table 3.4)", () => {
    expect(normalGravity({ latitude: 0, longitude: 0, altitude: 0 })).toBeCloseTo(9.7803253359, 9);
    expect(normalGravity({ latitude: 90, longitude: 0, altitude: 0 })).toBeCloseTo(9.8321849378, 9);
  });
  it("falls by 3.086 um/s^2 a metre", () => {
    const at = (altitude: number) => normalGravity({ latitude: 45, longitude: 0, altitude });
    expect((at(10) - at(0)) / 10).toBeCloseTo(-3.086e-6, 9);
  });
});

/** NOAA's WMM2025_TestValues: year, height [km], latitude, longitude, north, east, down [nT]. */
const FIELDS = [
  [2025, 28, 89, -121, -255.388723, -1482.460628, 56194.288771],
  [2025, 54, 82, 87, 1324.336929, 1883.42862, 56740.772059],
  [2025, 51, -33, 109, 21737.778822, -2090.274098, -52710.00392],
  [2025, 3, -50, -103, 19526.532799, 10362.99098, -31437.562789],
  [2025, 66, 14, 143, 35003.441364, -116.624818, 7966.315182],
  [2025.5, 6, -36, -137, 23781.930678, 8786.698927, -32577.518648],
  [2025.5, 69, 38, -144, 22510.804524, 5167.636206, 35525.990264],
  [2025.5, 8, -52, -75, 19331.857134, 5147.774727, -23532.664273],
  [2025.5, 22, -37, 140, 21404.761773, 3498.89743, -55397.58776],
  [2025.5, 44, 33, -118, 23235.83585, 4558.379362, 37727.715752],
  [2027.5, 8, 62, 53, 12260.425578, 4315.497527, 54849.810218],
  [2027.5, 98, -5, 159, 33544.960996, 4589.735713, -14525.780052],
  [2027.5, 60, 27, 65, 33062.159421, 1068.555172, 30667.425573],
  [2027.5, 96, -46, -85, 18947.658009, 6129.590452, -21631.434316],
  [2027.5, 16, 66, -178, 13821.326215, 89.244328, 54092.646409],
  [2029.5, 31, 13, -132, 27795.620707, 4421.061344, 17187.98359],
] as const;

describe("the magnetic field", () => {
  it.each(FIELDS)("%d, %d km, %d, %d: within 0.01 nT of NOAA", (year, km, latitude, longitude, x, y, z) => {
    const field = magneticField({ latitude, longitude, altitude: 1000 * km }, year);
    [x, y, z].forEach((v, i) => {
      expect(Math.abs(field[i] * 1e9 - v)).toBeLessThan(0.01);
    });
  });
  it("has a finite field at the poles", () => {
    for (const latitude of [90, -90])
      expect(Math.hypot(...magneticField({ latitude, longitude: 12, altitude: 0 }, 2026))).toBeGreaterThan(
        5e-5,
      );
  });
});

describe("pressure altitude", () => {
  it("undoes the standard atmosphere in all its layers", () => {
    for (const h of [-400, 0, 488, 5000, 10999, 11001, 15000, 19999, 20001, 31000])
      expect(pressureAltitude(standardAtmosphere(h).pressure)).toBeCloseTo(h, 6);
  });
  it("ISO 2533: 89 874.6 Pa at 1000 m, 22 632 Pa at 11 km", () => {
    expect(pressureAltitude(89874.6)).toBeCloseTo(1000, 1);
    expect(pressureAltitude(22632)).toBeCloseTo(11000, 0);
  });
});
