/** What a sheet looks like, for whoever has none yet: the example of the rulebooks. */
import type { SheetLine } from "../tablet/sheet";

const sheet: readonly SheetLine[] = [
  line(1, 2, [0, 1, 1], [0, 0, 1], [0, -1, 0], [20, -10, 30], [20, -10, 30]),
  line(2, 0, [2, 0, 0], [1, 0, 1], [-1, 0, 1], [-10, 20, -10], [10, 10, 20]),
  line(3, 1, [2, 2, 0], [2, 1, 0], [0, -1, 0], [40, -10, 20], [50, 0, 40]),
];

export const sample = {
  sheet,
  names: ["Ana", "Ben", "Cleo"],
  sizes: [1, 2, 3, 4, 5, 6],
  totals: [50, 0, 40],
  places: [1, 3, 2],
  dealer: 2,
  bids: [1, null, 2],
};

function line(
  size: number,
  dealer: number,
  bids: number[],
  taken: number[],
  off: number[],
  points: number[],
  totals: number[],
): SheetLine {
  return { size, dealer, bids, scored_bids: bids, taken, off, points, totals };
}
