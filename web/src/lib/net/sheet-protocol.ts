/** Score sheets, as docs/protocol.md describes them. */
import type { Knock, Outcome, Refusal, Rules, Saving, Seat } from "./protocol";

/** A round on the sheet, as far as it is written. */
export interface Line {
  size: number;
  dealer: Seat;
  /** The seats in the order in which they bid. */
  order: Seat[];
  /** Null where none is made or it is not ours to see. */
  bids: (number | null)[];
  /** Whether a bid is made, seen or not. */
  bid: boolean[];
  /** Whether everyone may see the bids. */
  shown: boolean;
  /** The sum of the bids; null where they are not shown. */
  foretold: number | null;
  /** The bids that counted; null until the round is finished. */
  scored_bids: number[] | null;
  taken: (number | null)[];
  /** Who had to change the bid, and by how much. */
  cloud: [Seat, number] | null;
  /** By how much it can change the bid of each seat; null where there is no Cloud. */
  clouds: number[][] | null;
  bombed: boolean;
  note: string;
  /** Null until the round is finished, as are the totals after it. */
  points: number[] | null;
  totals: number[] | null;
}

export interface Cell {
  cell: "bid" | "taken";
  seat: Seat;
}

/** The numbers for a cell of the current round. */
export interface CellChoices {
  legal: number[];
  /** Why not, for the others. */
  why: Record<number, Refusal>;
  /** For tricks: how many nobody else has claimed. */
  left?: number;
  /** The number that makes the tricks add up, if all others are written. */
  fits?: number | null;
}

export interface Sheet {
  code: string;
  n: number;
  names: string[];
  rules: Rules;
  sizes: number[];
  edition: string | null;
  first_dealer: Seat;
  rounds: Line[];
  /** The round that is written now, from 1; null when the game is over. */
  current: number | null;
  next: Cell | null;
  /** The bid that the dealer may not make now. */
  forbidden: number | null;
  /** What may be written in the current round, by seat; null where nothing may be. */
  cells: Record<Cell["cell"], (CellChoices | null)[]> | null;
  totals: number[];
  /** By points, from 1; equal points share one. */
  places: number[];
  outcome: Outcome | null;
  /** The seats that we have claimed. */
  yours: Seat[];
  claimed: boolean[];
  /** Whether bids are hidden or secret. */
  sealed: boolean;
  /** Whether the Bomb is in the game, which sets a trick aside. */
  bomb: boolean;
  deleted: boolean;
  can_undo: boolean;
  /** The number to undo. */
  last: number | null;
}

export interface SheetYou {
  name: string | null;
  host: boolean;
  /** That of the invitation, for those who may write. */
  key: string | null;
}

interface Stamp {
  n: number;
  at: number;
}

export interface WroteEvent extends Stamp {
  e: "wrote";
  round: number;
  cells: ["bid" | "taken", Seat][];
  by: string;
}

export type SheetEvent =
  | (Stamp & { e: "opened" | "undone" | "admitted" | "deleted" })
  | WroteEvent
  | (Stamp & { e: "renamed"; seat: Seat; name: string })
  | (Stamp & { e: "claimed"; seat: Seat; claimed: boolean });

export interface SheetPresence {
  watching: number;
}

export interface SheetWelcome {
  t: "welcome";
  n: number;
  you: SheetYou;
  sheet: Sheet;
  missed: SheetEvent[];
  presence: SheetPresence;
}

export type SheetServerMessage =
  | SheetWelcome
  | { t: "event"; n: number; event: SheetEvent; sheet?: Partial<Sheet> }
  | { t: "done"; id: string; n: number }
  | ({ t: "refused"; id: string | null } & Refusal)
  | { t: "presence"; presence: SheetPresence }
  | { t: "knocks"; knocks: Knock[] }
  | Saving
  | { t: "pong"; id?: string }
  | { t: "bye"; reason: string };

/** What is written of a round; the rest of it stays as it is. */
export interface Written {
  round: number;
  bids?: Record<Seat, number | null>;
  taken?: Record<Seat, number | null>;
  cloud?: [Seat, number] | null;
  bombed?: boolean;
  note?: string;
}

export type SheetClientMessage =
  | ({ t: "write"; seen: number } & Written)
  | { t: "undo"; n: number }
  | { t: "rename"; seat: Seat; name: string }
  | { t: "claim"; seat: Seat; mine?: boolean }
  | { t: "delete" }
  | { t: "knock" }
  | { t: "let_in"; knock: number; yes: boolean }
  | { t: "sync"; since: number }
  | { t: "ping" };

/** A sheet as the list of them tells it. */
export interface SheetSummary {
  code: string;
  state: "playing" | "over";
  names: string[];
  rules: Rules;
  round: number;
  rounds: number;
  totals: number[];
  places: number[];
  created: number;
  updated: number;
}

/** What somebody has done on all finished sheets. */
export interface PlayerRecord {
  name: string;
  games: number;
  wins: number;
  points: number;
  best: number;
  rounds: number;
  exact: number;
}
