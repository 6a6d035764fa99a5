/**
 * The messages between client and server. Generated from src/foretold/protocol by `make protocol`:
 * change them there.
 */

export const MOST_PLAYERS = 6;
/** The most characters of a name, and of a note on a score sheet. */
export const NAME_LENGTH = 24;
export const NOTE_LENGTH = 200;
/** The game that begins without a choice of rules: its players, and the cards of its rounds. */
export const STANDARD_PLAYERS = 4;
export const STANDARD_SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/** The code of a card without a suit. */
export type Figure = "W" | "J" | "DR" | "FA" | "BO" | "SH" | "JU" | "CL" | "WE";

export type Seat = number;

export type Suit = "B" | "G" | "R" | "Y";

export type Trump = "B" | "G" | "R" | "Y" | "none";

/** A card as in the record: `R4`, `W`, `J`, `DR`; once played, with its announcement: `JU=R`. */
export type CardCode = string;

/** `bid 2`, `play SH=W`, `trump none`, `pass R4`, `cloud +1`. */
export type Action = string;

/** Milliseconds since 1970. */
export type Moment = number;

/** The code of a table or score sheet: six letters. */
export type Code = string;

/** The key of an invitation, for those who may pass it on. */
export type Key = string;

export type Hexadecimal = string;

/** While `dealing`, the players' contributions are being collected. */
export type TableState = "lobby" | "dealing" | "playing" | "over" | "closed";

/** Why a bot plays for somebody: they ran out of time (for that one decision), kept others waiting, lost the connection, or left. */
export type StandIn = "clock" | "idle" | "absent" | "left";

/** Who decided; a `claim` plays what is left of a round. */
export type By = "player" | "bot" | "stand_in" | "claim";

export type RuleValue = string | number | boolean | string[] | null;

/** Options as in a record; for a new table also `edition`, a preset that the others override. */
export type Rules = Record<string, RuleValue>;

/** As in docs/records.md. */
export type GameRecord = Record<string, unknown>;

export type Level = "novice" | "apprentice" | "adept" | "archmage";

/** One of the drawn characters; bots have others. */
export type Face =
  | "owl"
  | "fox"
  | "cat"
  | "hare"
  | "wizard"
  | "witch"
  | "seer"
  | "jester"
  | "knight"
  | "stone";

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
  | FaceEvent
  | StartedEvent
  | RevealedEvent
  | DealtEvent
  | ActEvent
  | ClaimedEvent
  | TookBackEvent
  | StandInEvent
  | BackEvent
  | RematchEvent
  | ClosedEvent;

export type ReplayEvent = ActEvent | DealEvent;

export type TableMessage =
  | Act
  | ClaimRest
  | TakeBack
  | Sit
  | Leave
  | SeatBot
  | Clear
  | Readmit
  | Host
  | Change
  | Commit
  | ChooseFace
  | Start
  | Reveal
  | Back
  | LetBot
  | Rematch
  | Close
  | Knock
  | LetIn
  | Say
  | Wait
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
  /** For programs and translations; each code has one meaning. */
  code: string;
  params: Record<string, unknown>;
  /** English, for clients that have no sentence of their own for the code. */
  reason: string;
}

/** What the host decides besides the rules. */
export interface TableSettings {
  /** Seconds per decision; null for no clock. From 5 to 600. */
  clock: number | null;
  /** Whether the table is listed for everyone. */
  public: boolean;
  /** Whether those without a seat see the game before it is over. */
  spectators: boolean;
  /** Milliseconds a bot waits before it decides. From 0 to 3000. */
  pace: number;
  /** Whether any spectator may take a bot's seat during the game; if not, the host decides. */
  open: boolean;
  /** Without a clock, seconds until a bot plays for somebody who keeps the others waiting; null for never. From 5 to 3600. */
  patience: number | null;
}

/** A seat nobody has taken. */
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
  /** Empty for a former player whose data was erased. */
  name: string;
  /** Why a bot is playing for them, if one is. */
  stand_in: StandIn | null;
  /** The one they chose; without one, clients choose. */
  face: Face | null;
}

