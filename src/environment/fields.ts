import type { Field } from "../model/field.ts";

/** Environment fields of the air. A model may declare some of these, or none. */
export const AIR: readonly Field[] = [
  { name: "wind_north", unit: "m/s", meaning: "velocity of the air, northward (wind blows to)" },
  { name: "wind_east", unit: "m/s", meaning: "velocity of the air, eastward" },
  { name: "wind_down", unit: "m/s", meaning: "velocity of the air, downward" },
  {
    name: "density_ratio",
    unit: "1",
    meaning: "air density over the density the vehicle's parameters give",
    min: 0,
  },
];

// Places of these fields in e.
export const WIND_NORTH = 0;
export const WIND_EAST = 1;
export const WIND_DOWN = 2;
export const DENSITY_RATIO = 3;
