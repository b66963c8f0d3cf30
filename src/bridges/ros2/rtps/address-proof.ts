/**
 * Proves that a participant listens at its announced address: it receives numbers that only a listener
 * there can know, and counts
 * once it has sent two of them back.
 */
import type { EntityId } from "./ids.ts";
import type { Remote } from "./remotes.ts";

/**
 * How far a number in discovery may be shifted, that is how many there are to guess: Fast DDS counts up to it, about 1 us each.
 * So two of them are asked for, and who is wrong this often begins anew, with others.
 */
export const SHIFTS = 2048;
const ANSWERS = 2;
const MOST_WRONG = 8;

/** Takes an answer to one of the writers of discovery; what follows of it, if anything. */
export function prove(remote: Remote, writer: EntityId, isRight: boolean): "proven" | "refused" | undefined {
  if (remote.answered.has(writer)) return undefined;
  if (!isRight) return ++remote.wrong > MOST_WRONG ? "refused" : undefined;
  remote.answered.add(writer);
  if (remote.answered.size < ANSWERS) return undefined;
  remote.hasAnswered = true;
  return "proven";
}