/** How the deals can be checked, in hexadecimal (docs/records.md). */
export interface Fair {
  scheme: string;
  /** To the server's secrets: for the set-up, then for every round. */
  commitments: string[];
  /** To the players' contributions, by seat. */
  contribution_commitments: (string | null)[];
  contributions: (string | null)[];
  /** Revealed as rounds end. */
  secrets: (string | null)[];
}

/** What everyone at a table may know about it. */
export interface Table {
  code: Code;
  state: TableState;
  /** Every option. */
  rules: Rules;
  /** The number of cards in each round. */
  sizes: number[];
  /** By round, whether a card is left to turn up. */
  turned: boolean[];
  /** The preset the rules started from. */
  edition: string | null;
  /** The lesson taught here. */
  lesson: string | null;
  /** Whether hints are given here: only to one person playing against bots. */
  hints: boolean;
  /** Whether decisions can be taken back here: only by one person playing against bots. */
  take_backs: boolean;
  /** How many were taken back. */
  taken_back: number;
  settings: TableSettings;
  /** The host's seat. While the host is away, the first player present takes their place. */
  host: Seat | null;
  /** By seat; with `stand_in` a bot plays for a player. */
  seats: SeatInfo[];
  fair: Fair;
  /** The names of the players the host has removed. */
  removed: string[];
  /** The table of the rematch. */
  rematch: Code | null;
}

/** The clock for a decision. */
export interface Clock {
  seats: Seat[];
  /** Milliseconds left when the message was sent. */
  left: number;
  /** Milliseconds in total. */
  of: number;
}

/** A player who is away while all wait for them. */
export interface Away {
  seat: Seat;
  /** Milliseconds until a bot plays for them, when the message was sent. */
  left: number;
  /** Milliseconds until anyone seated may `let_bot`. */
  bot_in: number;
}

/** Who is at a table now. */
export interface Presence {
  /** By seat; null for a bot and an empty seat. */
  here: (boolean | null)[];
  /** The number of spectators. */
  watching: number;
  clock: Clock | null;
  /** Those who are awaited and not there; anyone seated may `wait` longer, or `let_bot`. */
  away: Away[];
}

/** Who somebody is at a table. */
export interface You {
  /** Null for a spectator. */
  seat: Seat | null;
  host: boolean;
  name: string | null;
  key: Key | null;
}

/** Somebody asking the host to be let in. */
export interface Knocking {
  /** The number to answer with. */
  knock: number;
  name: string;
  /** The seat they would like; null for any. */
  seat: Seat | null;
  /** Players the server has seen on the same connection. */
  like: string[];
}

/** A table as it appears in lists. */
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
  /** By seat, from 1, equal points share one; null until the game is over. */
  places: number[] | null;
  created: Moment;
  updated: Moment;
  lesson: string | null;
  /** How many decisions were taken back. */
  taken_back: number;
}

/** The trick being played. */
export interface Trick {
  leader: Seat;
  plays: CardCode[];
  winning: Seat | null;
}

