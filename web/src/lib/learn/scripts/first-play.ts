/** The first game ever, against bots and with whatever cards are dealt: the coach stays for three rounds. */
import { m } from "../../messages.svelte";
import { card, say, type Script } from "../lines";
import type { Scene } from "../scene";

/** The round in which the coach says goodbye. */
export const LAST_ROUND = 4;

export const first_play: Script = (scene) => {
  switch (scene.moment) {
    case "1 bid":
      return [
        say(m.coach_play_welcome(), "hand"),
        say(`${trump(scene)} ${m.coach_play_bid()}`, "trump", "decision"),
      ];
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

function trump({ view }: Scene): string {
  return view.trump === null || view.trump === "none"
    ? m.coach_play_no_trump()
    : m.coach_play_trump({ suit: view.trump });
}

function figures(scene: Scene): string[] {
  return ["W", "J"].filter((code) => scene.holds(code));
}
