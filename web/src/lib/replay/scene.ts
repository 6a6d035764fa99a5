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
  const bids = as === "open" ? openBids(view, steps, step) : view.bids;
  const seats = Array.from({ length: players }, (_, seat): SceneSeat => {
    const bid = bids[seat] ?? null;
    return {
      seat,
      hand: ended === null ? handOf(view, seat, as) : [],
      held: ended === null ? (view.held[seat] ?? 0) : 0,
      bid,
      sealed: bid === null && (view.sealed[seat] ?? false),
      taken: view.taken[seat] ?? 0,
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

/** With all hands open the bids are open too, including those the table could not see yet. */
function openBids(
  view: ReplayView,
  steps: readonly ReplayStep[],
  step: number,
): readonly (number | null)[] {
  if (!view.sealed.includes(true)) return view.bids;
  const bids = [...view.bids];
  for (let index = step - 1; index >= 0; index--) {
    const event = steps[index]?.event;
    if (event?.e !== "act") break;
    const [verb, number] = event.action.split(" ");
    if (verb === "bid" && number !== undefined) bids[event.seat] ??= Number(number);
  }
  return bids;
}

function playsOf(view: ReplayView, event: ReplayEvent | null): ScenePlay[] {
  const finished = event?.e === "act" ? event.trick : undefined;
  const trick = finished ?? view.trick;
  if (!trick) return [];
  // A trick that the Bomb set aside has no winner.
  const winning = "winning" in trick ? trick.winning : trick.winner;
  return trick.plays.map((card, index) => {
    const seat = (trick.leader + index) % view.totals.length;
    return { seat, card, winning: seat === winning };
  });
}
