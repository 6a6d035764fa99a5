/**
 * The messages between client and server. Made from src/foretold/protocol by `make protocol`, so
 * change them there.
 */

export type Seat = number;

export type Suit = "B" | "G" | "R" | "Y";

export type Trump = "B" | "G" | "R" | "Y" | "none";

/** A card as in the record: `R4`, `W`, `J`, `DR`; once played with what was announced for it: `JU=R`. */
export type CardCode = string;

/** `bid 2`, `play SH=W`, `trump none`, `pass R4`, `cloud +1`. */
export type Action = string;

/** Milliseconds since 1970. */
export type Moment = number;

/** Of a table or score sheet: six letters. */
export type Code = string;

/** Of an invitation, for those who may pass it on. */
export type Key = string;

export type Hexadecimal = string;

/** While `dealing`, the players' contributions are being collected. */
export type TableState = "lobby" | "dealing" | "playing" | "over" | "closed";

/** Why a bot plays for somebody: their time was up, they kept others waiting, lost the connection, or left. */
export type StandIn = "clock" | "idle" | "absent" | "left";

export type By = "player" | "bot" | "stand_in";

export type RuleValue = string | number | boolean | string[] | null;

/** Options as in a record; of a new table also `edition`, a preset that the others override. */
export type Rules = Record<string, RuleValue>;

/** As in docs/records.md. */
export type GameRecord = Record<string, unknown>;

export type Level = "novice" | "apprentice" | "adept" | "archmage";

export type Phase = "trump" | "bid" | "play" | "pass" | "cloud" | "over";

/** In a replay, `deal` between two rounds. */
export type ReplayPhase =
  | "deal"
  | "trump"
  | "bid"
  | "play"
  | "pass"
  | "cloud"
  | "over";

export type Answer = "verified" | "false" | "not verifiable" | "under way";

export type SeatInfo = EmptySeat | BotSeat | PlayerSeat;

export type TableEvent =
  | CreatedEvent
  | SatEvent
  | LeftEvent
  | BotEvent
  | ClearedEvent
  | ReadmittedEvent
  | HostEvent
  | SettingsEvent
  | CommittedEvent
  | StartedEvent
  | RevealedEvent
  | DealtEvent
  | ActEvent
  | StandInEvent
  | BackEvent
  | RematchEvent
  | ClosedEvent;

export type ReplayEvent = ActEvent | DealEvent;

export type TableMessage =
  | Act
  | Sit
  | Leave
  | SeatBot
  | Clear
  | Readmit
  | Host
  | Change
  | Commit
  | Start
  | Reveal
  | Back
  | Rematch
  | Close
  | Knock
  | LetIn
  | Say
  | Sync
  | Ping;

export type ServerMessage =
  | Welcome
  | Happened
  | Done
  | RefusedTold
  | PresenceTold
  | Knocks
  | SaidTold
  | Saving
  | Pong
  | Bye;

export type CellKind = "bid" | "taken";

export type SheetEvent =
  | OpenedEvent
  | WroteEvent
  | UndoneEvent
  | RenamedEvent
  | ClaimedEvent
  | AdmittedEvent
  | DeletedEvent;

export type SheetMessage =
  | Write
  | Undo
  | Rename
  | Claim
  | Delete
  | Knock
  | LetIn
  | Sync
  | Ping;

export type SheetServerMessage =
  | SheetWelcome
  | SheetHappened
  | Done
  | RefusedTold
  | SheetPresenceTold
  | Knocks
  | Saving
  | Pong
  | Bye;

export type Grade = "best" | "good" | "slip" | "mistake" | "costly";

/** The least and the most. */
export type Range = [number, number];

/** Why something was not done. */
export interface Refusal {
  /** For programs and translators; each has one meaning. */
  code: string;
  params: Record<string, unknown>;
  /** English, for those who have no words of their own for the code. */
  reason: string;
}

/** What the host decides besides the rules. */
export interface TableSettings {
  /** Seconds for a decision; null for no clock. From 5 to 600. */
  clock: number | null;
  /** Whether the table is listed for everyone. */
  public: boolean;
  /** Whether those without a seat see the game before it is over. */
  spectators: boolean;
  /** Milliseconds that bots let pass before they decide. From 0 to 3000. */
  pace: number;
  /** Whether anyone who may look may take a bot's seat during the game; else the host decides. */
  open: boolean;
  /** Seconds after which, without a clock, a bot plays for whoever keeps others waiting; null for never. From 5 to 3600. */
  patience: number | null;
}

