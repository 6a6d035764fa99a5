/** The first game ever, against bots and with whatever cards are dealt: the coach stays for three rounds. */
import { m } from "../../messages.svelte";
import { card, say, type Line, type Script } from "../lines";
import type { Scene } from "../scene";

/** The round in which the coach says goodbye. */
export const LAST_ROUND = 4;

export const first_play: Script = (scene) => {
  switch (scene.moment) {
    case "1 bid":
      return [
        say(m.coach_play_welcome(), "hand"),
        trump(scene),
        say(m.coach_play_bid(), "decision"),
      ];
    case "2 bid":
      return [say(m.coach_foretelling_score(), "own"), say(m.coach_foretelling_wrong())];
    case "2 play 0":
      return scene.myTurn && scene.lying.length > 0 ? [say(m.coach_play_follow(), "trick")] : [];
    case "3 bid":
      return [
        say(m.coach_wizards_wizard(), ...held(scene, "W")),
        say(m.coach_wizards_jester(), ...held(scene, "J")),
      ];
    case `${LAST_ROUND} bid`:
      return [say(m.coach_play_end())];
    default:
      return [];
  }
};

function trump({ view }: Scene): Line {
  return view.trump === null || view.trump === "none"
    ? say(m.coach_play_no_trump(), "trump")
    : say(m.coach_play_trump({ suit: view.trump }), "trump");
}

function held(scene: Scene, code: string): { cards: readonly string[] }[] {
  return scene.holds(code) ? [card(code)] : [];
}
