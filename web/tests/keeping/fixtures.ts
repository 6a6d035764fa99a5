/** The three rounds of the rulebooks' example, as a sheet. */
import type { Line, Sheet, SheetWelcome, WroteEvent } from "../../src/lib/net/protocol.gen";

export function blank(size: number, dealer: number, players = 3): Line {
  return {
    size,
    dealer,
    bids: Array<null>(players).fill(null),
    bid: Array<boolean>(players).fill(false),
    taken: Array<null>(players).fill(null),
    cloud: null,
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
  points: number[],
  totals: number[],
): Line {
  return { ...blank(size, dealer), bids, bid: bids.map(() => true), taken, points, totals };
}

export const first = line(1, 2, [0, 1, 1], [0, 0, 1], [20, -10, 30], [20, -10, 30]);
export const second = line(2, 0, [2, 0, 0], [1, 0, 1], [-10, 20, -10], [10, 10, 20]);

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
    totals: [10, 10, 20],
    outcome: null,
    yours: [],
    claimed: [false, false, false],
    sealed: false,
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
