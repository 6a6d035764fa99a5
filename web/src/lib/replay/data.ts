/** A replay as the server sends it (docs/protocol.md), and how it is fetched. */
import { isRefusal, unreachable } from "../net/api";
import { withKey } from "../net/keys";
import type { ActEvent, CardCode, Fair, NextRound, Phase, Rules, View } from "../net/protocol";

/** The open replay's view has all hands by seat; between rounds its phase is `deal`. */
export interface ReplayView extends Omit<View, "phase"> {
  phase: Phase | "deal";
  hands?: CardCode[][];
}

/** The next round is dealt, as a separate step. */
export interface DealEvent extends NextRound {
  e: "deal";
  n: number;
  at: number;
}

export type ReplayEvent = ActEvent | DealEvent;

export interface ReplayStep {
  event: ReplayEvent;
  /** The fields that changed. */
  view: Partial<ReplayView>;
}

export type Answer = "verified" | "false" | "not verifiable" | "under way";

export interface Verdict {
  /** From 1; 0 is the set-up: first dealer, suits. */
  round: number;
  answer: Answer;
  reason: string;
}

export interface ReplayData {
  code: string;
  names: string[];
  rules: Rules;
  sizes: number[];
  fair: Fair | null;
  verdicts: Verdict[];
  /** Whether the game is over; otherwise these are its finished rounds. */
  complete: boolean;
  /** Whether a review is available. */
  review: boolean;
  /** Null while no round is finished. */
  first: ReplayView | null;
  steps: ReplayStep[];
}

/** All hands, or what one seat saw. */
export type Perspective = "open" | number;

/** Throws a `Refusal`. */
export async function fetchReplay(code: string, as: Perspective): Promise<ReplayData> {
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(`${tablePath(code)}/replay?as=${as}`);
    answer = await response.json();
  } catch {
    throw unreachable;
  }
  if (response.ok) return answer as ReplayData;
  throw isRefusal(answer) ? answer : unreachable;
}

export function recordPath(code: string): string {
  return `${tablePath(code)}/record`;
}

/** The path of a position; step 0 of the open replay is the replay itself. */
export function replayPath(code: string, step = 0, as: Perspective = "open"): string {
  const place = step === 0 ? "" : `/${step}`;
  const seen = as === "open" ? "" : `?as=${as}`;
  return withKey(`/r/${encodeURIComponent(code)}${place}${seen}`, code);
}

function tablePath(code: string): string {
  return `/api/tables/${encodeURIComponent(code.toUpperCase())}`;
}
