/** Who sits where, as seen from one seat: that one at the bottom, the others clockwise from its left. */
import type { ReplayView, Seat, View } from "../net/protocol.gen";

/** The others, starting on the left of `me`. */
export function others(players: number, me: Seat): Seat[] {
  return Array.from({ length: players - 1 }, (_, index) => (me + 1 + index) % players);
}

export interface Spot {
  /** From -1 at the left to 1 at the right. */
  x: number;
  /** From -1 at the top to 1 at the bottom. */
  y: number;
}

/** Where a seat is on the table's edge. */
export function spot(players: number, me: Seat, seat: Seat): Spot {
  if (seat === me) return { x: 0, y: 1 };
  const count = players - 1;
  const index = others(players, me).indexOf(seat);
  if (count === 1) return { x: 0, y: -1 };
  // Along the upper part of the oval, so that the lower corners stay free.
  const from = count === 2 ? 150 : 172;
  const angle = ((from - (index * (2 * from - 180)) / (count - 1)) * Math.PI) / 180;
  return { x: Math.cos(angle), y: -Math.sin(angle) };
}

export interface Place extends Spot {
  /** How far to the side its player sits, from 0 to 1. */
  aside: number;
  /** Of the width, where the others sit in a row, as on a phone. */
  column: number;
  /** Which of them it is in that row; one's own comes last. */
  index: number;
}

/** Towards the edge, so that neighbours on an oval keep apart. */
export function spread(part: number): number {
  return Math.sign(part) * Math.abs(part) ** 0.6;
}

/** With so many others, the cards at both ends lie lower, and the rest in one row above them. */
const CROWD = 4;
const END = 0.22;

/** Where a player's card lies: on their side of the stock, closer to it than they sit. */
export function place(players: number, me: Seat, seat: Seat): Place {
  const { x, y } = spot(players, me, seat);
  const aside = Math.abs(spread(x));
  const count = players - 1;
  if (seat === me) return { x, y: spread(y), aside, index: count, column: 0.5 };
  const index = others(players, me).indexOf(seat);
  const end = index === 0 || index === count - 1;
  const high = count < CROWD ? spread(y) : end ? END : -1;
  return { x, y: high, aside, index, column: (index + 0.5) / count };
}

/** The seats of a trick with their cards, in the order of play. */
export function played<Card>(
  plays: readonly Card[],
  leader: Seat,
  players: number,
): { seat: Seat; card: Card }[] {
  return plays.map((card, index) => ({ seat: (leader + index) % players, card }));
}

/** Identifies each trick of the game. */
export function trickNumber({ finished, sheet }: View | ReplayView): number {
  return sheet.length * 100 + finished;
}
