/** A physics lint: random tests of a model as it is, with a vehicle's own numbers; no parser, no knowledge of its equations. */
import type { CheckName, Exception } from "../../model/facts.ts";
import type { Vehicle } from "../../model/model.ts";
import { isRigidBody } from "../motion.ts";
import { checkBalance } from "./balance.ts";
import { checkDensity } from "./density.ts";
import { checkEffects } from "./effect.ts";
import { changed, evaluate } from "./evaluate.ts";
import { type Finding, finding } from "./finding.ts";
import { checkGalilean, checkHeading, checkMirror } from "./invariance.ts";
import { checkLimits } from "./limits.ts";
import { checkPassive } from "./passive.ts";
import { type Place, type Sample, Sampler } from "./sample.ts";
import { checkSigns } from "./signs.ts";
import { checkContinuous, checkFinite } from "./smooth.ts";
import { checkUnits } from "./units.ts";
import { checkWitnesses } from "./witness.ts";

export type { Finding } from "./finding.ts";

/** All that is found. */
export const check = (vehicle: Vehicle): Finding[] => [...checks(vehicle)];

/** One check after the other, as far as one wants to know. */
export function* checks(vehicle: Vehicle): Generator<Finding> {
  const { model, parameters } = vehicle;
  const exceptions: readonly Exception<unknown>[] = (model.facts?.exceptions ?? []).filter(
    (x) => x.applies?.(parameters as never) ?? true,
  );
  const of = (name: CheckName) => exceptions.filter((x) => x.check === name);
  /** Parameters with which a check is asked to hold. */
  const meant = (name: CheckName) =>
    changed(vehicle, Object.assign({}, ...of(name).map((x) => x.without ?? {})));
  const used = new Set<Exception<unknown>>();
  const skips = (name: CheckName, p: unknown) => (s: Sample) =>
    of(name).some((x) => {
      const isOut = x.outside?.(s.x, s.u, p as never, evaluate(model, p, s).y) ?? false;
      if (isOut) used.add(x);
      return isOut;
    });
  const accepted = (name: CheckName) => (field: string) =>
    of(name).find((x) => x.fields?.test(field))?.reason;
  const places = placesOf(vehicle);
  const sampler = new Sampler(vehicle, 4);
  const samples = Array.from({ length: 15 * places.length }, (_, k) =>
    sampler.sample(places[k % places.length]),
  );
  const asMeant = (
    name: CheckName,
    f: (v: Vehicle, p: unknown, skip: (s: Sample) => boolean) => Finding[],
  ) => {
    const p = meant(name);
    return f({ ...vehicle, parameters: p }, p, skips(name, p));
  };
  yield* checkWitnesses(vehicle);
  yield* checkFinite(vehicle, samples);
  yield* asMeant("balance", (v, _, skip) => checkBalance(v, skip, samples));
  yield* asMeant("galilean", checkGalilean);
  yield* asMeant("heading", checkHeading);
  yield* asMeant("mirror", checkMirror);
  yield* asMeant("passive", checkPassive);
  yield* asMeant("units", (v, _, skip) => checkUnits(v, skip, samples));
  yield* asMeant("density", (v, p, skip) => checkDensity(v, p, skip, places));
  yield* asMeant("limits", (v, p, skip) => checkLimits(v, p, skip, places));
  yield* asMeant("continuous", checkContinuous);
  yield* checkEffects(vehicle, places, accepted("effect"));
  yield* checkSigns(vehicle, accepted("sign"));
  for (const text of model.doubts?.(parameters) ?? []) yield finding("effect", "wrong", text);
  for (const x of exceptions)
    if (used.has(x) || (x.without && actsHere(vehicle, x.without)))
      yield finding(x.check, "accepted", x.reason);
}

const placesOf = ({ model }: Vehicle): readonly Place[] => {
  if (!isRigidBody(model)) return ["free", "slow"];
  return (model.boundarySlots ?? 0) > 0 ? ["free", "low", "ground"] : ["free"];
};

/** An exception matters where the vehicle has what it excepts. */
function actsHere(vehicle: Vehicle, without: Readonly<Record<string, number>>): boolean {
  const now = JSON.stringify(vehicle.parameters);
  return JSON.stringify(changed(vehicle, without)) !== now;
}