/** A trick that is over. */
export interface FinishedTrick {
  leader: Seat;
  plays: CardCode[];
  /** Null if a Bomb set the trick aside. */
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
  /** How many tricks too many were taken for that bid: below 0 too few, 0 if it was met. */
  off: number[];
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

/** A round just dealt. */
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
  /** Goes up with every decision that others must wait for; actions must name it. */
  turn: number;
  /** The seats that must decide now; several if all decide at once. */
  to_act: Seat[];
  /** From 1. Between two rounds the view is already that of the new one. */
  round: number;
  /** The number of cards in the round. */
  size: number;
  dealer: Seat;
  /** The seats in bidding order. */
  order: Seat[];
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
  /** The tricks of this round that are over, those set aside included. */
  finished: number;
  trick: Trick | null;
  /** The suit that must be followed. */
  follow: Suit | null;
  /** Before the first trick of a round, the last of the previous round. */
  last_trick: FinishedTrick | null;
  /** Cards that the Bomb set aside. */
  set_aside: CardCode[];
  /** Cards out of the two-player game. */
  out: CardCode[];
  /** The finished rounds. */
  sheet: SheetLine[];
  /** Points by seat. */
  totals: number[];
  /** By points, from 1; equal points share a place. */
  places: number[];
  outcome: Outcome | null;
  /** What you may do now. */
  legal: Action[];
  /** Why you may not choose the other cards and bids now. */
  why: Record<Action, Refusal>;
  /** Your bid after each `cloud` action that you may choose now. */
  bid_after: Record<Action, number>;
  /** Whether all remaining tricks are certain to be yours, so that you may `claim_rest`. */
  claim: boolean;
  /** Your cards, sorted; null for spectators, and under clairvoyance until all have bid. */
  hand: CardCode[] | null;
  /** Under clairvoyance the others' hands by seat; otherwise nulls. */
  seen_hands: (CardCode[] | null)[];
  /** By seat; null if not made or not shown. */
  bids: (number | null)[];
  /** By seat, whether a bid is made but not shown. */
  sealed: boolean[];
  /** The sum of the bids so far; null while some are sealed. */
  foretold: number | null;
  /** How many more tricks are bid than there are, once all have bid; null if not shown. */
  over: number | null;
  /** By seat, for 0, 1, 2 and more tricks taken: how many too many that is for the bid. Below 0 it is too few, 0 meets the bid. Null if the bid is not made or not shown. */
  off: (number[] | null)[];
  /** Your Juggler pass. */
  passed: Passed | null;
  /** Each seat's own suit in the monocolour game. */
  suits: (Suit | null)[];
  phase: Phase;
}

/** A view in a replay; `legal`, `why` and `bid_after` are empty. */
export interface ReplayView {
  /** Goes up with every decision that others must wait for; actions must name it. */
  turn: number;
  /** The seats that must decide now; several if all decide at once. */
  to_act: Seat[];
  /** From 1. Between two rounds the view is already that of the new one. */
  round: number;
  /** The number of cards in the round. */
  size: number;
  dealer: Seat;
  /** The seats in bidding order. */
  order: Seat[];
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
  /** The tricks of this round that are over, those set aside included. */
  finished: number;
  trick: Trick | null;
  /** The suit that must be followed. */
  follow: Suit | null;
  /** Before the first trick of a round, the last of the previous round. */
  last_trick: FinishedTrick | null;
  /** Cards that the Bomb set aside. */
  set_aside: CardCode[];
  /** Cards out of the two-player game. */
  out: CardCode[];
  /** The finished rounds. */
  sheet: SheetLine[];
  /** Points by seat. */
  totals: number[];
  /** By points, from 1; equal points share a place. */
  places: number[];
  outcome: Outcome | null;
  /** What you may do now. */
  legal: Action[];
  /** Why you may not choose the other cards and bids now. */
  why: Record<Action, Refusal>;
  /** Your bid after each `cloud` action that you may choose now. */
  bid_after: Record<Action, number>;
  /** Whether all remaining tricks are certain to be yours, so that you may `claim_rest`. */
  claim: boolean;
  /** Your cards, sorted; null for spectators, and under clairvoyance until all have bid. */
  hand: CardCode[] | null;
  /** Under clairvoyance the others' hands by seat; otherwise nulls. */
  seen_hands: (CardCode[] | null)[];
  /** By seat; null if not made or not shown. */
  bids: (number | null)[];
  /** By seat, whether a bid is made but not shown. */
  sealed: boolean[];
  /** The sum of the bids so far; null while some are sealed. */
  foretold: number | null;
  /** How many more tricks are bid than there are, once all have bid; null if not shown. */
  over: number | null;
  /** By seat, for 0, 1, 2 and more tricks taken: how many too many that is for the bid. Below 0 it is too few, 0 meets the bid. Null if the bid is not made or not shown. */
  off: (number[] | null)[];
  /** Your Juggler pass. */
  passed: Passed | null;
  /** Each seat's own suit in the monocolour game. */
  suits: (Suit | null)[];
  phase: ReplayPhase;
  /** All hands by seat, in the open replay. */
  hands?: CardCode[][];
}

