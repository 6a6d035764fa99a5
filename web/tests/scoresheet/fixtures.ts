/** The three rounds of the rulebooks' example, as a sheet. */
import type {
  CellChoices,
  Line,
  Sheet,
  SheetWelcome,
  WroteEvent,
} from "../../src/lib/net/protocol.gen";

export function blank(size: number, dealer: number, players = 3): Line {
  return {
    size,
    dealer,
    order: Array.from({ length: players }, (_, step) => (dealer + 1 + step) % players),
    bids: Array<null>(players).fill(null),
    bid: Array<boolean>(players).fill(false),
    shown: true,
    foretold: 0,
    scored_bids: null,
    taken: Array<null>(players).fill(null),
    off: Array<null>(players).fill(null),
    numbers: [0, size],
    cloud: null,
    clouds: null,
    bombed: false,
    note: "",
    points: null,
    totals: null,
  };
}

export function line(
  size: number,
  dealer: number,
  bids: number[],
  taken: number[],
  off: number[],
  points: number[],
  totals: number[],
): Line {
  const made = { bids, bid: bids.map(() => true), scored_bids: bids };
  return { ...blank(size, dealer), ...made, taken, off, points, totals };
}

/** A cell that takes numbers up to this one. */
export function free(most: number, rest: Partial<CellChoices> = {}): CellChoices {
  return { legal: Array.from({ length: most + 1 }, (_, number) => number), why: {}, ...rest };
}

export const first = line(1, 2, [0, 1, 1], [0, 0, 1], [0, -1, 0], [20, -10, 30], [20, -10, 30]);
export const second = line(2, 0, [2, 0, 0], [1, 0, 1], [-1, 0, 1], [-10, 20, -10], [10, 10, 20]);

export function sheetOf(changes: Partial<Sheet> = {}): Sheet {
  return {
    code: "KQXMRP",
    n: 9,
    names: ["Ana", "Ben", "Cleo"],
    rules: { players: 3, bidding: "open", specials: [] },
    sizes: [1, 2, 3],
    edition: "amigo",
    first_dealer: 2,
    rounds: [first, second, blank(3, 1)],
    current: 3,
    next: { cell: "bid", seat: 2 },
    forbidden: null,
    cells: { bid: [free(3), free(3), free(3)], taken: [null, null, null] },
    totals: [10, 10, 20],
    places: [2, 2, 1],
    outcome: null,
    yours: [],
    claimed: [false, false, false],
    sealed: false,
    bomb: false,
    cloud_changes: null,
    deleted: false,
    can_undo: true,
    last: 9,
    ...changes,
  };
}

export function welcome(n: number, changes: Partial<SheetWelcome> = {}): SheetWelcome {
  return {
    t: "welcome",
    n,
    you: { name: "Ana", host: true, key: null },
    sheet: sheetOf({ n }),
    missed: [],
    presence: { watching: 1 },
    ...changes,
  };
}

export function wrote(n: number, changes: Partial<WroteEvent> = {}): WroteEvent {
  return { e: "wrote", n, at: n, round: 3, cells: [["bid", 2]], by: "Ben", ...changes };
}