/** A seat that waits for somebody. */
export interface EmptySeat {
  kind: "empty";
}

/** A bot's seat. */
export interface BotSeat {
  kind: "bot";
  name: string;
  level: Level;
}

/** A person's seat. */
export interface PlayerSeat {
  kind: "player";
  /** Empty for a former player, who was erased. */
  name: string;
  /** Why a bot plays for them, if one does. */
  stand_in: StandIn | null;
}

/** How the deals can be checked, in hexadecimal (docs/records.md). */
export interface Fair {
  scheme: string;
  /** To the server's secrets: of the set-up, then of every round. */
  commitments: string[];
  /** To the players' contributions, by seat. */
  contribution_commitments: (string | null)[];
  contributions: (string | null)[];
  /** As rounds end. */
  secrets: (string | null)[];
}

/** A table as everyone there may know it. */
export interface Table {
  code: Code;
  state: TableState;
  /** Every option. */
  rules: Rules;
  /** The cards of each round. */
  sizes: number[];
  /** The preset that the rules began from. */
  edition: string | null;
  /** The lesson that is taught here. */
  lesson: string | null;
  /** Whether hints are given here: to the one person of a game against bots. */
  hints: boolean;
  settings: TableSettings;
  /** The host's seat. While the host is away it is the first player who is not. */
  host: Seat | null;
  /** By seat; with `stand_in` a bot plays for a player. */
  seats: SeatInfo[];
  fair: Fair;
  /** The names of those whom the host has removed. */
  removed: string[];
  /** The next table of these people. */
  rematch: Code | null;
}

/** A decision that must be made in time. */
export interface Clock {
  seats: Seat[];
  /** Milliseconds left when the message was sent. */
  left: number;
  /** Milliseconds in all. */
  of: number;
}

/** Who is at a table now. */
export interface Presence {
  /** By seat; null for a bot and an empty seat. */
  here: (boolean | null)[];
  /** How many look on without a seat. */
  watching: number;
  clock: Clock | null;
}

/** Who somebody is at a table. */
export interface You {
  /** Null for a spectator. */
  seat: Seat | null;
  host: boolean;
  name: string | null;
  key: Key | null;
}

/** Somebody who asks the host to be let in. */
export interface Knocking {
  /** The number to answer by. */
  knock: number;
  name: string;
  /** The seat they would like; null for any. */
  seat: Seat | null;
  /** Whom the server has seen come from the same connection. */
  like: string[];
}

/** A table as lists tell it. */
export interface TableSummary {
  code: Code;
  state: TableState;
  rules: Rules;
  settings: TableSettings;
  host: Seat | null;
  seats: SeatInfo[];
  your_seat: Seat | null;
  your_turn: boolean;
  key: Key | null;
  /** From 1; 0 before the first. */
  round: number;
  rounds: number;
  /** By seat; null before the game. */
  totals: number[] | null;
  created: Moment;
  updated: Moment;
  lesson: string | null;
}

/** The trick that is being played. */
export interface Trick {
  leader: Seat;
  plays: CardCode[];
  winning: Seat | null;
}

/** A trick that is over. */
export interface FinishedTrick {
  leader: Seat;
  plays: CardCode[];
  /** Null where a Bomb set the trick aside. */
  winner: Seat | null;
  next_leader: Seat | null;
}

/** One line of the Tablet of Truth: a finished round. */
export interface SheetLine {
  size: number;
  dealer: Seat;
  turned: CardCode | null;
  trump: Trump;
  bids: number[];
  /** The bids after the Cloud's change. */
  scored_bids: number[];
  taken: number[];
  points: number[];
  totals: number[];
}

/** How a game ended. */
export interface Outcome {
  winners: Seat[];
  /** The place of every seat, from 1. */
  places: number[];
}

/** Your Juggler pass. */
export interface Passed {
  given: CardCode;
  /** Null until everyone has passed. */
  received: CardCode | null;
}

