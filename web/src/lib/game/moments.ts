/** What has weight at the table. `Stage` tells it at the moment it is seen; sounds and effects listen. */

/**
 * `trick` is a trick somebody took; `met` and `broken` are about this player's own bid, just reached or
 * exceeded; `won` is their win, once the last result has been seen.
 */
export type Moment =
  "deal" | "trump" | "play" | "trick" | "met" | "broken" | "round" | "game" | "won";

type Listener = (moment: Moment) => void;

const listeners = new Set<Listener>();

/** Call the result to stop listening. */
export function onMoment(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tell(moment: Moment): void {
  for (const listener of listeners) listener(moment);
}
