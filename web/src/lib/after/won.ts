/** Who has won, in a sentence. */
import { m } from "../messages.svelte";
import { listed } from "./listed";

/** `yours` if the reader is one of them. */
export function whoWon(winners: readonly string[], yours: boolean): string {
  const shared = winners.length > 1;
  if (yours) return shared ? m.after_you_share() : m.after_you_win();
  const names = listed(winners);
  return shared ? m.after_they_share({ names }) : m.after_they_win({ names });
}
