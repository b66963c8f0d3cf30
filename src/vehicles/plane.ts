import type { Model } from "../model/model.ts";

// Places of the states of what moves in the plane: X, Y, heading, velocity forward and to the left, yaw rate.
// biome-ignore format: a table
export const X = 0, Y = 1, PHI = 2, V_X = 3, V_Y = 4, OMEGA = 5;

/** A model whose states begin with these. */
export const isInPlane = ({ states }: Pick<Model, "states">): boolean => states[OMEGA]?.name === "omega";
