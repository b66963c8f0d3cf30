/** How many parts of each kind an aircraft has: what fixes its states, inputs and parameters. */
import type { Model } from "../../model/model.ts";
import { aircraft } from "./aircraft.ts";
import type { AircraftParameters } from "./parameters.ts";
import type { SURFACE_LAWS } from "./surfaces.ts";

export interface SurfaceShape {
  readonly law: keyof typeof SURFACE_LAWS;
  /** Control surfaces of an advanced-lift-drag set. */
  readonly controls: number;
}

/** How many parts of each kind an aircraft has: what fixes its states, inputs and parameters. */
export interface AircraftShape {
  readonly rotors: number;
  /** Rows of each rotor's propeller table; 0 or nothing for a rotor without one. */
  readonly tables?: readonly number[];
  /** Lifting surfaces, and the servos that move their controls. */
  readonly surfaces?: readonly SurfaceShape[];
  readonly servos?: number;
  /** Skids, wheels, bumpers. */
  readonly contacts?: number;
  /** Points of the battery's discharge curve; with a battery the motors are electric. */
  readonly battery?: number;
}

type Block = Readonly<Record<string, unknown>>;
const block = (v: unknown): Block => (typeof v === "object" && v !== null ? (v as Block) : {});
const list = (v: unknown): readonly unknown[] => (Array.isArray(v) ? v : []);

/** A table too short to be one is left to the schema to complain about. */
const rows = (v: unknown) => (v === undefined ? 0 : Math.max(2, Math.min(1000, list(v).length)));

/** The aircraft model of the shape that a vehicle file has. */
export function aircraftFor(file: unknown): Model<AircraftParameters> {
  const { rotors, surfaces, servos, contacts, battery } = block(block(file).parameters);
  const tables = list(rotors).map((rotor) => {
    const { propeller } = block(rotor);
    return propeller === undefined ? 0 : rows(block(propeller).J ?? null);
  });
  return aircraft({
    rotors: tables.length,
    tables,
    surfaces: list(surfaces).map((surface) => {
      const { law, controls } = block(surface);
      return { law: law === "lift-drag" ? law : "advanced-lift-drag", controls: list(controls).length };
    }),
    servos: list(servos).length,
    contacts: list(contacts).length,
    battery: battery === undefined ? 0 : rows(block(battery).used ?? null),
  });
}