/** The table was created. */
export interface CreatedEvent {
  e: "created";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
}

/** Somebody sat down, or took over from a bot or from a player who has left. */
export interface SatEvent {
  e: "sat";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
  name: string;
}

/** Somebody left, in the lobby. */
export interface LeftEvent {
  e: "left";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
  name: string;
}

/** A bot took a seat. */
export interface BotEvent {
  e: "bot";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
  name: string;
  level: Level;
}

/** The host cleared a seat; during a game a bot has it now. */
export interface ClearedEvent {
  e: "cleared";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
  name: string;
}

/** The players removed under that name may come back. */
export interface ReadmittedEvent {
  e: "readmitted";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  name: string;
}

/** There is a new host. */
export interface HostEvent {
  e: "host";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
}

/** Settings or rules changed. */
export interface SettingsEvent {
  e: "settings";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
}

/** A player committed to a contribution to the shuffle. */
export interface CommittedEvent {
  e: "committed";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
}

/** A player chose another face. */
export interface FaceEvent {
  e: "face";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
}

/** The game was started; contributions are being collected. */
export interface StartedEvent {
  e: "started";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
}

/** A player's contribution is in. */
export interface RevealedEvent {
  e: "revealed";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
}

/** The contributions are in, and the first round is dealt. */
export interface DealtEvent {
  e: "dealt";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
}

/** A decision, and what came of it. */
export interface ActEvent {
  e: "act";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
  by: By;
  /** Complete, or only its verb (`bid`, `pass`) if you may not see the rest. */
  action: Action;
  /** The trick it finished. */
  trick?: FinishedTrick;
  /** All bids, now that they are in and shown. */
  bids?: number[];
  /** Everyone has passed; null for spectators. */
  passed?: Passed | null;
  /** The round is over. */
  round?: SheetLine;
  /** The secret of that round's deal. */
  secret?: string;
  /** The next round is dealt. */
  next?: NextRound;
  /** The game is over. */
  outcome?: Outcome;
}

/** A seat claims all tricks that are left; the cards are played for everyone. */
export interface ClaimedEvent {
  e: "claimed";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
}

/** The one person among bots took back their last decision; `view` is whole. */
export interface TookBackEvent {
  e: "took_back";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
}

/** A bot now plays for somebody. */
export interface StandInEvent {
  e: "stand_in";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
  reason: StandIn;
}

/** A player is back; no bot plays for them any more. */
export interface BackEvent {
  e: "back";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
}

/** A table for the rematch was created. */
export interface RematchEvent {
  e: "rematch";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  code: Code;
}

/** The table was closed. */
export interface ClosedEvent {
  e: "closed";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
}

/** All that somebody without a seat is told of an event until the game is over, if spectators are not allowed. */
export interface HiddenEvent {
  /** Its number; each event adds one. */
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

/** The seat on turn. An outdated `turn` is refused as `stale`. */
export interface Act {
  t: "act";
  id: string;
  turn: number;
  action: string;
}

/** The seat on turn whose view says `claim`: it takes all tricks that are left, so the cards of the round are played for everyone. */
export interface ClaimRest {
  t: "claim_rest";
  id: string;
  turn: number;
}

/** The one person at a table of bots: takes back their last decision of the round, and what the bots did since. The game is marked for good (`taken_back`). */
export interface TakeBack {
  t: "take_back";
  id: string;
  turn: number;
}

/** Anyone without a seat. In the lobby: an empty seat or a bot's. During a game, if `settings.open`: a bot's seat, or that of a player who has left; somebody who has already had a seat may only return to it. Anything else is `not_let_in`, as is anyone with the same address as a removed player or, during a game, as one of its players. */
export interface Sit {
  t: "sit";
  id: string;
  seat: Seat;
  commitment?: Hexadecimal;
}

/** A seated player. During a game a bot stands in, and the player can return (`back`) until somebody else takes the seat. */
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

/** The host: removes a player, who cannot sit down again, or in the lobby a bot; during a game a bot plays on. With `may_return` the seat is only freed: during a game, only while a bot plays for its player (otherwise `not_away`), who can retake it with `back` unless somebody else was faster. */
export interface Clear {
  t: "clear";
  id: string;
  seat: Seat;
  may_return?: boolean;
}

/** The host: the players removed under that name may sit down again. */
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
  /** Only those that change. */
  settings?: Partial<TableSettings> | null;
  rules?: Rules | null;
}

