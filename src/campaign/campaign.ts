/** A campaign as a pure function: from its spec and an index to the scenario of a run. */
import { withJacobian } from "../compile/with-jacobian.ts";
import type { Open } from "../model/document.ts";
import { type Document, plainSource } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { createCore } from "../simulation/create.ts";
import type { Spec } from "../simulation/flight/action.ts";
import { readScenario, type Scenario } from "../simulation/scenario.ts";
import { type VehicleSpec, vehicleNamed } from "../vehicle-types/vehicle-spec.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { quantileOf, type Word } from "./distributions.ts";
import { IDENTITY } from "./identity.ts";
import { uniforms } from "./sampling.ts";
import { firstGap, pathOf, withValue } from "./spec-path.ts";
import { type Evaluation, readEvaluation, readSpecification, type Specification } from "./specification.ts";
import { textHash } from "./text-hash.ts";
import type { Varied } from "./varied.ts";

/** All that a run depends on, to be sent to another machine: nothing else is read there. */
export interface CampaignSpec {
  /** Version and equations that it was made with. */
  readonly sideslip: string;
  readonly vehicle: string | VehicleSpec;
  readonly scenario: Spec;
  /** Texts of files that the scenario names. */
  readonly files: Readonly<Record<string, string>>;
  /** The campaign file's other fields. */
  readonly campaign: Spec;
}

/** What is drawn for a run. */
export interface Drawn {
  readonly index: number;
  readonly seed: number;
  /** In the order of the varied fields. */
  readonly drawn: readonly Word[];
}
export interface Planned extends Drawn {
  readonly scenario: Scenario;
}

/** A campaign that is ready to be flown: any run by its index, as a pure function. */
export interface Campaign extends Specification, Evaluation {
  readonly words: CampaignSpec;
  readonly vehicle: Vehicle;
  /** Of the words: results with another one belong to another campaign. */
  readonly hash: string;
  /** Runs are done in blocks of so many. */
  readonly blockSize: number;
  readonly blocks: number;
  draw(index: number): Drawn;
  /** Throws where the drawn numbers are invalid. */
  plan(index: number): Planned;
  /** The scenario spec of a run, as a file would have it. */
  wordsOf(index: number): Spec;
  /** Files that it names. */
  readonly open: Open;
}

/** Words of a scenario that a run cannot have of its own. */
const FIXED = ["vehicle", "description"];

/** About a hundred blocks: small enough that little is lost, large enough that lanes and threads have work. */
const blockSizeFor = (runs: number) => 4 * Math.ceil(Math.min(1000, Math.max(8, runs / 100)) / 4);

/** Of what a person wrote and the scenario it names; texts of files are kept as they are read. */
export function makeCampaign(
  source: Document,
  vehicle: string | VehicleSpec,
  scenario: Document,
  open?: Open,
): Campaign {
  const files: Record<string, string> = {};
  const opened: Open = (path) => {
    if (open === undefined) throw new InputError("files cannot be read here", { file: path });
    const found = open(path);
    files[path] = found.text;
    return found;
  };
  const { scenario: _, ...campaign } = source.value as Record<string, unknown>;
  readScenario(scenario, vehicleNamed(vehicle), opened);
  refuseDrawnSeeds(scenario);
  const words: CampaignSpec = {
    sideslip: IDENTITY,
    vehicle,
    scenario: scenario.value as Spec,
    files,
    campaign: { ...campaign, scenario: {} },
  };
  // As other machines will read them: JSON has no -0, and infinity as a word.
  const text = JSON.stringify(words, (_, v) => (v === Number.POSITIVE_INFINITY ? ".inf" : v));
  return openCampaign(JSON.parse(text), { source, base: scenario });
}

/** A seed that is drawn anew each time would make another run of the same index. */
function refuseDrawnSeeds(scenario: Document): void {
  const words = scenario.value as Readonly<Record<string, unknown>>;
  for (const path of [["seed"], ["wind", "seed"], ["sensors", "seed"]]) {
    const found = path.reduce<unknown>(
      (node, key) => (node as Record<string, unknown> | undefined)?.[key],
      words,
    );
    if (Number(found) === -1)
      throw new InputError("-1 draws another seed each time; runs of a campaign must be the same each time", {
        file: scenario.file,
        ...scenario.locate(path),
        field: path.join("."),
        value: found,
        allowed: "a seed from 0 on, or none: each run has its own",
      });
  }
}

export interface OpenOptions {
  /** No WebAssembly kernels. */
  readonly isPlain?: boolean;
  /** Where the spec comes from, for error messages. */
  readonly source?: Document;
  readonly base?: Document;
}

