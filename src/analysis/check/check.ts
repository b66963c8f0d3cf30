/** A physics lint: random tests of a model with a vehicle's own parameters; it does not look at the equations' source. */

import type { CheckName, Exception } from "../../model/model-checks.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { isRigidBody } from "../motion.ts";
import { checkBalance } from "./balance.ts";
import { checkBoundaries } from "./boundaries.ts";
import { checksOf } from "./checks-of.ts";
import { checkDensity } from "./density.ts";
import { checkEffects } from "./effect.ts";
import { changed, evaluate } from "./evaluate.ts";
import { checkEvents } from "./events.ts";
import { type Finding, finding } from "./finding.ts";
import { checkGalilean, checkHeading, checkMirror } from "./invariance.ts";
import { checkLimits } from "./limits.ts";
import { checkPassive } from "./passive.ts";
import { checkReferenceCases } from "./reference-cases.ts";
import { type Region, type Sample, Sampler } from "./sample.ts";
import { checkSigns } from "./signs.ts";
import { checkSpeed, slowSamples } from "./slow.ts";
import { checkContinuous, checkFinite } from "./smooth.ts";
import { checkUnits } from "./units.ts";
import { otherVehicles } from "./variants.ts";

export type { Finding } from "./finding.ts";

/** All that is found. */
export const check = (vehicle: Vehicle): Finding[] => [...checks(vehicle)];

/** One check after the other, as far as one wants to know. */
export function* checks(vehicle: Vehicle): Generator<Finding> {
  const { model, parameters } = vehicle;
  const laws = new Laws(vehicle);
  yield* checkReferenceCases(vehicle);
  yield* laws.ofAll();
  yield* laws.ofItself();
  yield* checkEffects(vehicle, laws.places, laws.accepted("effect"));
  yield* checkSigns(vehicle, laws.accepted("sign"));
  yield* others(vehicle);
  for (const text of model.warnings?.(parameters) ?? []) yield finding("effect", "wrong", text);
  yield* laws.exceptions();
}

/** The same equations with other vehicles; only errors are reported. */
function* others(vehicle: Vehicle): Generator<Finding> {
  let wrong = 0;
  for (const { label, vehicle: other } of otherVehicles(vehicle))
    for (const { check, status, text } of new Laws(other).ofAll())
      if (status === "wrong" && wrong++ < MOST_WRONG) yield finding(check, "wrong", `${label}: ${text}`);
}
/** At most so many errors are reported from other vehicles. */
const MOST_WRONG = 3;

/** Checks of one vehicle, without the exceptions that its model declares. */
class Laws {
  readonly places: readonly Region[];
  private readonly vehicle: Vehicle;
  private readonly list: readonly Exception<unknown>[];
  private readonly used = new Set<Exception<unknown>>();

  constructor(vehicle: Vehicle) {
    this.vehicle = vehicle;
    this.places = placesOf(vehicle);
    this.list = (checksOf(vehicle)?.exceptions ?? []).filter(
      (x) => x.applies?.(vehicle.parameters as never) ?? true,
    );
  }

  /** Those that hold of any vehicle of these equations. */
  *ofAll(): Generator<Finding> {
    const { vehicle, places } = this;
    const sampler = new Sampler(vehicle, 4);
    const samples = Array.from({ length: 15 * places.length }, (_, k) =>
      sampler.sample(places[k % places.length]),
    );
    yield* checkFinite(vehicle, samples);
    yield* this.asMeant("balance", (v, _, skip) => checkBalance(v, skip, samples));
    yield* this.asMeant("units", (v, _, skip) => checkUnits(v, skip, [...samples, ...slowSamples(v)]));
    yield* this.asMeant("speed", checkSpeed);
    yield* this.asMeant("density", (v, p, skip) => checkDensity(v, p, skip, places));
    yield* this.asMeant("limits", (v, p, skip) => checkLimits(v, p, skip, places));
    yield* this.asMeant("boundaries", checkBoundaries);
    yield* this.asMeant("events", checkEvents);
  }

  /** And those that look at what this one is. */
  *ofItself(): Generator<Finding> {
    yield* this.asMeant("galilean", checkGalilean);
    yield* this.asMeant("heading", checkHeading);
    yield* this.asMeant("mirror", checkMirror);
    yield* this.asMeant("passive", checkPassive);
    yield* this.asMeant("continuous", checkContinuous);
  }

  /** What is accepted here, and why. */
  *exceptions(): Generator<Finding> {
    for (const x of this.list)
      if (this.used.has(x) || (x.without && actsHere(this.vehicle, x.without)))
        yield finding(x.check, "accepted", x.reason);
  }

  accepted(name: CheckName) {
    return (field: string) => this.of(name).find((x) => x.fields?.test(field))?.reason;
  }

  private of(name: CheckName) {
    return this.list.filter((x) => x.check === name);
  }

  /** The sample with the parameters that an exception sets, and without the states that it excludes. */
  private asMeant(
    name: CheckName,
    f: (v: Vehicle, p: unknown, skip: (s: Sample) => boolean) => Finding[],
  ): Finding[] {
    const { vehicle } = this;
    const exceptions = this.of(name);
    const p = changed(vehicle, Object.assign({}, ...exceptions.map((x) => x.without ?? {})));
    const skips = (s: Sample) =>
      exceptions.some((x) => {
        const isOut = x.outside?.(s.x, s.u, p as never, evaluate(vehicle.model, p, s).y) ?? false;
        if (isOut) this.used.add(x);
        return isOut;
      });
    return f({ ...vehicle, parameters: p }, p, skips);
  }
}

const placesOf = ({ model }: Vehicle): readonly Region[] => {
  if (!isRigidBody(model)) return ["free", "slow"];
  return (model.boundarySlots ?? 0) > 0 ? ["free", "low", "ground"] : ["free"];
};

/** An exception matters where the vehicle has what it excepts. */
function actsHere(vehicle: Vehicle, without: Readonly<Record<string, number>>): boolean {
  const now = JSON.stringify(vehicle.parameters);
  return JSON.stringify(changed(vehicle, without)) !== now;
}