/** A seated player who has made no commitment yet, in the lobby. */
export interface Commit {
  t: "commit";
  id: string;
  commitment: Hexadecimal;
}

/** A seated player, until the game is over: how everyone at the table sees them. */
export interface ChooseFace {
  t: "face";
  id: string;
  face: Face;
}

/** The host, when no seat is empty. */
export interface Start {
  t: "start";
  id: string;
}

/** A seat that made a commitment, after `started`. */
export interface Reveal {
  t: "reveal";
  id: string;
  bytes: Hexadecimal;
}

/** A player for whom a bot stands in; any `act` has the same effect. */
export interface Back {
  t: "back";
  id: string;
}

/** A seated player: a bot plays for somebody who is away, until they are back. */
export interface LetBot {
  t: "let_bot";
  id: string;
  seat: Seat;
}

/** A seated player: no bot plays yet for somebody who is away, for some minutes. */
export interface Wait {
  t: "wait";
  id: string;
  seat: Seat;
}

/** A seated player; five at once, then one every two seconds. */
export interface Say {
  t: "say";
  id: string;
  phrase: string;
}

/** Anyone without a seat: asks the host for one; at a score sheet, for permission to write. The answer comes when the host has decided: `done`, or `turned_down`. Leaving withdraws it. */
export interface Knock {
  t: "knock";
  id: string;
  /** The seat wanted, at a table; null for any. */
  seat?: Seat | null;
}

/** The host: grants a request, at a table with that seat or another free one; with `yes` false, turns it down. */
export interface LetIn {
  t: "let_in";
  id: string;
  knock: number;
  yes?: boolean;
}

/** A seated player, after the game. With bots alone it starts at once. */
export interface Rematch {
  t: "rematch";
  id: string;
  commitment?: Hexadecimal;
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
  /** The last event number seen. */
  since?: number | null;
}

/** Anyone. */
export interface Ping {
  t: "ping";
  id: string;
}

/** The complete state, which replaces whatever the client had. It comes first, again after `sync`, and whenever your role at the table changes. */
export interface Welcome {
  t: "welcome";
  /** The number of the last event. */
  n: number;
  you: You;
  table: Table;
  /** Null before the game, and for spectators who are not allowed to watch. */
  view: View | null;
  /** The events after `since`, at most the last hundred, without those of cards in tricks before the last one, which lie face down. What a round brought is in `view.sheet`. */
  missed: TableEvent[];
  presence: Presence;
}

/** Something happened. Ignore a number already seen, and answer a gap with `sync`. `table` and `view` hold the top-level fields that changed, to be merged into what the client has; if it has no view yet, `view` is complete. */
export interface Happened {
  t: "event";
  n: number;
  event: TableEvent;
  table?: Partial<Table>;
  view?: Partial<View>;
}

/** The same for those without a seat, if spectators are not allowed. */
export interface HiddenHappened {
  t: "event";
  n: number;
  event: HiddenEvent;
  table?: Partial<Table>;
}

/** The request with that `id` is saved for good, as number `n`. If there was nothing to change, nothing is saved, and `n` is the last number. */
export interface Done {
  t: "done";
  id: string;
  n: number;
}

/** The request with that `id` is refused; with a null `id`, the connection itself is. */
export interface RefusedTold {
  t: "refused";
  id: string | null;
  code: string;
  params: Record<string, unknown>;
  reason: string;
}

