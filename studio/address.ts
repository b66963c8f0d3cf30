/** The flight that the address selects: #vehicle=x500, or #flight=... of a shared link. */
import { unpackFlight } from "./link.ts";
import { isElsewhere } from "./session-client.ts";
import { studio } from "./studio.ts";

const FIRST = "parafoil";

export async function beginFromAddress(): Promise<void> {
  if (isElsewhere) return;
  const names = (await catalogue()).map(({ name }) => name);
  const text = new URLSearchParams(location.hash.slice(1));
  const flight = text.get("flight");
  if (flight) {
    try {
      studio.send({ type: "repeat", log: await unpackFlight(flight) });
      return;
    } catch (error) {
      studio.say("error", (error as Error).message);
      if (studio.shown.info) return;
    }
  }
  const asked = text.get("vehicle") ?? FIRST;
  const isKnown = names.includes(asked);
  if (!isKnown)
    studio.say("error", `Unknown vehicle "${asked}"; allowed: ${names.join(", ")}. Showing ${FIRST}.`);
  if (isKnown || !studio.shown.info) studio.send({ type: "start", vehicle: isKnown ? asked : FIRST });
}

/** Vehicles that can be chosen, asked for once. */
async function catalogue() {
  const known = studio.shown.catalogue ?? (await studio.session.query({ type: "catalogue" }));
  studio.set({ catalogue: known });
  return known;
}
