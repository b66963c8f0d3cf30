/** A simulation somebody takes part in: flights, sessions, topics. */
export type { TopicInterface, TopicSettings } from "../model/topics.ts";
export type { Command, Query, SessionEvent } from "../session/protocol.ts";
export { Session } from "../session/session.ts";
export type { Action, FlightLog } from "../simulation/flight/action.ts";
export { Flight } from "../simulation/flight/flight.ts";
export { settingsOf, topicsOf } from "../topics/topics-of.ts";
