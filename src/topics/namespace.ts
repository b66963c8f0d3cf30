import type { TopicSettings } from "../model/topics.ts";

/** What may stand in a topic's name. */
const rosName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_");

/** Of a vehicle's topics: its own name unless the settings give one. */
export const namespaceOf = ({ name }: { readonly name: string }, { namespace }: TopicSettings): string =>
  namespace ?? `/${rosName(name)}`;
