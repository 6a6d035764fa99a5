/** The first game ever, against bots and with whatever cards are dealt: the coach stays for three rounds. */
import { cardForms, readCard } from "../../cards/card";
import { m } from "../../messages.svelte";
import type { CardCode, Suit, View } from "../../net/protocol.gen";
import { card, say, type Line, type Script } from "../lines";
import type { Scene } from "../scene";

/** The round in which the coach says goodbye. */
export const LAST_ROUND = 4;

export const first_play: Script = (scene) => {
  switch (scene.moment) {
    case "1 bid":
      return firstBid(scene);
    case "2 bid":
      return [say(m.coach_play_score(), "decision")];
    case "2 play 0":
      return mustFollow(scene) ? [say(m.coach_play_follow(), "trick")] : [];
    case "3 bid":
      return [held(scene)];
    case `${LAST_ROUND} bid`:
      return [say(m.coach_play_end(), "decision")];
    default:
      return [];
  }
};

/** One line, about the only card: whoever has never played needs to know what to bid. */
function firstBid({ view, me }: Scene): Line[] {
  const [held] = view.hand ?? [];
  if (held === undefined) return [];
  const suit = trumpOf(view);
  const welcome = m.coach_play_welcome({ card: cardForms(held), suit });
  const advice = m.coach_play_bid({ kind: kindOf(held, suit, view.order[0] === me) });
  return [say(`${welcome} ${advice}`, "trump", "decision", card(held))];
}

function trumpOf({ trump }: View): Suit | "other" {
  return trump === null || trump === "none" ? "other" : trump;
}

/** From this value on, a card that is led without trump is worth a bid of 1. */
const LEADS = 4;

function kindOf(
  held: CardCode,
  trump: Suit | "other",
  leads: boolean,
): Parameters<typeof m.coach_play_bid>[0]["kind"] {
  const read = readCard(held);
  if (read?.kind !== "suit") return read?.figure === "W" ? "wizard" : "jester";
  if (trump !== "other") return read.suit === trump && read.value > 1 ? "trump" : "suit";
  if (!leads) return "late";
  return read.value >= LEADS ? "high" : "other";
}

/** Whether the rule of following explains what may be played; a Wizard or a Jester always may. */
function mustFollow({ view, myTurn }: Scene): boolean {
  const hasFigure = view.hand?.some((held) => readCard(held)?.kind === "figure") ?? false;
  return myTurn && view.follow !== null && !hasFigure;
}

/** How to count the cards that are held. */
function held({ view }: Scene): Line {
  const hand = view.hand ?? [];
  const figures = hand.filter((one) => one === "W" || one === "J");
  const trump = trumpOf(view);
  const trumps = hand.filter((one) => one.startsWith(trump));
  const without = trump === "other" ? trump : "suit";
  const kind =
    new Set(figures).size === 2
      ? "both"
      : figures.includes("W")
        ? "wizard"
        : figures.length > 0
          ? "jester"
          : trumps.length > 0
            ? "trump"
            : without;
  const shown = figures.length > 0 ? figures : trumps;
  return say(m.coach_play_held({ kind }), "decision", card(...shown));
}
