import type { VehicleType } from "../../src/vehicles/vehicle-type.ts";
import { type BoatParameters, boat } from "./boat.ts";

export const boatType: VehicleType<BoatParameters> = {
  name: "boat",
  model: boat,
  presets: {
    launch: {
      model: "boat",
      description: "a workboat of 4 m with two electric thrusters",
      source: "made up for the tests",
      parameters: {
        m: 400,
        I_z: 500,
        added: { x: 40, y: 300, z: 200 },
        drag: { x: 50, y: 800, z: 900 },
        drag2: { x: 60 },
        beam: 1.2,
        stern: 1.8,
        thrust_max: 300,
        t_thrust: 0.3,
      },
      initial: { v_x: 2 },
    },
  },
  wording: { moved: "sailed", speed: "speed" },
  sweepAxes: () => ({ polar: ["speed"], turn: "turn", envelope: ["speed", "turn"] }),
  group: () => "boats",
  defaultFlight: ({ name }) => ({
    scenario: {
      vehicle: name,
      duration: 30,
      inputs: [
        { t: 0, thrust_left_cmd: 200, thrust_right_cmd: 200 },
        { t: 15, thrust_left_cmd: 100, thrust_right_cmd: 250 },
      ],
    },
    note: "it sails straight on, and then to port",
  }),
};
