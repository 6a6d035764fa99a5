/** The game that its player most likely came back for. */
import { listed } from "../after/listed";
import { shownName } from "../former";
import { m } from "../messages.svelte";
import type { TableSummary } from "../net/protocol.gen";

const KEY = "foretold.under-way";
const PLAYED = "foretold.played";

export const isUnfinished = ({ state }: TableSummary): boolean =>
  state !== "over" && state !== "closed";

/** The first in which it is your turn, else the first that has begun, else the first. */
export function toResume(games: readonly TableSummary[]): TableSummary | null {
  const open = games.filter(isUnfinished);
  return (
    open.find(({ your_turn }) => your_turn) ??
    open.find(({ state }) => state === "playing") ??
    open[0] ??
    null
  );
}

export function resumeWords({ seats, your_seat, your_turn, state }: TableSummary): string {
  if (state === "lobby") return m.home_table_waits();
  const others = seats.flatMap((seat, index) =>
    seat.kind === "empty" || index === your_seat ? [] : [shownName(seat.name)],
  );
  const names = listed(others);
  return your_turn ? m.home_turn_against({ names }) : m.home_game_with({ names });
}

/** So that the next visit does not begin by offering a new game; public/early.js reads it. */
export function rememberUnderWay(isOne: boolean): void {
  try {
    if (isOne) localStorage.setItem(KEY, "");
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage, it does.
  }
  if (!isOne) showPicture();
}

/** Nothing takes its place on this visit. */
export function showPicture(): void {
  delete document.documentElement.dataset.underWay;
}

/** So that from the next visit on nobody who has played is told how it goes; public/early.js reads it. */
export function rememberPlayed(): void {
  try {
    localStorage.setItem(PLAYED, "");
  } catch {
    // Without storage, they are told again.
  }
}
