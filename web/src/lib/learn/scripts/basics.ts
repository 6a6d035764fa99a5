/** The basics: tricks, trump, Wizards and Jesters, foretelling, a first game. */
import { m } from "../../messages.svelte";
import { card, say, type Script } from "../lines";

export const tricks: Script = (scene) => {
  const { view } = scene;
  switch (scene.moment) {
    case "1 bid":
      return [
        say(m.coach_tricks_cards(), "hand"),
        say(m.coach_tricks_trick(), "trick"),
        say(m.coach_tricks_bid(), "decision", card("B12")),
      ];
    case "1 play 0":
      if (!scene.myTurn) return [];
      return [
        scene.why("play Y1") === undefined
          ? null
          : say(m.coach_tricks_follow({ name: scene.leftName }), "trick"),
        scene.wantsMore && scene.may("B12") ? say(m.coach_tricks_high(), card("B12")) : null,
        say(m.coach_tricks_how(), "hand"),
      ];
    case "1 play 1":
      return scene.myTurn && view.trick?.leader === scene.me && scene.isDone
        ? [say(m.coach_tricks_lead(), "hand")]
        : [];
    default:
      return [];
  }
};

export const trump: Script = (scene) => {
  const { view } = scene;
  switch (scene.moment) {
    case "1 bid":
      return [
        say(m.coach_trump_turned(), "trump"),
        say(m.coach_trump_beats(), card("G8")),
        say(m.coach_trump_bid(), "decision"),
      ];
    case "1 play 0":
      return scene.myTurn && view.follow === "B"
        ? [
            say(m.coach_trump_free({ name: scene.leftName }), "trick"),
            scene.wantsMore ? say(m.coach_trump_play(), card("G8")) : null,
          ]
        : [];
    case "1 play 1":
      return scene.myLast === "G8" && scene.lastWinning === "G8"
        ? [
            say(m.coach_trump_won(), "trump"),
            scene.myTurn && scene.isDone ? say(m.coach_trump_rest(), "hand") : null,
          ]
        : [];
    default:
      return [];
  }
};

export const wizards: Script = (scene) => {
  switch (scene.moment) {
    case "1 bid":
      return [
        say(m.coach_wizards_both(), card("W", "J")),
        say(m.coach_wizards_wizard(), card("W")),
        say(m.coach_wizards_jester(), card("J")),
        say(m.coach_wizards_bid(), "decision", card("W", "R6")),
      ];
    case "1 play 0":
      return scene.myTurn && scene.wantsMore && scene.may("R6")
        ? [say(m.coach_wizards_trump(), card("R6"))]
        : [];
    default:
      if (!scene.myTurn || scene.view.phase !== "play") return [];
      if (scene.wantsMore && scene.may("W")) {
        const first = !scene.lying.some((one) => one.card === "W");
        return [say(first ? m.coach_wizards_now() : m.coach_wizards_late(), card("W"))];
      }
      return scene.isDone && scene.may("J") ? [say(m.coach_wizards_lose(), card("J"))] : [];
  }
};

export const foretelling: Script = (scene) => {
  const { view } = scene;
  switch (scene.moment) {
    case "1 bid": {
      const said = view.foretold ?? 0;
      return [
        say(m.coach_foretelling_score(), "own"),
        say(m.coach_foretelling_wrong()),
        scene.myTurn ? say(m.coach_foretelling_others({ said, size: view.size }), "seats") : null,
        say(m.coach_foretelling_bid(), "decision", card("B12", "B5", "B4")),
      ];
    }
    case "1 play 0":
      return scene.myTurn && scene.lying[0]?.card === "W" && scene.may("Y5")
        ? [say(m.coach_foretelling_wizard({ name: scene.leftName }), card("Y5"))]
        : [];
    case "1 play 1":
      return scene.myTurn &&
        scene.wantsMore &&
        view.follow === "Y" &&
        Object.keys(view.why).length === 0
        ? [say(m.coach_foretelling_trump(), card("B4"))]
        : [];
    case "1 play 2":
      return scene.myTurn && view.trick?.leader === scene.me
        ? [say(m.coach_foretelling_lead(), "hand")]
        : [];
    default:
      return [];
  }
};

export const first_game: Script = (scene) => {
  switch (scene.moment) {
    case "1 bid":
      return [
        say(m.coach_first_game_start()),
        say(m.coach_first_game_one(), "trump", "hand"),
        say(m.coach_first_game_yours(), "decision"),
      ];
    case "2 bid":
      return [
        say(m.coach_first_game_dealer(), "seats"),
        say(m.coach_first_game_two(), "decision", card("W")),
      ];
    case "3 bid":
      return [
        say(m.coach_first_game_three(), "trump", "hand"),
        say(m.coach_first_game_first(), "decision"),
      ];
    default:
      return [];
  }
};
