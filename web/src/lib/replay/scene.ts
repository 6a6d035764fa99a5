/** What lies on the table at a step, as the page draws it. */
import type {
  CardCode,
  ReplayEvent,
  ReplayStep,
  ReplayView,
  Seat,
  Suit,
  Trump,
} from "../net/protocol.gen";
import { played } from "../game/seating";
import { offOf } from "../game/standing";
import type { Perspective } from "./data";
import type { Positions } from "./positions";

export interface ScenePlay {
  seat: Seat;
  card: CardCode;
  winning: boolean;
}

export interface SceneSeat {
  seat: Seat;
  /** Null if we may not see the cards. */
  hand: CardCode[] | null;
  held: number;
  bid: number | null;
  sealed: boolean;
  taken: number;
  /** How many tricks too many that is for the bid; null if the bid is not shown. */
  off: number | null;
  total: number;
  /** The round's points, if it has just ended. */
  points: number | null;
  dealer: boolean;
  acts: boolean;
  suit: Suit | null;
}

export interface Scene {
  /** What has just happened; null at the start. */
  event: ReplayEvent | null;
  view: ReplayView;
  round: number;
  size: number;
  turned: CardCode | null;
  trump: Trump | null;
  plays: ScenePlay[];
  /** Whether the trick on the table is finished. */
  finished: boolean;
  seats: SceneSeat[];
}

export function sceneAt(
  positions: Positions,
  steps: readonly ReplayStep[],
  step: number,
  as: Perspective,
): Scene {
  const view = positions.at(step);
  const event = steps[step - 1]?.event ?? null;
  const ended = event?.e === "act" ? (event.round ?? null) : null;
  const players = view.totals.length;
  const seats = Array.from({ length: players }, (_, seat): SceneSeat => {
    const bid = view.bids[seat] ?? null;
    return {
      seat,
      hand: ended === null ? handOf(view, seat, as) : [],
      held: ended === null ? (view.held[seat] ?? 0) : 0,
      bid,
      sealed: bid === null && (view.sealed[seat] ?? false),
      taken: view.taken[seat] ?? 0,
      off: offOf(view, seat),
      total: view.totals[seat] ?? 0,
      points: ended?.points[seat] ?? null,
      dealer: view.dealer === seat,
      acts: view.to_act.includes(seat),
      suit: view.suits[seat] ?? null,
    };
  });
  const { round, size, turned, trump } = view;
  const finished = event?.e === "act" && event.trick !== undefined;
  return { event, view, round, size, turned, trump, plays: playsOf(view, event), finished, seats };
}

function handOf(view: ReplayView, seat: Seat, as: Perspective): CardCode[] | null {
  if (as === "open") return view.hands?.[seat] ?? null;
  if (as === seat) return view.hand;
  // Under clairvoyance the others' cards are known as dealt: open until play begins.
  return view.phase === "bid" || view.phase === "trump" ? (view.seen_hands[seat] ?? null) : null;
}

function playsOf(view: ReplayView, event: ReplayEvent | null): ScenePlay[] {
  const finished = event?.e === "act" ? event.trick : undefined;
  const trick = finished ?? view.trick;
  if (!trick) return [];
  // A trick that the Bomb set aside has no winner.
  const winning = "winning" in trick ? trick.winning : trick.winner;
  return played(trick.plays, trick.leader, view.totals.length).map(({ seat, card }) => ({
    seat,
    card,
    winning: seat === winning,
  }));
}