/** A round that was just dealt. */
export interface NextRound {
  round: number;
  size: number;
  dealer: Seat;
  turned: CardCode | null;
  /** The seat that swapped the Werewolf for it. */
  werewolf: Seat | null;
}

/** What a seat, or a spectator, may know of the game now. */
export interface View {
  /** Rises with every decision that others must wait for; actions name it. */
  turn: number;
  /** The seats that must decide now; several where all decide at once. */
  to_act: Seat[];
  /** From 1. Between two rounds the view is that of the new one. */
  round: number;
  /** The cards of the round. */
  size: number;
  dealer: Seat;
  /** The number of cards in every hand. */
  held: number[];
  /** The turned-up card. */
  turned: CardCode | null;
  /** The seat that swapped the Werewolf for it. */
  werewolf: Seat | null;
  /** Null until it is named. */
  trump: Trump | null;
  /** Tricks by seat. */
  taken: number[];
  trick: Trick | null;
  /** The suit that must be followed. */
  follow: Suit | null;
  /** Before the first trick of a round the last of the round before. */
  last_trick: FinishedTrick | null;
  /** Cards that the Bomb set aside. */
  set_aside: CardCode[];
  /** Cards out of the two-player game. */
  out: CardCode[];
  /** The finished rounds. */
  sheet: SheetLine[];
  /** Points by seat. */
  totals: number[];
  outcome: Outcome | null;
  /** What you may do now. */
  legal: Action[];
  /** Why not, for the cards and bids that you may not choose now. */
  why: Record<Action, Refusal>;
  /** Your cards in order; null for spectators, and under clairvoyance until all have bid. */
  hand: CardCode[] | null;
  /** Under clairvoyance the others' hands by seat, else nulls. */
  seen_hands: (CardCode[] | null)[];
  /** By seat; null if not made or not shown. */
  bids: (number | null)[];
  /** By seat, whether a bid is made but not shown. */
  sealed: boolean[];
  /** Your Juggler pass. */
  passed: Passed | null;
  /** Each seat's own suit in the monocolour game. */
  suits: (Suit | null)[];
  phase: Phase;
}

/** A view in a replay; `legal` and `why` are empty. */
export interface ReplayView {
  /** Rises with every decision that others must wait for; actions name it. */
  turn: number;
  /** The seats that must decide now; several where all decide at once. */
  to_act: Seat[];
  /** From 1. Between two rounds the view is that of the new one. */
  round: number;
  /** The cards of the round. */
  size: number;
  dealer: Seat;
  /** The number of cards in every hand. */
  held: number[];
  /** The turned-up card. */
  turned: CardCode | null;
  /** The seat that swapped the Werewolf for it. */
  werewolf: Seat | null;
  /** Null until it is named. */
  trump: Trump | null;
  /** Tricks by seat. */
  taken: number[];
  trick: Trick | null;
  /** The suit that must be followed. */
  follow: Suit | null;
  /** Before the first trick of a round the last of the round before. */
  last_trick: FinishedTrick | null;
  /** Cards that the Bomb set aside. */
  set_aside: CardCode[];
  /** Cards out of the two-player game. */
  out: CardCode[];
  /** The finished rounds. */
  sheet: SheetLine[];
  /** Points by seat. */
  totals: number[];
  outcome: Outcome | null;
  /** What you may do now. */
  legal: Action[];
  /** Why not, for the cards and bids that you may not choose now. */
  why: Record<Action, Refusal>;
  /** Your cards in order; null for spectators, and under clairvoyance until all have bid. */
  hand: CardCode[] | null;
  /** Under clairvoyance the others' hands by seat, else nulls. */
  seen_hands: (CardCode[] | null)[];
  /** By seat; null if not made or not shown. */
  bids: (number | null)[];
  /** By seat, whether a bid is made but not shown. */
  sealed: boolean[];
  /** Your Juggler pass. */
  passed: Passed | null;
  /** Each seat's own suit in the monocolour game. */
  suits: (Suit | null)[];
  phase: ReplayPhase;
  /** All hands by seat, in the open replay. */
  hands?: CardCode[][];
}

/** The table was made. */
export interface CreatedEvent {
  e: "created";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
}

