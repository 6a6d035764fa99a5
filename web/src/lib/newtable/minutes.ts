/** How long a game takes. */

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

/** The game of "Play now": four players, rounds of 1 to 15 cards. */
export const FULL_GAME = minutesOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], 4);
