import type { Command } from "commander";
import type { LinearModel } from "../analysis/linearize.ts";
import { eigenvaluePictures, shapePicture } from "../analysis/mode-pictures.ts";
import type { Mode } from "../analysis/modes.ts";
import { vehicleModes } from "../analysis/stability.ts";
import { stepPanels } from "../analysis/step-response.ts";
import type { Piece } from "../formats/html-page.ts";
import { svgPanel } from "../formats/svg-chart.ts";
import type { Field } from "../model/field.ts";
import { addConditionFlags, type SteadyOptions } from "./conditions.ts";
import { linearOf } from "./linearize.ts";
import { addOperatingPointFlags, type OperatingPointOptions } from "./operating-point.ts";
import { addReportFlags, type ReportOptions, report, validateReportFlags } from "./report.ts";

interface Options extends SteadyOptions, OperatingPointOptions, ReportOptions {}

export function addModes(program: Command): void {
  const command = program
    .command("modes")
    .description("named modes: eigenvalues, damping ratio, period, time to half or double, participation")
    .argument("<vehicle>", "a vehicle's name or file");
  addOperatingPointFlags(addConditionFlags(command));
  addReportFlags(command, "eigenvalues and the shape of each mode")
    .addHelpText(
      "after",
      `
Examples:
  sideslip modes advanced-plane --airspeed 15 --out modes.svg
  sideslip modes parafoil --set brake_left=0.3 --set brake_right=0.3
  sideslip modes x500 --report hover.html
`,
    )
    .action(modesCommand);
}

async function modesCommand(name: string, options: Options): Promise<void> {
  validateReportFlags(options);
  // Only pictures show how outputs respond.
  const isDrawn = options.out !== undefined || options.report !== undefined;
  const { vehicle, linear, about } = await linearOf(name, options, () => (isDrawn ? undefined : []));
  const modes = vehicleModes(vehicle, linear);
  const title = `${vehicle.name}: modes about ${about}`;
  report(
    vehicle,
    {
      title,
      pieces: modePieces(linear, modes),
      drawn: () => [
        { pictures: [...eigenvaluePictures(modes), ...shapes(linear, modes)] },
        { heading: "Step responses" },
        { pictures: stepPanels(linear).map(svgPanel) },
      ],
      json: {
        vehicle: vehicle.name,
        about,
        modes: modes.map((m) => modeJson(linear, m)),
        warnings: linear.warnings,
      },
    },
    options,
  );
}

const number = (v: number | undefined, digits = 4) =>
  v === undefined ? "" : String(Number((Math.abs(v) < 5e-10 ? 0 : v).toPrecision(digits)));

export function modePieces(linear: LinearModel, modes: readonly Mode[]): Piece[] {
  const { states } = linear;
  return [
    {
      table: {
        header: [
          "mode",
          "real [1/s]",
          "imaginary [rad/s]",
          "damping",
          "period [s]",
          "half [s]",
          "double [s]",
          "participation",
        ],
        rows: modes.map((m) => [
          m.name,
          number(m.eigenvalue.re, 5),
          number(m.eigenvalue.im, 5),
          number(m.damping, 3),
          number(m.period),
          number(m.half),
          number(m.double),
          states
            .map((f, i) => ({ name: f.name, share: m.participation[i] }))
            .filter((s) => s.share > 0.05)
            .sort((a, b) => b.share - a.share)
            .map((s) => `${s.name} ${(100 * s.share).toFixed(0)} %`)
            .join(", "),
        ]),
      },
    },
    ...linear.warnings.map((text) => ({ text: `warning: ${text}` })),
  ];
}

function modeJson({ states }: LinearModel, m: Mode) {
  const byName = (values: Float64Array) => Object.fromEntries(states.map((f, i) => [f.name, values[i]]));
  const { re, im } = m.eigenvalue;
  return {
    name: m.name,
    real: re,
    imaginary: im,
    frequency: m.frequency,
    damping: m.damping,
    period: m.period,
    half: m.half,
    double: m.double,
    participation: byName(m.participation),
    magnitude: byName(m.shape.magnitude),
    phase: byName(m.shape.phase),
  };
}

/** Modes of actuators alone have no shape worth a picture. */
function shapes(linear: LinearModel, modes: readonly Mode[]): string[] {
  const speed = Math.max(
    1,
    ...linear.states.map((f, i) => (f.kind === "velocity" ? Math.abs(linear.at.states[i]) : 0)),
  );
  // Velocities as angles of flow, rates as the angles they swing through.
  const sizes = (m: Mode) => (f: Field) => {
    if (f.kind === "actuator") return Number.POSITIVE_INFINITY;
    return f.kind === "velocity" ? speed : f.kind === "rate" ? m.frequency || 1 : 1;
  };
  return modes
    .filter((m) => !m.name.startsWith("lag of"))
    .map((m) => shapePicture(m, linear.states, sizes(m)));
}
