/** Actions as text: what they do, and with which card. */
import type { Action, CardCode, View } from "../net/protocol.gen";

export type Verb = "trump" | "bid" | "play" | "pass" | "cloud";

export function verb(action: Action): Verb {
  return action.split(" ", 1)[0] as Verb;
}

/** What follows the verb; undefined if we may not see it. */
export function object(action: Action): string | undefined {
  return action.split(" ", 2)[1];
}

/** The card without its announcement: `JU` of `JU=R`. */
export function bare(card: CardCode): CardCode {
  return card.split("=", 1)[0] as CardCode;
}

export function announced(card: CardCode): string | undefined {
  return card.split("=", 2)[1];
}

/** The legal ways to play or pass a card: several if something must be announced. */
export function waysWith(view: View, card: CardCode): Action[] {
  return view.legal.filter((action) => {
    const kind = verb(action);
    return (kind === "play" || kind === "pass") && bare(object(action) ?? "") === card;
  });
}

/** The numbers that may be bid now. */
export function legalBids(view: View): number[] {
  return bidsAmong(view.legal);
}

/** The numbers that may be bid now, and those that may not, in order. */
export function everyBid(view: View): number[] {
  return [...legalBids(view), ...bidsAmong(Object.keys(view.why))].sort((a, b) => a - b);
}

function bidsAmong(actions: readonly Action[]): number[] {
  return actions.filter((action) => verb(action) === "bid").map((action) => Number(object(action)));
}
