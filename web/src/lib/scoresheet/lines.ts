/** What can be read off a score sheet. The server says what may be written, and what it means. */
import type { Cell, CellChoices, Line, Refusal, Seat, Sheet } from "../net/protocol.gen";
import type { SheetLine } from "../tablet/sheet";

/** The finished rounds before the first unfinished one, as the Tablet and the chart draw them. */
export function finishedLines(sheet: Sheet): SheetLine[] {
  const finished: SheetLine[] = [];
  for (const { size, dealer, bids, scored_bids, taken, off, points, totals } of sheet.rounds) {
    if (scored_bids === null || points === null || totals === null) break;
    finished.push({
      size,
      dealer,
      bids: numbers(bids),
      scored_bids,
      taken: numbers(taken),
      off: numbers(off),
      points,
      totals,
    });
  }
  return finished;
}

function numbers(values: readonly (number | null)[]): number[] {
  return values.map((value) => value ?? 0);
}

export function currentLine(sheet: Sheet): Line | null {
  return sheet.current === null ? null : (sheet.rounds[sheet.current - 1] ?? null);
}

/** The seat of whoever holds this phone; null if they have not said. */
export function ownSeat({ yours }: Sheet): Seat | null {
  return yours[0] ?? null;
}

/** A bid as it may be shown on a phone that is passed round: its host knows some too early. */
export function shownBid(sheet: Sheet, round: number, seat: Seat): number | "sealed" | null {
  const line = sheet.rounds[round - 1];
  if (line === undefined || !line.bid[seat]) return null;
  const bid = line.bids[seat] ?? null;
  const own = sheet.yours.includes(seat);
  return bid === null || !(own || line.shown) ? "sealed" : bid;
}

/** What may be written in a cell of the current round; null if nothing may. */
export function choicesOf(sheet: Sheet, { cell, seat }: Cell): CellChoices | null {
  return sheet.cells?.[cell][seat] ?? null;
}

export interface Choice {
  number: number;
  /** Why it may not be written. */
  barred: Refusal | null;
  /** The one number that makes the tricks add up. */
  fits: boolean;
}

/** The numbers for a cell, in order. */
export function choices({ legal, why, fits }: CellChoices): Choice[] {
  const offered = legal.map((number) => ({ number, barred: null, fits: number === fits }));
  const barred = Object.entries(why).map(([number, refusal]) => ({
    number: Number(number),
    barred: refusal,
    fits: false,
  }));
  return [...offered, ...barred].sort((a, b) => a.number - b.number);
}