/** Somebody sat down, or took over the seat of a bot or of one who has left. */
export interface SatEvent {
  e: "sat";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
  name: string;
}

/** Somebody left, in the lobby. */
export interface LeftEvent {
  e: "left";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
  name: string;
}

/** A bot took a seat. */
export interface BotEvent {
  e: "bot";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
  name: string;
  level: Level;
}

/** The host cleared a seat; in a game a bot has it now. */
export interface ClearedEvent {
  e: "cleared";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
  name: string;
}

/** Those removed under that name may come back. */
export interface ReadmittedEvent {
  e: "readmitted";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  name: string;
}

/** The host from now on. */
export interface HostEvent {
  e: "host";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
}

/** Settings or rules changed. */
export interface SettingsEvent {
  e: "settings";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
}

/** A player committed to a contribution to the shuffle. */
export interface CommittedEvent {
  e: "committed";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
}

/** The game was started; contributions are being collected. */
export interface StartedEvent {
  e: "started";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
}

/** A player's contribution is in. */
export interface RevealedEvent {
  e: "revealed";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
}

/** The contributions are in: the first round is dealt. */
export interface DealtEvent {
  e: "dealt";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
}

/** A decision, and what came of it. */
export interface ActEvent {
  e: "act";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
  by: By;
  /** Whole, or only its verb (`bid`, `pass`) where it is not yours to see. */
  action: Action;
  /** It finished this trick. */
  trick?: FinishedTrick;
  /** All bids are in, and shown. */
  bids?: number[];
  /** Everyone has passed; null for spectators. */
  passed?: Passed | null;
  /** The round is over. */
  round?: SheetLine;
  /** Of that round's deal. */
  secret?: string;
  /** The next round is dealt. */
  next?: NextRound;
  /** The game is over. */
  outcome?: Outcome;
}

/** A bot plays for somebody from now on. */
export interface StandInEvent {
  e: "stand_in";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
  reason: StandIn;
}

/** A player is back; no bot plays for them any more. */
export interface BackEvent {
  e: "back";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
}

/** The next table of these people was made. */
export interface RematchEvent {
  e: "rematch";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  code: Code;
}

/** The table was closed. */
export interface ClosedEvent {
  e: "closed";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
}

/** All that is told of an event, before the game is over, to someone without a seat where spectators are not welcome. */
export interface HiddenEvent {
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  e: string;
}

/** In a replay: the next round is dealt, as a step of its own. */
export interface DealEvent {
  e: "deal";
  round: number;
  size: number;
  dealer: Seat;
  turned: CardCode | null;
  /** The seat that swapped the Werewolf for it. */
  werewolf: Seat | null;
  n: number;
  at: Moment;
}

/** The seat on turn. An old `turn` is `stale`. */
export interface Act {
  t: "act";
  id: string;
  turn: number;
  action: string;
}

/** Anyone without a seat: an empty seat or a bot's in the lobby. In a game, a bot's or that of one who has left where `settings.open`; whoever has had a seat may only return to that one. Else, and for those who come from the same address as one who was removed or, in a game, as one of its players: `not_let_in`. */
export interface Sit {
  t: "sit";
  id: string;
  seat: Seat;
  commitment?: Hexadecimal;
}

/** A seated player. In a game a bot stands in, and the seat is theirs (`back`) until somebody else sits down. */
export interface Leave {
  t: "leave";
  id: string;
}

/** The host, in the lobby: an empty seat or another bot. */
export interface SeatBot {
  t: "bot";
  id: string;
  seat: Seat;
  level: Level;
}

/** The host: removes a player, who cannot sit down again, and in the lobby a bot; in a game a bot plays on. With `may_return` the seat is only freed: in a game while a bot plays for its player (else `not_away`), who has it again by `back` unless somebody else was faster. */
export interface Clear {
  t: "clear";
  id: string;
  seat: Seat;
  may_return?: boolean;
}

/** The host: those removed under that name may sit down again. */
export interface Readmit {
  t: "readmit";
  id: string;
  name: string;
}

/** The host: makes another player the host. */
export interface Host {
  t: "host";
  id: string;
  seat: Seat;
}