/** Who is present, and the clock. */
export interface PresenceTold {
  t: "presence";
  presence: Presence;
}

/** To the host: everyone asking to be let in now. After a `welcome` it is sent only if somebody is asking. */
export interface Knocks {
  t: "knocks";
  knocks: Knocking[];
}

/** Somebody said one of the phrases. */
export interface SaidTold {
  t: "said";
  seat: Seat;
  phrase: string;
}

/** Whether the server can save now. Requests made while it cannot are kept, and answered with `done` once they are saved. A client that gets no such message after its `welcome` may assume that saving works. */
export interface Saving {
  t: "saving";
  works: boolean;
}

/** The answer to `ping`. */
export interface Pong {
  t: "pong";
}

/** The server is stopping; reconnect in a moment. */
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
  /** The seats in bidding order. */
  order: Seat[];
  /** The least and the most that a bid, or a number of tricks, can be. */
  numbers: [number, number];
  /** Null if not made, or if you may not see it. */
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
  /** How many tricks too many were taken for the bid: below 0 too few, 0 if it is met. Null until both are written and you may see them. */
  off: (number | null)[];
  /** Who had to change their bid, and by how much. */
  cloud: [Seat, number] | null;
  /** By seat, by how much the Cloud can change the bid; null if there is no Cloud. */
  clouds: number[][] | null;
  bombed: boolean;
  note: string;
  /** Null until the round is finished, as are the totals after it. */
  points: number[] | null;
  totals: number[] | null;
}

/** The numbers for a cell of the current round. A legal number of tricks may still be answered with `bomb_asked`. */
export interface CellChoices {
  legal: number[];
  /** Why the other numbers are not allowed. */
  why: Record<number, Refusal>;
  /** For tricks: how many are not yet assigned to others. */
  left?: number;
  /** For tricks: the number that makes them add up, once all others are written. */
  fits?: number | null;
  /** For tricks: for each number, what the others must then have taken, if no choice is left. It may be written along with it. */
  follows?: Record<number, Record<Seat, number>>;
}

/** What may be written in the current round, by seat; null if nothing may. */
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
  /** The round being written, from 1; null when the game is over. */
  current: number | null;
  /** The cell to write next. */
  next: Cell | null;
  /** The bid the dealer may not make now. */
  forbidden: number | null;
  /** Null when the game is over. */
  cells: Cells | null;
  totals: number[];
  /** By points, from 1; equal points share a place. */
  places: number[];
  outcome: Outcome | null;
  /** The seats you have claimed. */
  yours: Seat[];
  claimed: boolean[];
  /** Whether bids are hidden or secret. */
  sealed: boolean;
  /** Whether the Bomb is in the game, which sets a trick aside. */
  bomb: boolean;
  /** Everything the Cloud can change a bid by; null if there is no Cloud. */
  cloud_changes: number[] | null;
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

/** Who is viewing a sheet now. */
export interface SheetPresence {
  watching: number;
}

/** The sheet was opened. */
export interface OpenedEvent {
  e: "opened";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
}

/** Somebody wrote; the sheet says what. */
export interface WroteEvent {
  e: "wrote";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  round: number;
  cells: [CellKind, Seat][];
  by: string;
}

/** The last entry was undone. */
export interface UndoneEvent {
  e: "undone";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
}

/** A player on the sheet was renamed. */
export interface RenamedEvent {
  e: "renamed";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
  name: string;
}

/** Somebody claimed a seat, or gave it up. */
export interface ClaimedEvent {
  e: "claimed";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
  seat: Seat;
  claimed: boolean;
}

/** Somebody may now write. */
export interface AdmittedEvent {
  e: "admitted";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
}

/** The sheet was deleted; sockets are closed with 4000. */
export interface DeletedEvent {
  e: "deleted";
  /** Its number; each event adds one. */
  n: number;
  at: Moment;
}

/** A sheet as it appears in lists. */
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

/** Somebody's results over all finished sheets. */
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

