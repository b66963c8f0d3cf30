/** Answers to questions about what is on. */
import { explainAt } from "../analysis/explain.ts";
import { vehicleWords, writeVehicle } from "../formats/vehicle-yaml.ts";
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../model/model.ts";
import { withParameters } from "../model/parameters.ts";
import type { Flight } from "../simulation/flight/flight.ts";
import { csvOf } from "./csv-of.ts";
import type { Film } from "./film.ts";
import type { Answers, Question } from "./protocol.ts";
import { seriesOf } from "./series.ts";

export function answer(question: Question, film?: Film, flight?: Flight): Answers[Question["ask"]] {
  if (film === undefined) throw new InputError("nothing flies yet");
  if (question.ask === "series")
    return seriesOf(film, question.names, question.from, question.to, question.most);
  if (question.ask === "row") return film.past(film.record.tickAt(question.t)).slice();
  if (question.ask === "csv") return csvOf(film, question.names);
  if (flight === undefined) throw new InputError("a log can only be looked at; choose a vehicle to fly");
  if (question.ask === "log") return flight.log();
  if (question.ask === "yaml") return writeVehicle(vehicleWords(vehicleNow(flight)));
  const { simulation } = flight;
  return explainAt(vehicleNow(flight), simulation.x, simulation.u, simulation.e);
}

/** The vehicle with its parameters as they are. */
function vehicleNow({ vehicle, parameters }: Flight): Vehicle {
  return withParameters(
    vehicle,
    Object.fromEntries(vehicle.model.parameters.map((f, i) => [f.name, parameters[i]])),
  );
}
