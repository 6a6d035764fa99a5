/** What a finished game says about each player. */
import type { Outcome, Seat } from "../net/protocol.gen";
import { entry, type SheetLine } from "../tablet/sheet";

export interface RoundResult {
  /** From 1. */
  round: number;
  points: number;
}

export interface Standing {
  seat: Seat;
  place: number;
  total: number;
  /** How many bids were met. */
  exact: number;
  best: RoundResult | null;
  worst: RoundResult | null;
}

/** All players, the first place first; ties in seat order. */
export function ranking(
  sheet: readonly SheetLine[],
  totals: readonly number[],
  outcome: Outcome,
): Standing[] {
  return totals
    .map((total, seat) => {
      const results = sheet.map((line, index) => ({
        round: index + 1,
        points: entry(line, seat).points,
      }));
      return {
        seat,
        place: outcome.places[seat] ?? totals.length,
        total,
        exact: sheet.filter((line) => entry(line, seat).met).length,
        best: results.reduce(higher, results[0] ?? null),
        worst: results.reduce(lower, results[0] ?? null),
      };
    })
    .sort((a, b) => a.place - b.place || a.seat - b.seat);
}

function higher(a: RoundResult | null, b: RoundResult): RoundResult {
  return a !== null && a.points >= b.points ? a : b;
}

function lower(a: RoundResult | null, b: RoundResult): RoundResult {
  return a !== null && a.points <= b.points ? a : b;
}
