/** The messages between client and server, as docs/protocol.md describes them. */

export type Suit = "B" | "G" | "R" | "Y";
export type Trump = Suit | "none";
/** A card as in the record: `R4`, `W`, `J`, `DR`; with what was announced for it once played: `JU=R`. */
export type CardCode = string;
/** `bid 2`, `play SH=W`, `trump none`, `pass R4`, `cloud +1`. */
export type Action = string;
export type Seat = number;

export interface Refusal {
  code: string;
  params: Record<string, unknown>;
  /** English, for those who have no words of their own for the code. */
  reason: string;
}

export type Level = "novice" | "apprentice" | "adept" | "archmage";
export type TableState = "lobby" | "dealing" | "playing" | "over" | "closed";
export type StandIn = "clock" | "idle" | "absent" | "left";

export type SeatInfo =
  | { kind: "empty" }
  | { kind: "bot"; name: string; level: Level }
  | { kind: "player"; name: string; stand_in: StandIn | null };

export interface TableSettings {
  /** Seconds for a decision. */
  clock: number | null;
  public: boolean;
  spectators: boolean;
  /** Milliseconds that a bot takes for a decision. */
  pace: number;
  /** Whether anyone may take a bot's seat during the game; else the host decides. */
  open: boolean;
  /** Seconds after which, without a clock, a bot plays for whoever keeps others waiting. */
  patience: number | null;
}

/** Every option of the rules; a client only shows them. */
export type RuleValue = string | number | boolean | null | string[];
export type Rules = Record<string, RuleValue>;

export interface Fair {
  scheme: string;
  commitments: string[];
  contribution_commitments: (string | null)[];
  contributions: (string | null)[];
  secrets: (string | null)[];
}

export interface Table {
  code: string;
  state: TableState;
  rules: Rules;
  sizes: number[];
  edition: string | null;
  settings: TableSettings;
  /** The lesson that is taught here. */
  lesson: string | null;
  /** Whether hints are given here. */
  hints: boolean;
  host: Seat | null;
  seats: SeatInfo[];
  fair: Fair;
  /** The names of those whom the host has removed. */
  removed: string[];
  rematch: string | null;
}

export type Phase = "trump" | "bid" | "play" | "pass" | "cloud" | "over";

export interface Trick {
  leader: Seat;
  plays: CardCode[];
  winning: Seat | null;
}

export interface FinishedTrick {
  leader: Seat;
  plays: CardCode[];
  /** Null where a Bomb set the trick aside. */
  winner: Seat | null;
  next_leader: Seat | null;
}

/** One line of the Tablet of Truth. */
export interface SheetLine {
  size: number;
  dealer: Seat;
  turned: CardCode | null;
  trump: Trump | null;
  bids: number[];
  /** The bids after the Cloud's change. */
  scored_bids: number[];
  taken: number[];
  points: number[];
  totals: number[];
}

export interface Outcome {
  winners: Seat[];
  /** The place of every seat, from 1. */
  places: number[];
}

export interface Passed {
  given: CardCode | null;
  received: CardCode | null;
}

export interface View {
  turn: number;
  phase: Phase;
  to_act: Seat[];
  legal: Action[];
  why: Record<Action, Refusal>;
  round: number;
  size: number;
  dealer: Seat;
  hand: CardCode[] | null;
  seen_hands: (CardCode[] | null)[];
  held: number[];
  turned: CardCode | null;
  werewolf: Seat | null;
  trump: Trump | null;
  bids: (number | null)[];
  sealed: boolean[];
  taken: number[];
  trick: Trick | null;
  follow: Suit | null;
  last_trick: FinishedTrick | null;
  passed: Passed | null;
  set_aside: CardCode[];
  /** In the monocolour game, by seat. */
  suits: (Suit | null)[];
  out: CardCode[];
  sheet: SheetLine[];
  totals: number[];
  outcome: Outcome | null;
}

export interface Clock {
  seats: Seat[];
  /** Milliseconds left when the message was sent. */
  left: number;
  of: number;
}

export interface Presence {
  /** By seat; null for a bot. */
  here: (boolean | null)[];
  watching: number;
  clock: Clock | null;
}

