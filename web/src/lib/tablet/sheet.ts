/** The data behind the Tablet and the chart: the finished rounds, as the server sends them. */
import { locale } from "../messages.svelte";
import type { SheetLine as Line } from "../net/protocol.gen";

/** A line of `sheet`, with the fields used here. */
export type SheetLine = Pick<
  Line,
  "size" | "dealer" | "bids" | "scored_bids" | "taken" | "off" | "points" | "totals"
>;

/** One player's result in one round. */
export interface Entry {
  bid: number | null;
  /** The bid that counted, if it differs from the one made. */
  changed: number | null;
  taken: number;
  met: boolean;
  points: number;
  total: number;
  dealt: boolean;
}

export function entry(line: SheetLine, seat: number): Entry {
  const bid = line.bids[seat] ?? null;
  const scored = line.scored_bids[seat] ?? bid;
  const taken = line.taken[seat] ?? 0;
  return {
    bid,
    changed: scored === bid ? null : scored,
    taken,
    met: line.off[seat] === 0,
    points: line.points[seat] ?? 0,
    total: line.totals[seat] ?? 0,
    dealt: line.dealer === seat,
  };
}

/** With a minus sign as wide as the plus, which nobody takes for a dash. */
export function signed(points: number): string {
  return points > 0 ? `+${plain(points)}` : plain(points);
}

export function plain(points: number): string {
  const number = Math.abs(points).toLocaleString(locale());
  return points < 0 ? `−${number}` : number;
}

/** A seat's totals over the rounds, starting at 0. */
export function course(sheet: readonly SheetLine[], seat: number): number[] {
  return [0, ...sheet.map((line) => line.totals[seat] ?? 0)];
}

/** Seats in the first place; nobody leads before the first round is over. */
export function leaders(places: readonly number[], sheet: readonly SheetLine[]): number[] {
  return sheet.length === 0 ? [] : places.flatMap((place, seat) => (place === 1 ? [seat] : []));
}
