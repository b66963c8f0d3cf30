/** A link that repeats the flight bit for bit. */
import { useState } from "preact/hooks";
import { packFlightLog } from "../../src/simulation/flight/flight-log-text.ts";
import { studio, useShown } from "../studio.ts";

/** Longer addresses are truncated by some programs. */
const LONG = 8000;

export function Share() {
  const info = useShown((s) => s.info);
  const [link, setLink] = useState("");
  const [hash, setHash] = useState("");
  if (!info) return <p class="dim">No simulation is running.</p>;
  const make = async () => {
    studio.send({ type: "pause" });
    const log = await studio.session.query({ type: "log" });
    const address = `${location.origin}${location.pathname}#flight=${await packFlightLog(log)}`;
    setLink(address);
    setHash(log.hash);
    await navigator.clipboard?.writeText(address).then(
      () => studio.say("note", "The link was copied to the clipboard."),
      () => {},
    );
  };
  return (
    <>
      <h2>Share this flight</h2>
      <p>
        The link holds the vehicle with every changed number, the scenario with its seed, and every movement
        of the sticks up to this moment. Whoever opens it sees the same flight with the same hash.
      </p>
      <button type="button" class="main" onClick={() => void make()}>
        make a link
      </button>
      {link && (
        <>
          <p>
            <textarea
              readOnly
              aria-label="link"
              value={link}
              onFocus={(event) => event.currentTarget.select()}
            />
          </p>
          <p class="small dim">
            state hash{" "}
            <span class="hash" data-testid="shared-hash">
              {hash}
            </span>
            {link.length > LONG &&
              ` · ${link.length} characters: some programs truncate links of this length`}
          </p>
        </>
      )}
      <h2>Open</h2>
      <p class="dim">
        Drop files anywhere on the page: a vehicle or scenario (YAML), ROS 2 parameters, AVL's ST or SB
        output, a Gazebo model (SDF), a UIUC propeller, or a CSV log.
      </p>
    </>
  );
}