/** The host; `rules`, as for a new table, in the lobby only. */
export interface Change {
  t: "settings";
  id: string;
  /** Those that change. */
  settings?: Partial<TableSettings> | null;
  rules?: Rules | null;
}

/** A seated player who has given no commitment, in the lobby. */
export interface Commit {
  t: "commit";
  id: string;
  commitment: Hexadecimal;
}

/** The host, when no seat is empty. */
export interface Start {
  t: "start";
  id: string;
}

/** A seat that gave a commitment, after `started`. */
export interface Reveal {
  t: "reveal";
  id: string;
  bytes: Hexadecimal;
}

/** A player for whom a bot stands in; any `act` says so too. */
export interface Back {
  t: "back";
  id: string;
}

/** A seated player; five at once, then one in two seconds. */
export interface Say {
  t: "say";
  id: string;
  phrase: string;
}

/** Anyone without a seat: asks the host for one; at a score sheet, to write. It is answered when the host has decided: `done`, or `turned_down`. Leaving takes it back. */
export interface Knock {
  t: "knock";
  id: string;
  /** Which is wanted at a table; null for any. */
  seat?: Seat | null;
}

/** The host: grants what was asked for, at a table that seat or another that is free; or not, with `yes` false. */
export interface LetIn {
  t: "let_in";
  id: string;
  knock: number;
  yes?: boolean;
}

/** A seated player, after the game. */
export interface Rematch {
  t: "rematch";
  id: string;
}

/** The host, in the lobby. */
export interface Close {
  t: "close";
  id: string;
}

/** Anyone: asks for a `welcome`. */
export interface Sync {
  t: "sync";
  id: string;
  /** The last number seen. */
  since?: number | null;
}

/** Anyone. */
export interface Ping {
  t: "ping";
  id: string;
}

/** All there is to know: a client forgets what it had and takes this. It comes first, again after `sync`, and whenever who you are at the table changes. */
export interface Welcome {
  t: "welcome";
  /** The number of the last event. */
  n: number;
  you: You;
  table: Table;
  /** Null before the game, and where spectators are not welcome. */
  view: View | null;
  /** The events after `since`, at most the last hundred. */
  missed: TableEvent[];
  presence: Presence;
}

/** Something happened. A number already seen is to be ignored, and a gap answered with `sync`. `table` and `view` have the top-level fields that changed and are laid over what the client has; if it has no view yet, `view` is whole. */
export interface Happened {
  t: "event";
  n: number;
  event: TableEvent;
  table?: Partial<Table>;
  view?: Partial<View>;
}

/** The same where spectators are not welcome, for those without a seat. */
export interface HiddenHappened {
  t: "event";
  n: number;
  event: HiddenEvent;
  table?: Partial<Table>;
}

/** What you asked with that `id` is written down for good, as number `n`; if all was so already, nothing is written, and `n` is the last number. */
export interface Done {
  t: "done";
  id: string;
  n: number;
}

/** What you asked with that `id` is not done; with a null `id` it is about being here at all. */
export interface RefusedTold {
  t: "refused";
  id: string | null;
  code: string;
  params: Record<string, unknown>;
  reason: string;
}

/** Who is there, and the clock. */
export interface PresenceTold {
  t: "presence";
  presence: Presence;
}

/** To the host: all who ask to be let in now. After a `welcome` nothing is told of it where nobody asks. */
export interface Knocks {
  t: "knocks";
  knocks: Knocking[];
}

/** Somebody says one of the phrases. */
export interface SaidTold {
  t: "said";
  seat: Seat;
  phrase: string;
}

/** Whether the server can save now. What was asked while it cannot is kept, and answered by `done` once it is saved. A connection that hears nothing of it after its `welcome` may take it that saving works. */
export interface Saving {
  t: "saving";
  works: boolean;
}

/** The answer to `ping`. */
export interface Pong {
  t: "pong";
}

/** The server stops; come back in a moment. */
export interface Bye {
  t: "bye";
  reason: string;
}

/** A cell of the sheet. */
export interface Cell {
  cell: CellKind;
  seat: Seat;
}