export interface You {
  /** Null for a spectator. */
  seat: Seat | null;
  host: boolean;
  name: string | null;
  /** That of the invitation, for those who may pass it on. */
  key: string | null;
}

/** Somebody who asks the host to be let in. */
export interface Knock {
  knock: number;
  name: string;
  /** The seat they would like; null for any. */
  seat: Seat | null;
  /** Whom the server has seen come from the same connection. */
  like: string[];
}

interface Stamp {
  n: number;
  at: number;
}

/** A round that was just dealt. */
export interface NextRound {
  round: number;
  size: number;
  dealer: Seat;
  turned: CardCode | null;
  werewolf: Seat | null;
}

export type By = "player" | "bot" | "stand_in";

export interface ActEvent extends Stamp {
  e: "act";
  seat: Seat;
  by: By;
  /** Only the verb where it is not ours to see. */
  action: Action;
  trick?: FinishedTrick;
  bids?: number[];
  passed?: Passed;
  round?: SheetLine;
  secret?: string;
  next?: NextRound;
  outcome?: Outcome;
}

export type TableEvent =
  | (Stamp & { e: "created" | "settings" | "started" | "closed" | "dealt" })
  | (Stamp & { e: "sat" | "left" | "cleared"; seat: Seat; name: string })
  | (Stamp & { e: "readmitted"; name: string })
  | (Stamp & { e: "bot"; seat: Seat; name: string; level: Level })
  | (Stamp & { e: "revealed" | "back" | "host"; seat: Seat })
  | (Stamp & { e: "stand_in"; seat: Seat; reason: StandIn })
  | (Stamp & { e: "rematch"; code: string })
  | ActEvent;

export interface Welcome {
  t: "welcome";
  n: number;
  you: You;
  table: Table;
  view: View | null;
  missed: TableEvent[];
  presence: Presence;
}

/** Whether the server can save what is done; what it cannot save now, it keeps until it can. */
export interface Saving {
  t: "saving";
  works: boolean;
}

export type ServerMessage =
  | Welcome
  | {
      t: "event";
      n: number;
      event: TableEvent;
      table?: Partial<Table>;
      view?: Partial<View> | null;
    }
  | { t: "done"; id: string; n: number }
  | ({ t: "refused"; id: string | null } & Refusal)
  | { t: "presence"; presence: Presence }
  | { t: "knocks"; knocks: Knock[] }
  | { t: "said"; seat: Seat; phrase: string }
  | Saving
  | { t: "pong"; id?: string }
  | { t: "bye"; reason: string };

/** What a client says, before the store gives it an `id`. */
export type ClientMessage =
  | { t: "act"; turn: number; action: Action }
  | { t: "sit"; seat: Seat; commitment?: string }
  | { t: "commit"; commitment: string }
  | { t: "leave" }
  | { t: "bot"; seat: Seat; level: Level }
  | { t: "clear"; seat: Seat; may_return?: boolean }
  | { t: "host"; seat: Seat }
  | { t: "knock"; seat?: Seat }
  | { t: "let_in"; knock: number; yes: boolean }
  | { t: "readmit"; name: string }
  | { t: "settings"; settings?: Partial<TableSettings>; rules?: Rules }
  | { t: "start" }
  | { t: "reveal"; bytes: string }
  | { t: "back" }
  | { t: "say"; phrase: string }
  | { t: "rematch" }
  | { t: "close" }
  | { t: "sync"; since: number }
  | { t: "ping" };

export type Identified = ClientMessage & { id: string };

/** A table as the lists and `GET /api/tables/CODE` tell it. */
export interface TableSummary {
  code: string;
  state: TableState;
  rules: Rules;
  settings: TableSettings;
  /** The lesson that is taught there. */
  lesson?: string | null;
  seats: SeatInfo[];
  your_seat: Seat | null;
  your_turn: boolean;
  /** That of the invitation, for those who may pass it on. */
  key?: string | null;
  round: number;
  rounds: number;
  totals: number[] | null;
  created: number;
  updated: number;
}