/** All of it is written, or nothing; cells left out stay as they are. A cell that somebody else has written since `seen` is refused as `cell_taken`, `cell_cleared` or `cell_sealed`. */
export interface Write {
  t: "write";
  id: string;
  /** The last entry number you have seen of this sheet. */
  seen: number;
  round: number;
  /** By seat; null clears a cell. */
  bids?: Record<number, number | null>;
  taken?: Record<number, number | null>;
  /** Who had to change their bid because of the Cloud, and by +1 or -1; null: nobody. */
  cloud?: [Seat, number] | null;
  bombed?: boolean;
  note?: string;
}

/** Undoes the last entry. */
export interface Undo {
  t: "undo";
  id: string;
  /** Its number, as far as the writer knows. */
  n: number;
}

/** Renames a player on the sheet. */
export interface Rename {
  t: "rename";
  id: string;
  seat: Seat;
  name: string;
}

/** Claims a seat as yours, or gives it up; then only you can enter its sealed bids. With `mine` false the host can free anybody's seat. */
export interface Claim {
  t: "claim";
  id: string;
  seat: Seat;
  mine?: boolean;
}

/** The host. Everyone gets the event, and their sockets are closed with 4000; anyone who comes later is refused with `sheet_deleted`. */
export interface Delete {
  t: "delete";
  id: string;
}

/** The complete state of a sheet. */
export interface SheetWelcome {
  t: "welcome";
  n: number;
  you: SheetYou;
  sheet: Sheet;
  missed: SheetEvent[];
  presence: SheetPresence;
}

/** Something happened; `sheet` holds the top-level fields that changed. */
export interface SheetHappened {
  t: "event";
  n: number;
  event: SheetEvent;
  sheet: Partial<Sheet>;
}

/** Who is viewing the sheet. */
export interface SheetPresenceTold {
  t: "presence";
  presence: SheetPresence;
}

/** One legal action, and what to expect from it. */
export interface Choice {
  action: Action;
  /** Your expected points in the round. */
  points: number;
  /** The same minus the average of the others'. */
  lead: number;
  /** In at least eight rounds of ten the points are from `low` to `high`; null before trump is named. */
  low: number | null;
  high: number | null;
  /** The chance of meeting the bid; null before trump is named. */
  exact: number | null;
}

/** A choice in a hint. */
export interface HintChoice {
  action: Action;
  /** Your expected points in the round. */
  points: number;
  /** The same minus the average of the others'. */
  lead: number;
  /** In at least eight rounds of ten the points are from `low` to `high`; null before trump is named. */
  low: number | null;
  high: number | null;
  /** The chance of meeting the bid; null before trump is named. */
  exact: number | null;
  /** The chance of each final number of tricks. */
  tricks: number[];
}

/** What to say about a decision. */
export interface Advice {
  code: string;
  params: Record<string, string | number | null>;
}

/** What every choice of a seat is worth, given what it knows. */
export interface Hint {
  seat: Seat;
  round: number;
  phase: Phase;
  /** All legal actions, best first. */
  choices: HintChoice[];
  /** What to say about the best one. */
  advice: Advice;
}

/** A decision in a finished game. */
export interface Decision {
  /** Its place among the actions of the game, from 0. */
  number: number;
  round: number;
  seat: Seat;
  action: Action;
  /** Whether there was no choice. */
  forced: boolean;
  /** The points it gave away. */
  cost: number;
  grade: Grade;
  /** If there was a choice. */
  advice?: Advice;
  /** If there was a choice. */
  choices?: Choice[];
  /** For a bid: the chance of each number of tricks with the best bid. */
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
  /** Up to three decisions per seat, by number. */
  worst: number[][];
  finest: number[][];
  decisions: Decision[];
}

/** Whether a deal follows from the published scheme. */
export interface Verdict {
  /** From 1; 0 is the set-up: first dealer, suits. */
  round: number;
  answer: Answer;
  reason: string;
}

/** The next event, and the view after it. */
export interface ReplayStep {
  event: ReplayEvent;
  /** The fields that changed. */
  view: Partial<ReplayView>;
}

