// A scenario file as the word of a Studio link: the flight at its first instant, compressed.
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parseYaml, preset } from "../dist/index.js";
import { Flight } from "../dist/library/bridges.js";
import { packFlightLog } from "../dist/simulation/flight/flight-log-text.js";
import { readScenario } from "../dist/simulation/scenario.js";

export async function flightLink(path) {
  const document = parseYaml(readFileSync(path, "utf8"), basename(path));
  const vehicle = preset(document.value.vehicle);
  const files = [];
  const open = (name) => {
    const text = readFileSync(resolve(dirname(path), name), "utf8");
    files.push({ name: basename(name), text });
    return { text, file: name };
  };
  const { seed, description } = readScenario(document, vehicle, open);
  const flight = new Flight({
    vehicle,
    vehicleRef: vehicle.name,
    scenario: { ...document.value, seed },
    byHand: false,
    files,
  });
  return { description: description ?? vehicle.description, link: await packFlightLog(flight.log()) };
}
