/** What the address says should fly: #vehicle=x500, or #flight=... of a shared link. */
import { presetNames } from "../src/vehicles/vehicle-file.ts";
import { isElsewhere } from "./crew.ts";
import { unpackFlight } from "./link.ts";
import { studio } from "./studio.ts";

const FIRST = "parafoil";

export async function beginFromAddress(): Promise<void> {
  if (isElsewhere) return;
  const words = new URLSearchParams(location.hash.slice(1));
  const flight = words.get("flight");
  if (flight) {
    try {
      studio.order({ do: "again", log: await unpackFlight(flight) });
      return;
    } catch (error) {
      studio.say("error", (error as Error).message);
      if (studio.shown.begun) return;
    }
  }
  const asked = words.get("vehicle") ?? FIRST;
  const isKnown = presetNames().includes(asked);
  if (!isKnown)
    studio.say(
      "error",
      `There is no vehicle "${asked}". There are ${presetNames().join(", ")}; this is the ${FIRST}.`,
    );
  if (isKnown || !studio.shown.begun) studio.order({ do: "begin", vehicle: isKnown ? asked : FIRST });
}
