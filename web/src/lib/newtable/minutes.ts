/** How long a game takes. */
import { STANDARD_PLAYERS, STANDARD_SIZES } from "../net/protocol.gen";

/** Seconds for a card, and for the dealing, bidding and counting of a round: as people play. */
const CARD = 3.5;
const ROUND = 30;
const STEP = 5;

/** In steps of five, as nobody looks at the clock. */
export function minutesOf(sizes: readonly number[], players: number): number {
  const cards = players * sizes.reduce((sum, size) => sum + size, 0);
  const minutes = (cards * CARD + sizes.length * ROUND) / 60;
  return Math.max(STEP, Math.round(minutes / STEP) * STEP);
}

/** The game of "Play now". */
export const FULL_GAME = minutesOf(STANDARD_SIZES, STANDARD_PLAYERS);