/** A game step by step. */
export interface ReplayData {
  code: Code;
  names: string[];
  /** By seat: the one a player chose; without one, clients choose by name. */
  faces: (Face | null)[];
  rules: Rules;
  sizes: number[];
  fair: Fair | null;
  verdicts: Verdict[];
  /** Whether the game is over; if not, these are its finished rounds. */
  complete: boolean;
  /** How many decisions were taken back; the steps are those that count. */
  taken_back: number;
  /** Whether a review is available. */
  review: boolean;
  /** The first round as dealt; null while no round is finished. */
  first: ReplayView | null;
  steps: ReplayStep[];
}

/** Who you are. */
export interface Me {
  /** Null for a new visitor. */
  name: string | null;
  /** The one you chose, if you did; a table learns of it by a `face` message. */
  face: Face | null;
}

/** The name and the face you want. */
export interface NewName {
  name: string;
  /** Null keeps the one you have. */
  face?: Face | null;
}

/** A link that signs you in on another device. */
export interface DeviceLink {
  /** `/device/TOKEN`. */
  path: string;
  /** How long it is valid; it works once. */
  minutes: number;
}

/** A personal link back to your seat. */
export interface SeatLink {
  /** `/seat#TOKEN`. */
  path: string;
  /** How long it is valid; it works once. */
  days: number;
}

/** The seat is yours. */
export interface TakenSeat {
  code: Code;
  name: string;
  face: Face | null;
}

/** The token of a link. */
export interface Token {
  token: string;
}

/** What the privacy page needs to know about the server. */
export interface Privacy {
  /** 0: forever. */
  keep_days: number;
  link_minutes: number;
  cookie_days: number;
}

/** How long a table or sheet is kept: until then unless something happens there, or forever. */
export interface Stay {
  until: Moment | null;
  because: "shared" | "known" | "always" | null;
}

/** Everything stored about a player. */
export interface MyData {
  player: Record<string, unknown>;
  /** With their records. */
  tables: Record<string, unknown>[];
  /** Sealed bids only if you wrote them. */
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
  /** All possible values, or examples if there are too many to list. */
  values: string[];
  meaning: string;
}

/** The limits for settings, names and tables. */
export interface Limits {
  clock: Range;
  pace: Range;
  patience: Range;
  name: number;
  players: Range;
}

/** Everything a new table can be. */
export interface Options {
  editions: Edition[];
  options: Record<string, Option>;
  levels: Level[];
  phrases: string[];
  limits: Limits;
}

/** A single change that would conflict with the current choices, and why. */
export interface Excluded {
  option: string;
  value: RuleValue;
  code: string;
  params: Record<string, unknown>;
  reason: string;
}

/** What a set of chosen rules means. */
export interface Meaning {
  /** Every option. */
  rules: Rules;
  /** The number of cards in each round. */
  sizes: number[];
  /** By round, whether a card is left to turn up. */
  turned: boolean[];
  excluded: Excluded[];
}

/** A game with bots, right away. */
export interface QuickPlay {
  /** How well the bots play. */
  level?: Level;
  /** The name of a new player, as with `PUT /api/me`; ignored for everyone else. */
  name?: string | null;
  commitment?: Hexadecimal | null;
}

/** A table to create. */
export interface NewTable {
  rules?: Rules;
  /** Settings left out keep their defaults. */
  settings?: Partial<TableSettings>;
  /** By seat; null keeps the seat for a person, and seat 0 is yours. */
  bots?: (Level | null)[];
  /** Start the game at once, if bots have all other seats. */
  start?: boolean;
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

/** A score sheet to create. */
export interface NewSheet {
  names: string[];
  /** As for a table, without `players`. */
  rules?: Rules;
  first_dealer?: Seat;
}

/** The sheets you opened or wrote on. */
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
/** A client's message to a table, before it has an `id`. */
export type ClientMessage = WithoutId<TableMessage>;
/** A client's message to a score sheet, before it has an `id`. */
export type SheetClientMessage = WithoutId<SheetMessage>;
