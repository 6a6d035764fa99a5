/** Who sits where at a game with real cards, before it is written down. */
import { MOST_PLAYERS, type SheetSummary } from "../net/protocol.gen";

export interface Seating {
  /** As many as can ever sit there; those beyond the table's size wait. */
  names: string[];
  /** Who deals first. */
  dealer: number;
  /** The seat of whoever keeps score, while they have no name on this site; null if it is not known. */
  own: number | null;
}

/** Whoever keeps score usually plays too: in the first seat, unless they move. */
export function emptySeating(name: string | null = null): Seating {
  const names = [name ?? "", ...Array<string>(MOST_PLAYERS - 1).fill("")];
  return { names, dealer: 0, own: name === null ? 0 : null };
}

/** Two neighbours swap places; the dealer keeps the deal. */
export function swapped({ names, dealer, own }: Seating, one: number, two: number): Seating {
  const moved = [...names];
  [moved[one], moved[two]] = [names[two] ?? "", names[one] ?? ""];
  const now = (seat: number): number => (seat === one ? two : seat === two ? one : seat);
  return { names: moved, dealer: now(dealer), own: own === null ? null : now(own) };
}

/** Removes a seat; those after it move up. */
export function without({ names, dealer, own }: Seating, seat: number): Seating {
  const left = [...names.filter((_, other) => other !== seat), ""];
  const now = (other: number): number => (other > seat ? other - 1 : other);
  return { names: left, dealer: now(dealer), own: own === null || own === seat ? null : now(own) };
}

/** What whoever keeps score has called themselves; empty if nothing. */
export function ownName({ names, own }: Seating): string {
  return own === null ? "" : (names[own] ?? "").trim();
}

/** Where whoever keeps score sits: where they wrote their own name; null if they did not. */
export function seatOf(name: string, names: readonly string[]): number | null {
  const own = name.trim().toLocaleLowerCase();
  const seat = names.findIndex((there) => there.toLocaleLowerCase() === own);
  return seat < 0 ? null : seat;
}

/** Puts somebody else's name into the first free seat; null if none is free. */
export function withName(seating: Seating, name: string, players: number): Seating | null {
  const free = seating.names.findIndex(
    (there, seat) => there.trim() === "" && seat !== seating.own,
  );
  if (free < 0 || free >= players) return null;
  return { ...seating, names: seating.names.map((there, seat) => (seat === free ? name : there)) };
}

/** The names as sent: empty ones are filled in, and the dealer is at the table. */
export function settled(
  { names, dealer }: Seating,
  players: number,
  nameless: (seat: number) => string,
): Pick<Seating, "names" | "dealer"> {
  return {
    names: names.slice(0, players).map((name, seat) => name.trim() || nameless(seat)),
    dealer: Math.min(dealer, players - 1),
  };
}

/** The seats in play without a name. */
export function nameless({ names }: Seating, players: number): number[] {
  return names.slice(0, players).flatMap((name, seat) => (name.trim() === "" ? [seat] : []));
}

/** The first name that two seats share. */
export function twice(names: readonly string[]): string | null {
  const plain = names.map((name) => name.toLocaleLowerCase());
  return names.find((_, seat) => plain.indexOf(plain[seat] ?? "") < seat) ?? null;
}

/** Everyone from earlier evenings, the latest first, then `others`. */
export function remembered(
  sheets: readonly SheetSummary[],
  others: readonly string[] = [],
  most = 12,
): string[] {
  const latest = [...sheets].sort((a, b) => b.updated - a.updated);
  return [...new Set([...latest.flatMap(({ names }) => names), ...others])].slice(0, most);
}
