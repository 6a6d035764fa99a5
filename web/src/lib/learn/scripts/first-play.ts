/** The first game ever, against bots and with whatever cards are dealt: the coach stays for three rounds. */
import { cardForms, readCard } from "../../cards/card";
import { m } from "../../messages.svelte";
import type { CardCode, Suit } from "../../net/protocol.gen";
import { card, HIGH, say, type Line, type Script } from "../lines";
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
      return scene.myTurn && scene.lying.length > 0 ? [say(m.coach_play_follow(), "trick")] : [];
    case "3 bid":
      return [say(m.coach_play_figures(), "decision", card(...figures(scene)))];
    case `${LAST_ROUND} bid`:
      return [say(m.coach_play_end(), "decision")];
    default:
      return [];
  }
};

/** One line, about the only card: whoever has never played needs to know what to bid. */
function firstBid({ view }: Scene): Line[] {
  const [held] = view.hand ?? [];
  if (held === undefined) return [];
  const suit = view.trump === null || view.trump === "none" ? "other" : view.trump;
  const welcome = m.coach_play_welcome({ card: cardForms(held), suit });
  const advice = m.coach_play_bid({ kind: kindOf(held, suit) });
  return [say(`${welcome} ${advice}`, "trump", "decision", card(held))];
}

function kindOf(
  held: CardCode,
  trump: Suit | "other",
): Parameters<typeof m.coach_play_bid>[0]["kind"] {
  const read = readCard(held);
  if (read?.kind !== "suit") return read?.figure === "W" ? "wizard" : "jester";
  if (read.suit === trump) return "trump";
  if (trump !== "other") return "suit";
  return read.value >= HIGH ? "high" : "other";
}

function figures(scene: Scene): string[] {
  return ["W", "J"].filter((code) => scene.holds(code));
}
