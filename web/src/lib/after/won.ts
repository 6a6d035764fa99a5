/** How a game ended, in a sentence or two. */
import { m } from "../messages.svelte";
import type { Outcome, Seat } from "../net/protocol.gen";
import { listed } from "./listed";

/** `yours` if the reader is one of them. */
export function whoWon(winners: readonly string[], yours: boolean): string {
  const shared = winners.length > 1;
  if (yours) return shared ? m.after_you_share() : m.after_you_win();
  const names = listed(winners);
  return shared ? m.after_they_share({ names }) : m.after_they_win({ names });
}

/** "Second place"; not for the first, who has won. */
export function placeName(place: number): string {
  const known = (["2", "3", "4", "5"] as const).find((one) => one === String(place));
  return m.after_you_place({ place: known ?? "other" });
}

/** The same, said to somebody who played: their place, and how far from the nearest others, above or below. */
export function howYouEnded(
  you: Seat,
  names: readonly string[],
  totals: readonly number[],
  { winners, places }: Outcome,
): { title: string; words: string | null } {
  const wins = winners.includes(you);
  const title = wins
    ? whoWon(
        winners.map((seat) => names[seat] ?? ""),
        true,
      )
    : placeName(places[you] ?? 0);
  // Those who share the win are level.
  if (wins && winners.length > 1) return { title, words: null };
  const own = totals[you] ?? 0;
  const near = Math.max(...totals.filter((_, seat) => !wins || seat !== you));
  const there = names.filter((_, seat) => seat !== you && totals[seat] === near);
  const told = { count: Math.abs(own - near), names: listed(there) };
  return { title, words: wins ? m.after_ahead(told) : m.after_behind(told) };
}