/**
 * Makes a campaign ready to be flown.
 *
 * @throws InputError that names what is wrong in the specification or the scenario
 */
export function openCampaign(words: CampaignSpec, options: OpenOptions = {}): Campaign {
  const {
    isPlain,
    source = plainSource(words.campaign, "campaign"),
    base = plainSource(words.scenario, "scenario"),
  } = options;
  const { file, specification } = readSpecification(source);
  // Implicit integrators take exact derivatives, with machine code and without: compiling pays where there are many runs.
  const vehicle = withJacobian(vehicleNamed(words.vehicle), { isPlain });
  const open: Open = (path) => {
    const text = words.files[path];
    if (text === undefined) throw new InputError("is not among the campaign's files", { file: path });
    return { text, file: path };
  };
  const read = (changed: Spec) => readScenario(plainSource(changed, base.file), vehicle, open);
  const first = createCore(readScenario(base, vehicle, open));
  const events = [
    ...(vehicle.model.events ?? []).map((event) => event.name),
    ...(first.parts.monitor?.events ?? []),
  ];
  const channels = first.channels.map((c) => c.name);
  const evaluation = readEvaluation(file, channels, events, specification.runs, source);
  const { runs, seed, varied } = specification;
  for (const field of varied) refuseField(field, words.scenario, read, source);
  const drawers = drawersOf(specification);
  const fields = varied.map(({ name }) => pathOf(name));
  const place = varied.findIndex(({ name }) => name === "seed");
  const draw = (index: number): Drawn => {
    const drawn = drawers.map((drawer) => drawer(index));
    return { index, drawn, seed: place < 0 ? seed * 4294967296 + index : Number(drawn[place]) };
  };
  const wordsWith = ({ drawn, seed: own }: Drawn) => {
    let changed: Spec = { ...words.scenario, seed: own };
    drawn.forEach((value, i) => {
      changed = withValue(changed, fields[i], value);
    });
    return changed;
  };
  const blockSize = blockSizeFor(runs);
  return {
    ...specification,
    ...evaluation,
    words,
    vehicle,
    hash: textHash(JSON.stringify(words)),
    blockSize,
    blocks: Math.ceil(runs / blockSize),
    open,
    draw,
    wordsOf: (index) => wordsWith(draw(index)),
    plan(index) {
      const drawn = draw(index);
      return { ...drawn, scenario: read(wordsWith(drawn)) };
    },
  };
}

/** A field that is not there, or cannot take the values it is given. */
function refuseField(
  { name, probes, distribution }: Varied,
  scenario: Spec,
  read: (changed: Spec) => unknown,
  source: Document,
): void {
  const path = pathOf(name);
  const wrong = (problem: string, allowed?: string, value?: unknown) =>
    new InputError(problem, {
      file: source.file,
      ...source.locate(["vary"], name),
      field: `vary.${name}`,
      value,
      allowed,
    });
  if (FIXED.includes(path[0]))
    throw wrong(
      "cannot vary",
      "parameters, initial, wind and other numbers of the scenario; another vehicle is another campaign",
    );
  const gap = firstGap(scenario, path);
  if (gap !== undefined)
    throw wrong(`the scenario has no ${gap}`, "an existing field: add it to the scenario first");
  const isDrawn = !("values" in distribution) || probes.some((probe) => !(Number(probe) >= 0));
  if (path.at(-1) === "seed" && isDrawn)
    throw wrong("is not a repeatable seed", "whole numbers >= 0, by choice or grid");
  for (const probe of probes)
    try {
      read(withValue(scenario, path, probe));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw wrong(`${error.problem} (with ${JSON.stringify(probe)})`, error.details.allowed, probe);
    }
}

/** The value of each varied field at an index: grids count through their cells, the others are drawn. */
function drawersOf({ varied, sampling, seed, runs }: Specification): ((index: number) => Word)[] {
  let dimension = 0;
  // The last grid counts fastest.
  let cells = 1;
  const strides = varied.map(() => 1);
  for (let i = varied.length - 1; i >= 0; i--) {
    strides[i] = cells;
    const { distribution } = varied[i];
    if (distribution.kind === "grid") cells *= distribution.values.length;
  }
  return varied.map(({ name, distribution }, i) => {
    if (distribution.kind === "grid") {
      const { values } = distribution;
      return (index) => values[Math.floor(index / strides[i]) % values.length];
    }
    const uniform = uniforms(sampling, seed, name, dimension++, runs, cells);
    const quantile = quantileOf(distribution);
    return (index) => quantile(uniform(index));
  });
}