/** A round on the sheet, as far as it is written. */
export interface Line {
  size: number;
  dealer: Seat;
  /** The seats in the order in which they bid. */
  order: Seat[];
  /** Null where none is made or it is not yours to see. */
  bids: (number | null)[];
  /** Whether a bid is made, seen or not. */
  bid: boolean[];
  /** Whether everyone may see the bids. */
  shown: boolean;
  /** The sum of the bids; null until they are shown. */
  foretold: number | null;
  /** The bids after the Cloud; null until the round is finished. */
  scored_bids: number[] | null;
  taken: (number | null)[];
  /** Who had to change the bid, and by how much. */
  cloud: [Seat, number] | null;
  /** By seat, by how much the Cloud can change the bid; null where there is no Cloud. */
  clouds: number[][] | null;
  bombed: boolean;
  note: string;
  /** Null until the round is finished, as are the totals after it. */
  points: number[] | null;
  totals: number[] | null;
}

/** The numbers for a cell of the current round. A legal number of tricks can still be answered by `bomb_asked`. */
export interface CellChoices {
  legal: number[];
  /** Why not, for the other numbers. */
  why: Record<number, Refusal>;
  /** For tricks: how many nobody else has claimed. */
  left?: number;
  /** For tricks: the number with which they add up, once all others are written. */
  fits?: number | null;
}

/** What may be written in the current round, by seat; null where nothing may be. */
export interface Cells {
  bid: (CellChoices | null)[];
  taken: (CellChoices | null)[];
}

