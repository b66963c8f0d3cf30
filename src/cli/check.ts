import type { Command } from "commander";
import { check, type Finding } from "../analysis/check/check.ts";
import { checkPicture } from "../analysis/check/picture.ts";
import type { Piece } from "../formats/html-page.ts";
import { changedVehicle, collect } from "./inputs.ts";
import { addReportFlags, type ReportOptions, report, validateReportFlags } from "./report.ts";

interface Options extends ReportOptions {
  readonly set: string[];
}

/** What each check asks, in the order in which they are told. */
const QUESTIONS: Readonly<Record<Finding["check"], string>> = {
  witness: "Do the model's equations give independent results (at other vehicles than this one)?",
  finite: "Is every rate and output finite, at rest and upside down too?",
  continuous: "Does nothing jump?",
  effect: "Does every parameter and every input do something?",
  units: "Is it the same in other units of length, mass, time and current?",
  galilean: "Does only the flow matter, not the wind over ground?",
  heading: "Is it the same at any place and heading?",
  mirror: "Is left like right?",
  passive: "Do air and road only take energy?",
  density: "Does what the air does go with its density?",
  limits: "Do inputs beyond their range act as at its end, and corrections once?",
  speed: "Are flow angles the same at any speed?",
  boundaries: "Do ground, walls and ceilings act where they are?",
  events: "Do starts and events agree?",
  balance: "Do forces, moments, loads and powers balance?",
  sign: "Which way do forces and moments go?",
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
    .description(
      "a physics lint: dead parameters, units, invariances, balances, published results, signs in words",
    )
    .argument("<vehicle>", "a vehicle's name or file")
    .option("--set <name=value>", "change a parameter (repeatable)", collect, []);
  addReportFlags(command, "the verdicts")
    .addHelpText(
      "after",
      `
Examples:
  sideslip check advanced-plane
  sideslip check my-plane.yaml --report check.html
Exit code 1 where something is wrong. What a model accepts (a law of its source, say) is shown with the reason.
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
  const verdict =
    wrong === 0 ? "nothing is wrong" : `${wrong} ${wrong === 1 ? "thing is" : "things are"} wrong`;
  const title = `${vehicle.name}: ${verdict}`;
  const drawn = () => [{ pictures: [checkPicture(title, QUESTIONS, findings)] }];
  report(vehicle, { title, pieces, drawn, json: { vehicle: vehicle.name, wrong, findings } }, options);
  if (wrong > 0) process.exitCode = 1;
}
