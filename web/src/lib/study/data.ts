/** Hints and reviews as the server sends them (docs/protocol.md). */
import { call } from "../net/api";
import type { Action, Phase, Seat } from "../net/protocol";

/** One legal action, and its expected result. */
export interface Choice {
  action: Action;
  /** The seat's expected points in the round. */
  points: number;
  /** The same minus the others' mean. */
  lead: number;
  /** At least eight of ten rounds score between these; null before trump is named. */
  low: number | null;
  high: number | null;
  /** The chance to meet the bid. */
  exact: number | null;
}

export interface Hint {
  seat: Seat;
  round: number;
  phase: Phase;
  /** The best first; `tricks` has the chance of each final number of tricks for the seat. */
  choices: (Choice & { tricks: number[] })[];
}

export type Grade = "best" | "good" | "slip" | "mistake" | "costly";

export interface Advice {
  code: string;
  params: Readonly<Record<string, string | number | null>>;
}

export interface Decision {
  /** Its index among the game's actions, from 0. */
  number: number;
  round: number;
  seat: Seat;
  action: Action;
  forced: boolean;
  /** The points it gave away. */
  cost: number;
  grade: Grade;
  /** Only if there was a choice. */
  advice?: Advice;
  choices?: Choice[];
  /** For a bid: the chance of each number of tricks after the best one. */
  tricks?: number[];
}

/** Where a seat's points came from: `lead = deal + play + gifts - given`. */
export interface Account {
  deal: number;
  play: number;
  gifts: number;
  given: number;
  lead: number;
}

export interface ReviewData {
  names: string[];
  seats: Account[];
  rounds: Account[][];
  /** Up to three decisions of each seat, by number. */
  worst: number[][];
  finest: number[][];
  decisions: Decision[];
}

export const fetchHint = (code: string, turn: number): Promise<Hint> =>
  call("GET", `/tables/${encodeURIComponent(code)}/hint?turn=${turn}`);

export const fetchReview = (code: string): Promise<ReviewData> =>
  call("GET", `/tables/${encodeURIComponent(code)}/review`);
