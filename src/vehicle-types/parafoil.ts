/** Parafoils with a payload. */
import { PARAFOIL_CHECKS } from "../vehicles/parafoil/checks.ts";
import { parafoil } from "../vehicles/parafoil/parafoil.ts";
import type { ParafoilParameters } from "../vehicles/parafoil/parameters.ts";
import { parafoilPresets } from "../vehicles/presets.generated.ts";
import type { VehicleType } from "../vehicles/vehicle-type.ts";
import { parafoilManualControl } from "./parafoil/manual.ts";
import { parafoilTopics } from "./parafoil/topics.ts";

/** Parafoils with a payload. */
export const parafoilType: VehicleType<ParafoilParameters> = {
  name: "parafoil",
  model: parafoil,
  presets: parafoilPresets,
  wording: { moved: "flown", speed: "airspeed" },
  sweepAxes: () => ({
    polar: ["airspeed", "climb", "turn"],
    turn: "turn",
    envelope: ["brake_left", "brake_right"],
  }),
  checks: () => PARAFOIL_CHECKS,
  group: () => "parafoils",
  defaultFlight: ({ name }) => ({
    scenario: { vehicle: name },
    note: "it glides with its brakes released",
  }),
  // Its ROS 2 simulator has an IMU of its own.
  servedDefaults: { sensors: { imu: {} } },
  manualControl: parafoilManualControl,
  topics: parafoilTopics,
};
