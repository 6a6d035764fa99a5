/** What lies on the table at a step: the view, the hands that may be seen, and what is shown for this step only. */
import { trickNumber } from "../game/seating";
import type { Passing } from "../game/side";
import type { CardCode, ReplayEvent, ReplayStep, ReplayView, Seat } from "../net/protocol.gen";
import type { Perspective } from "./data";
import type { Positions } from "./positions";

export interface Scene extends Passing {
  /** What has just happened; null at the start. */
  event: ReplayEvent | null;
  view: ReplayView;
  /** By seat; null if we may not see the cards. */
  hands: (CardCode[] | null)[];
}

export function sceneAt(
  positions: Positions,
  steps: readonly ReplayStep[],
  step: number,
  as: Perspective,
): Scene {
  const view = positions.at(step);
  const event = steps[step - 1]?.event ?? null;
  const act = event?.e === "act" ? event : null;
  const line = act?.round ?? null;
  const result = line === null ? null : { line };
  const lingering = act?.trick
    ? { ...act.trick, number: trickNumber(positions.at(step - 1)) }
    : null;
  return {
    event,
    view: line === null ? view : { ...view, held: view.held.map(() => 0) },
    hands: view.totals.map((_, seat) => (line === null ? handOf(view, seat, as) : [])),
    lingering,
    result,
    ending: act?.outcome ?? null,
    bubbles: [],
  };
}

function handOf(view: ReplayView, seat: Seat, as: Perspective): CardCode[] | null {
  if (as === "open") return view.hands?.[seat] ?? null;
  if (as === seat) return view.hand;
  // Under clairvoyance the others' cards are known as dealt: open until play begins.
  return view.phase === "bid" || view.phase === "trump" ? (view.seen_hands[seat] ?? null) : null;
}
