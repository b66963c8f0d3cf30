import type { Command } from "commander";
import { check, type Finding } from "../analysis/check/check.ts";
import { checkPicture } from "../analysis/check/picture.ts";
import type { Piece } from "../formats/html-page.ts";
import { changedVehicle, collect } from "./inputs.ts";
import { addReportFlags, type ReportOptions, report, validateReportFlags } from "./report.ts";

interface Options extends ReportOptions {
  readonly set: string[];
}

/** The question of each check, in the order of the report. */
const QUESTIONS: Readonly<Record<Finding["check"], string>> = {
  witness: "Do the model's equations reproduce published reference cases (of other vehicles)?",
  finite: "Are all rates and outputs finite, also at rest and inverted?",
  continuous: "Are all rates and outputs continuous?",
  effect: "Does every parameter and every input have an effect?",
  units: "Is the motion independent of the units of length, mass, time and current?",
  galilean: "Does the motion depend on airspeed only, not on the wind over ground?",
  heading: "Is the motion independent of position and heading?",
  mirror: "Is the vehicle symmetric, left and right?",
  passive: "Do air and road only dissipate energy?",
  density: "Are aerodynamic forces proportional to air density?",
  limits: "Are inputs beyond their range clamped, and is state projection idempotent?",
  speed: "Are flow angles independent of speed?",
  boundaries: "Do ground, walls and ceilings act at their positions?",
  events: "Are initial states and events consistent?",
  balance: "Do forces, moments, loads and powers balance?",
  sign: "In which direction do forces and moments act?",
};
const WORDS: Readonly<Record<Finding["status"], string>> = {
  ok: "fine",
  wrong: "WRONG",
  accepted: "accepted",
  note: "note",
};

export function addCheck(program: Command): void {
  const command = program
    .command("check")
    .description("a physics lint: unused parameters, units, invariances, balances, reference cases, signs")
    .argument("<vehicle>", "a vehicle's name or file")
    .option("--set <name=value>", "change a parameter (repeatable)", collect, []);
  addReportFlags(command, "the verdicts")
    .addHelpText(
      "after",
      `
Examples:
  sideslip check advanced-plane
  sideslip check my-plane.yaml --report check.html
Exit code 1 if a check fails. Deviations that a model accepts (a law of its source, say) are shown with the reason.
`,
    )
    .action(checkCommand);
}

function checkCommand(name: string, options: Options): void {
  validateReportFlags(options);
  const vehicle = changedVehicle(name, options.set);
  const findings = check(vehicle);
  const wrong = findings.filter((f) => f.status === "wrong").length;
  const pieces = Object.entries(QUESTIONS).flatMap(([key, question]): Piece[] => {
    const own = findings.filter((f) => f.check === key);
    if (own.length === 0) return [];
    return [
      { heading: question },
      { table: { header: ["", ""], rows: own.map((f) => [WORDS[f.status], f.text]) } },
    ];
  });
  const verdict = wrong === 0 ? "no errors" : `${wrong} ${wrong === 1 ? "error" : "errors"}`;
  const title = `${vehicle.name}: ${verdict}`;
  const drawn = () => [{ pictures: [checkPicture(title, QUESTIONS, findings)] }];
  report(vehicle, { title, pieces, drawn, json: { vehicle: vehicle.name, wrong, findings } }, options);
  if (wrong > 0) process.exitCode = 1;
}
