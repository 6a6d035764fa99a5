/** The player's cards: their order, and how they lie as a fan. */
import { readCard, suits } from "../cards/card";
import type { CardCode, Suit, Trump } from "../net/protocol.gen";
import type { Settings } from "../settings.svelte";

export interface HeldCard {
  code: CardCode;
  /** Tells the four Wizards apart, and the four Jesters. */
  key: string;
}

export function keyed(codes: readonly CardCode[]): HeldCard[] {
  const seen = new Map<CardCode, number>();
  return codes.map((code) => {
    const count = seen.get(code) ?? 0;
    seen.set(code, count + 1);
    return { code, key: `${code}#${count}` };
  });
}

/** Jesters lie left of the suits; special cards and then Wizards lie right of them. */
function group(code: CardCode): number {
  if (code === "J") return 0;
  if (code === "W") return 3;
  return readCard(code)?.kind === "suit" ? 1 : 2;
}

export function sorted(
  codes: readonly CardCode[],
  order: Settings["sort"],
  trump: Trump | null,
): CardCode[] {
  if (order === "dealt") return [...codes];
  // Trump lies beside the Wizards, so that the strong cards are together.
  const suitRank = (suit: Suit): number => (suit === trump ? suits.length : suits.indexOf(suit));
  return [...codes].sort((a, b) => {
    const [one, other] = [readCard(a), readCard(b)];
    if (one?.kind !== "suit" || other?.kind !== "suit") {
      return group(a) - group(b) || a.localeCompare(b);
    }
    const bySuit = suitRank(one.suit) - suitRank(other.suit);
    const byValue = one.value - other.value;
    return order === "suit" ? bySuit || byValue : byValue || bySuit;
  });
}

export interface Place {
  x: number;
  y: number;
  degrees: number;
}

export interface Fan {
  places: Place[];
  /** How many of them lie in the upper one of two rows. */
  behind: number;
  height: number;
}

export interface FanSpace {
  width: number;
  cardWidth: number;
  cardHeight: number;
  /** How many cards lie in one row at most, if they cover each other. */
  row?: number;
  /** Whether the table needs the height more. */
  low?: boolean;
}

/** The narrowest strip of a covered card that can still be read and tapped. */
const STRIP = 30;
/** How much of a card its corner takes, in card widths. */
const CORNER = 0.33;
const ROW = 10;
/** How much of the upper row shows, in card heights: the whole corner, or all but its letter. */
const SHOWN = 0.665;
const SHOWN_LOW = 0.56;
/** How far the outer cards lean outwards, in card heights. */
const LEAN = 0.16;

/**
 * Where each card of a fan lies: its top left corner relative to the fan's. Up to ten cards lie in one row, more
 * in two overlapping rows, unless there is room for all side by side.
 */
export function fan(
  count: number,
  { width, cardWidth, cardHeight, row = ROW, low = false }: FanSpace,
): Fan {
  const room = width - LEAN * cardHeight;
  const strip = Math.max(STRIP, cardWidth * (row < ROW ? 0.46 : CORNER));
  const fits = (room - cardWidth) / Math.max(1, count - 1) >= strip;
  const rows = count <= row || fits ? 1 : 2;
  const perRow = Math.ceil(count / rows);
  const rowHeight = Math.round(cardHeight * (low ? SHOWN_LOW : SHOWN));
  const places: Place[] = [];
  for (let index = 0; index < count; index++) {
    const at = Math.floor(index / perRow);
    const inRow = at === rows - 1 ? count - perRow * at : perRow;
    const step = Math.min(cardWidth * 0.82, (room - cardWidth) / Math.max(1, perRow - 1));
    const fromMiddle = index - at * perRow - (inRow - 1) / 2;
    const bend = rows === 1 ? Math.min(2.4, 11 / Math.max(1, inRow)) : 0.7;
    places.push({
      x: (width - cardWidth) / 2 + fromMiddle * step,
      y: at * rowHeight + bend * 0.011 * step * fromMiddle ** 2,
      degrees: fromMiddle * bend,
    });
  }
  const lowest = Math.max(0, ...places.map(({ y }) => y));
  const behind = rows === 1 ? 0 : perRow;
  return { places, behind, height: count === 0 ? 0 : Math.ceil(lowest + cardHeight) };
}
