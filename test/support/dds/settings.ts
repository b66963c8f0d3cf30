/** Cyclone's settings: on the loopback interface only. */
export const settings = (multicast: boolean) =>
  `<CycloneDDS><Domain><General><Interfaces><NetworkInterface name="lo" multicast="${multicast}"/></Interfaces>` +
  `<AllowMulticast>${multicast}</AllowMulticast></General>` +
  `${multicast ? "" : '<Discovery><ParticipantIndex>auto</ParticipantIndex><Peers><Peer address="127.0.0.1"/></Peers></Discovery>'}</Domain></CycloneDDS>`;
