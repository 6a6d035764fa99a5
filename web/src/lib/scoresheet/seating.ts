/** Who sits where at a game with real cards, before it is written down. */
import { MOST_PLAYERS, type SheetSummary } from "../net/protocol.gen";

export interface Seating {
  /** As many as can ever sit there; those beyond the table's size wait. */
  names: string[];
  /** Who deals first. */
  dealer: number;
}

export function emptySeating(first = ""): Seating {
  return { names: [first, ...Array<string>(MOST_PLAYERS - 1).fill("")], dealer: 0 };
}

/** Two neighbours swap places; the dealer keeps the deal. */
export function swapped({ names, dealer }: Seating, one: number, two: number): Seating {
  const moved = [...names];
  [moved[one], moved[two]] = [names[two] ?? "", names[one] ?? ""];
  return { names: moved, dealer: dealer === one ? two : dealer === two ? one : dealer };
}

/** Removes a seat; those after it move up. */
export function without({ names, dealer }: Seating, seat: number): Seating {
  const left = [...names.filter((_, other) => other !== seat), ""];
  return { names: left, dealer: dealer > seat ? dealer - 1 : dealer };
}

/** Puts a name into the first free seat; null if none is free. */
export function withName(seating: Seating, name: string, players: number): Seating | null {
  const free = seating.names.findIndex((there) => there.trim() === "");
  if (free < 0 || free >= players) return null;
  return { ...seating, names: seating.names.map((there, seat) => (seat === free ? name : there)) };
}

/** The names as sent: empty ones are filled in, and the dealer is at the table. */
export function settled(
  { names, dealer }: Seating,
  players: number,
  nameless: (seat: number) => string,
): Seating {
  return {
    names: names.slice(0, players).map((name, seat) => name.trim() || nameless(seat)),
    dealer: Math.min(dealer, players - 1),
  };
}

/** The seats of those who play that have no name. */
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
