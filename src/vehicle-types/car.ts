/** Four-wheeled cars on tracks. */
import { tan } from "../math/elementary.ts";
import { car } from "../vehicles/car/car.ts";
import { CAR_CHECKS } from "../vehicles/car/checks.ts";
import { type CarParameters, middleOf } from "../vehicles/car/parameters.ts";
import { carPresets } from "../vehicles/presets.generated.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { VehicleType } from "../vehicles/vehicle-type.ts";
import { carManualControl } from "./car/manual.ts";
import { type CarBlocks, carBlocks, carInputs } from "./car/scenario-blocks.ts";
import { carTopics } from "./car/topics.ts";

/** Default part of the friction that a driver uses: soft tyres respond late. */
const CAREFUL = 0.75;

/** Four-wheeled cars on tracks. */
export const carType: VehicleType<CarParameters, CarBlocks> = {
  name: "car",
  model: car,
  presets: carPresets,
  wording: { moved: "driven", speed: "speed" },
  sweepAxes: () => ({ polar: ["lateral", "speed"], turn: "lateral", envelope: ["speed", "lateral"] }),
  checks: () => CAR_CHECKS,
  scenarioBlocks: carBlocks,
  group: () => "race cars",
  firstFlight: ({ name }) => ({ vehicle: name, track: "autocross" }),
  defaultFlight: ({ name }) => ({
    scenario: { vehicle: name, track: "autocross", duration: 120, laps: 1, driver: { grip: CAREFUL } },
    note: "it drives a lap of the autocross",
  }),
  inputSource: carInputs,
  manualControl: ({ parameters }) => carManualControl(parameters),
  footprint: (p) => ({
    length: p.length,
    width: p.width,
    middle: middleOf(p),
    wheels: [p.l_F, -p.l_R].flatMap((along) => [p.W / 2, -p.W / 2].map((across) => [along, across] as const)),
    turningRadius: (p.l_F + p.l_R) / tan(p.steering_max),
  }),
  topics: carTopics,
};

/** The vehicle as a car, if it is one. */
export const asCar = (vehicle: Vehicle): Vehicle<CarParameters> | undefined =>
  vehicle.type === carType ? (vehicle as Vehicle<CarParameters>) : undefined;
