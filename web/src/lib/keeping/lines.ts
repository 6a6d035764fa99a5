/** Values derived from a score sheet. Points, and what may be written, come from the server. */
import type { Seat } from "../net/protocol";
import type { Cell, Line, Sheet } from "../net/sheet-protocol";
import type { SheetLine } from "../tablet/sheet";

/** The finished rounds before the first unfinished one, as the Tablet and the chart draw them. */
export function finishedLines(sheet: Sheet): SheetLine[] {
  const finished: SheetLine[] = [];
  for (const line of sheet.rounds) {
    if (line.points === null || line.totals === null) break;
    finished.push({
      size: line.size,
      dealer: line.dealer,
      bids: numbers(line.bids),
      scored_bids: scoredBids(line),
      taken: numbers(line.taken),
      points: line.points,
      totals: line.totals,
    });
  }
  return finished;
}

function numbers(values: readonly (number | null)[]): number[] {
  return values.map((value) => value ?? 0);
}

function scoredBids(line: Line): number[] {
  const bids = numbers(line.bids);
  if (line.cloud === null) return bids;
  const [changed, change] = line.cloud;
  return bids.map((bid, seat) => (seat === changed ? bid + change : bid));
}

export function currentLine(sheet: Sheet): Line | null {
  return sheet.current === null ? null : (sheet.rounds[sheet.current - 1] ?? null);
}

/** The seats in bidding order: left of the dealer first. */
export function turns(line: Line): Seat[] {
  const players = line.bids.length;
  return line.bids.map((_, step) => (line.dealer + 1 + step) % players);
}

/** A bid as it may be shown on a phone that is passed around. */
export function shownBid(sheet: Sheet, round: number, seat: Seat): number | "sealed" | null {
  const line = sheet.rounds[round - 1];
  if (line === undefined || !line.bid[seat]) return null;
  const bid = line.bids[seat] ?? null;
  const own = sheet.yours.includes(seat);
  return bid === null || !(own || isOpen(sheet, line)) ? "sealed" : bid;
}

/** Whether a round's bids are open; the host knows some earlier, and must not show them. */
export function isOpen(sheet: Sheet, line: Line): boolean {
  if (!sheet.sealed || line.points !== null) return true;
  return sheet.rules.bidding === "hidden" && line.bid.every(Boolean);
}

/** The total of the bids so far; null while they are sealed. */
export function foretold(sheet: Sheet, line: Line): number | null {
  return isOpen(sheet, line) ? sum(line.bids) : null;
}

/** How many tricks are not entered yet; the cell in question does not count. */
export function tricksLeft(line: Line, without: Seat | null = null): number {
  const others = line.taken.filter((_, seat) => seat !== without);
  return line.size - Number(line.bombed) - sum(others);
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

export interface Choice {
  number: number;
  barred: "forbidden" | "too_many" | null;
  /** The one number that makes the tricks add up. */
  fits: boolean;
}

/** The numbers for a cell of the current round. */
export function choices(sheet: Sheet, line: Line, { cell, seat }: Cell): Choice[] {
  const left = tricksLeft(line, seat);
  const lastOne = line.taken.every((taken, other) => other === seat || taken !== null);
  return Array.from({ length: line.size + 1 }, (_, number) => {
    if (cell === "bid") {
      const forbidden = seat === line.dealer && number === sheet.forbidden;
      return { number, barred: forbidden ? "forbidden" : null, fits: false };
    }
    return {
      number,
      barred: number > left ? "too_many" : null,
      fits: lastOne && number === left,
    };
  });
}

/** Whether this number is the last one the round needs. */
export function finishes(line: Line, { cell, seat }: Cell): boolean {
  return (
    cell === "taken" &&
    line.points === null &&
    line.taken.every((taken, other) => other === seat || taken !== null)
  );
}

/** Whether the Cloud can change a bid like that, as far as we may know. */
export function cloudFits(sheet: Sheet, line: Line, seat: Seat, change: number): boolean {
  const bid = line.bids[seat] ?? null;
  if (bid === null || !isOpen(sheet, line)) return true;
  return bid + change >= 0 && bid + change <= line.size;
}

export function has(sheet: Sheet, special: "CL" | "BO"): boolean {
  const { specials } = sheet.rules;
  return Array.isArray(specials) && specials.includes(special);
}

/** Places by points, from 1; equal points share one. */
export function places(totals: readonly number[]): number[] {
  return totals.map((total) => 1 + totals.filter((other) => other > total).length);
}