/** A score sheet, as somebody may see it. */
export interface Sheet {
  code: Code;
  /** The number of the last entry. */
  n: number;
  names: string[];
  rules: Rules;
  sizes: number[];
  edition: string | null;
  first_dealer: Seat;
  rounds: Line[];
  /** The round that is written now, from 1; null when the game is over. */
  current: number | null;
  /** What is written next. */
  next: Cell | null;
  /** The bid that the dealer may not make now. */
  forbidden: number | null;
  /** Null when the game is over. */
  cells: Cells | null;
  totals: number[];
  /** By points, from 1; equal points share one. */
  places: number[];
  outcome: Outcome | null;
  /** The seats that you have claimed. */
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

/** Who somebody is at a sheet. */
export interface SheetYou {
  name: string | null;
  host: boolean;
  /** Null for those who may not write. */
  key: Key | null;
}

/** Who looks at a sheet now. */
export interface SheetPresence {
  watching: number;
}

/** The sheet was opened. */
export interface OpenedEvent {
  e: "opened";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
}

/** Somebody wrote; what, the sheet says. */
export interface WroteEvent {
  e: "wrote";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  round: number;
  cells: [CellKind, Seat][];
  by: string;
}

/** The last entry was taken back. */
export interface UndoneEvent {
  e: "undone";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
}

/** A player on the sheet has another name. */
export interface RenamedEvent {
  e: "renamed";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
  name: string;
}

/** Somebody sits there, or no longer does. */
export interface ClaimedEvent {
  e: "claimed";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
  seat: Seat;
  claimed: boolean;
}

/** Somebody may write from now on. */
export interface AdmittedEvent {
  e: "admitted";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
}

/** The sheet was deleted; sockets are closed with 4000. */
export interface DeletedEvent {
  e: "deleted";
  /** Its number, which rises by one. */
  n: number;
  at: Moment;
}

/** A sheet as lists tell it. */
export interface SheetSummary {
  code: Code;
  state: "playing" | "over";
  names: string[];
  rules: Rules;
  round: number;
  rounds: number;
  totals: number[];
  places: number[];
  /** Bids met, by seat. */
  met: number[];
  created: Moment;
  updated: Moment;
}

/** What somebody has done on all finished sheets. */
export interface PlayerRecord {
  name: string;
  games: number;
  wins: number;
  points: number;
  best: number;
  rounds: number;
  /** Bids met. */
  exact: number;
}

/** All of it is written, or nothing; what is left out stays as it is. A cell that somebody else has written since `seen` is `cell_taken`, `cell_cleared` or `cell_sealed`. */
export interface Write {
  t: "write";
  id: string;
  /** The last number that you have seen of this sheet. */
  seen: number;
  round: number;
  /** By seat; null rubs a cell out. */
  bids?: Record<number, number | null>;
  taken?: Record<number, number | null>;
  /** Who had to change the bid by the Cloud, and by +1 or -1; null: nobody. */
  cloud?: [Seat, number] | null;
  bombed?: boolean;
  note?: string;
}

/** Takes the last entry back. */
export interface Undo {
  t: "undo";
  id: string;
  /** Which it is, as the writer sees it. */
  n: number;
}

/** Gives a player on the sheet another name. */
export interface Rename {
  t: "rename";
  id: string;
  seat: Seat;
  name: string;
}

/** Says that you sit there, or no longer do; sealed bids are then entered by you alone. With `mine` false the host frees anybody's seat. */
export interface Claim {
  t: "claim";
  id: string;
  seat: Seat;
  mine?: boolean;
}

/** The host. Everyone is told by the event, and their sockets are closed with 4000; whoever comes later is refused with `sheet_deleted`. */
export interface Delete {
  t: "delete";
  id: string;
}

/** All there is to know of a sheet. */
export interface SheetWelcome {
  t: "welcome";
  n: number;
  you: SheetYou;
  sheet: Sheet;
  missed: SheetEvent[];
  presence: SheetPresence;
}

/** Something happened; `sheet` has the top-level fields that changed. */
export interface SheetHappened {
  t: "event";
  n: number;
  event: SheetEvent;
  sheet: Partial<Sheet>;
}

/** Who looks at the sheet. */
export interface SheetPresenceTold {
  t: "presence";
  presence: SheetPresence;
}

/** One legal action, and what it should bring. */
export interface Choice {
  action: Action;
  /** Your expected points of the round. */
  points: number;
  /** The same less the mean of the others'. */
  lead: number;
  /** At least eight of ten rounds bring points from `low` to `high`; null before trump is named. */
  low: number | null;
  high: number | null;
  /** The chance to meet the bid; null before trump is named. */
  exact: number | null;
}

/** A choice in a hint. */
export interface HintChoice {
  action: Action;
  /** Your expected points of the round. */
  points: number;
  /** The same less the mean of the others'. */
  lead: number;
  /** At least eight of ten rounds bring points from `low` to `high`; null before trump is named. */
  low: number | null;
  high: number | null;
  /** The chance to meet the bid; null before trump is named. */
  exact: number | null;
  /** The chance of each final number of your tricks. */
  tricks: number[];
}

/** What every choice of a seat is worth, as far as it can know. */
export interface Hint {
  seat: Seat;
  round: number;
  phase: Phase;
  /** All legal actions, the best first. */
  choices: HintChoice[];
}

/** What is to be said of a decision. */
export interface Advice {
  code: string;
  params: Record<string, string | number | null>;
}

/** A decision of a finished game. */
export interface Decision {
  /** Its place among the actions of the game, from 0. */
  number: number;
  round: number;
  seat: Seat;
  action: Action;
  /** Whether there was no choice. */
  forced: boolean;
  /** The points that it gave away. */
  cost: number;
  grade: Grade;
  /** Where there was a choice. */
  advice?: Advice;
  /** Where there was a choice. */
  choices?: Choice[];
  /** For a bid: the chance of each number of tricks with the best one. */
  tricks?: number[];
}

/** Where the points of a seat came from: `lead = deal + play + gifts - given`. */
export interface Account {
  deal: number;
  play: number;
  gifts: number;
  given: number;
  lead: number;
}

/** What the decisions of a finished game gave away. */
export interface ReviewData {
  names: string[];
  seats: Account[];
  /** By round and seat. */
  rounds: Account[][];
  /** Up to three decisions of every seat, by their numbers. */
  worst: number[][];
  finest: number[][];
  decisions: Decision[];
}

/** Whether a deal is what the published scheme says. */
export interface Verdict {
  /** From 1; 0 is the set-up: first dealer, suits. */
  round: number;
  answer: Answer;
  reason: string;
}

/** One more event, and what it made of the view. */
export interface ReplayStep {
  event: ReplayEvent;
  /** The fields that changed. */
  view: Partial<ReplayView>;
}

/** A game step by step. */
export interface ReplayData {
  code: Code;
  names: string[];
  rules: Rules;
  sizes: number[];
  fair: Fair | null;
  verdicts: Verdict[];
  /** Whether the game is over; else these are its finished rounds. */
  complete: boolean;
  /** Whether there is a review of it. */
  review: boolean;
  /** The first round as dealt; null while no round is finished. */
  first: ReplayView | null;
  steps: ReplayStep[];
}

/** Who you are. */
export interface Me {
  /** Null for someone new. */
  name: string | null;
}

/** The name you want. */
export interface NewName {
  name: string;
}

/** A link that makes another device yours too. */
export interface DeviceLink {
  /** `/device/TOKEN`. */
  path: string;
  /** How long it works: once, and not after the server has restarted. */
  minutes: number;
}

/** A personal link back to your seat. */
export interface SeatLink {
  /** `/seat#TOKEN`. */
  path: string;
  /** How long it works, once. */
  days: number;
}

/** The seat is yours. */
export interface TakenSeat {
  code: Code;
  name: string;
}

/** That of a link. */
export interface Token {
  token: string;
}

/** What the page about privacy needs to know of a server. */
export interface Privacy {
  /** 0: for ever. */
  keep_days: number;
  link_minutes: number;
  cookie_days: number;
}

/** How long a table or sheet is kept: until then unless something happens there, or for good. */
export interface Stay {
  until: Moment | null;
  because: "shared" | "known" | "always" | null;
}

/** All that is kept about somebody. */
export interface MyData {
  player: Record<string, unknown>;
  /** With their records. */
  tables: Record<string, unknown>[];
  /** Of sealed bids those that you wrote. */
  sheets: Record<string, unknown>[];
  bans: Record<string, unknown>[];
}

/** Your tables. */
export interface Games {
  games: TableSummary[];
}

/** Public tables. */
export interface Tables {
  tables: TableSummary[];
}

/** A variant that an edition offers. */
export interface Variant {
  name: string;
  options: Rules;
}

/** A printed edition. */
export interface Edition {
  name: string;
  title: string;
  rules: Rules;
  variants: Variant[];
}

/** An option of the rules. */
export interface Option {
  default: RuleValue;
  /** All that it may be; examples where there is no end of them. */
  values: string[];
  meaning: string;
}

/** What settings, names and tables may be. */
export interface Limits {
  clock: Range;
  pace: Range;
  patience: Range;
  name: number;
  players: Range;
}

/** All that a new table can be. */
export interface Options {
  editions: Edition[];
  options: Record<string, Option>;
  levels: Level[];
  phrases: string[];
  limits: Limits;
}

/** A single other choice that would not go with the present ones, and why. */
export interface Excluded {
  option: string;
  value: RuleValue;
  code: string;
  params: Record<string, unknown>;
  reason: string;
}

/** What a choice of rules means. */
export interface Meaning {
  /** Every option. */
  rules: Rules;
  /** The cards of each round. */
  sizes: number[];
  excluded: Excluded[];
}

/** A game with bots, now. */
export interface QuickPlay {
  commitment?: Hexadecimal | null;
}

/** A table to be made. */
export interface NewTable {
  rules?: Rules;
  /** What is left out has its default. */
  settings?: Partial<TableSettings>;
  /** By seat; null waits for a person, and seat 0 is yours. */
  bots?: (Level | null)[];
  commitment?: Hexadecimal | null;
}

/** Where a new table or sheet is. */
export interface NewCode {
  code: Code;
  key: Key;
}

/** The lessons, in the order of the course. */
export interface Lessons {
  lessons: string[];
}

/** A score sheet to be made. */
export interface NewSheet {
  names: string[];
  /** As for a table, without `players`. */
  rules?: Rules;
  first_dealer?: Seat;
}

/** The sheets that you opened or wrote on. */
export interface Sheets {
  sheets: SheetSummary[];
}

/** Your finished sheets, summed up by name. */
export interface Statistics {
  players: PlayerRecord[];
}

/** All is well. */
export interface Health {
  status: "ok";
}

type WithoutId<M> = M extends { id: string } ? Omit<M, "id"> : never;
/** What a client says to a table, before it has an `id`. */
export type ClientMessage = WithoutId<TableMessage>;
/** What a client says to a score sheet, before it has an `id`. */
export type SheetClientMessage = WithoutId<SheetMessage>;
