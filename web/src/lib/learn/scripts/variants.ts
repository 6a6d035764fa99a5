/** A lesson for each variant: what is different, at the moment when it matters. */
import { m } from "../../messages.svelte";
import { card, say, type Line, type Script } from "../lines";
import type { Scene } from "../scene";

export const plus_minus_one: Script = (scene) => {
  if (scene.moment !== "1 bid") return [];
  return [
    say(m.coach_plus_minus_one_rule()),
    say(m.coach_plus_minus_one_last(), "own"),
    barredBid(scene),
    scene.myTurn ? say(m.coach_plus_minus_one_bid(), "decision", card("B12")) : null,
  ];
};

/** The bid that is struck out, once the others have bid. */
function barredBid({ view }: Scene): Line | null {
  const barred = Object.keys(view.why).find((action) => action.startsWith("bid "));
  if (barred === undefined) return null;
  return say(
    m.coach_plus_minus_one_barred({
      said: view.foretold ?? 0,
      barred: Number(barred.slice("bid ".length)),
      size: view.size,
    }),
    "decision",
  );
}

export const leader_uneven: Script = (scene) => {
  switch (scene.moment) {
    case "1 bid":
      return [
        say(m.coach_leader_uneven_rule()),
        say(m.coach_leader_uneven_wizard(), "decision", card("W")),
      ];
    case "2 bid": {
      if (!scene.myTurn) return [];
      const barred = barredBid(scene);
      return barred === null
        ? [say(m.coach_leader_uneven_free(), "decision")]
        : [
            say(m.coach_leader_uneven_bound(), "own"),
            barred,
            say(m.coach_leader_uneven_bid(), "decision", card("R13", "R12")),
          ];
    }
    default:
      return [];
  }
};

export const hidden: Script = (scene) => {
  switch (scene.moment) {
    case "1 bid":
      return [say(m.coach_hidden_rule()), say(m.coach_hidden_bid(), "decision", card("W", "G12"))];
    case "1 play 0":
      return [
        say(m.coach_hidden_shown(), "seats"),
        scene.myTurn ? say(m.coach_hidden_play(), "hand") : null,
      ];
    default:
      return [];
  }
};

export const secret: Script = (scene) => {
  switch (scene.moment) {
    case "1 bid":
      return [say(m.coach_secret_rule()), say(m.coach_secret_bid(), "decision", card("W", "G12"))];
    case "1 play 0":
      return [
        say(m.coach_secret_sealed(), "seats"),
        scene.myTurn ? say(m.coach_secret_play(), "hand") : null,
      ];
    default:
      return [];
  }
};

export const clairvoyance: Script = (scene) => {
  switch (scene.moment) {
    case "1 bid":
      return [
        say(m.coach_clairvoyance_rule(), "hand"),
        say(m.coach_clairvoyance_look({ name: scene.leftName }), "seen"),
        say(m.coach_clairvoyance_bid(), "decision"),
      ];
    case "1 play 0":
      return [say(m.coach_clairvoyance_open(), "hand")];
    case "2 bid":
      return [
        say(m.coach_clairvoyance_again(), "seen", "trump"),
        say(m.coach_clairvoyance_guess(), "decision"),
      ];
    default:
      return [];
  }
};

export const monocolour: Script = (scene) => {
  switch (scene.moment) {
    case "1 bid":
      return [
        say(m.coach_monocolour_deck(), "hand"),
        say(m.coach_monocolour_rule(), "trick"),
        say(m.coach_monocolour_bid(), "decision", card("W")),
      ];
    case "1 play 0":
      return scene.myTurn ? [say(m.coach_monocolour_free(), "hand")] : [];
    default:
      return [];
  }
};

export const two_players: Script = (scene) => {
  switch (scene.moment) {
    case "1 bid":
      return [
        say(m.coach_two_players_rule()),
        say(m.coach_two_players_secret(), "seats"),
        say(m.coach_two_players_bid(), "decision"),
      ];
    case "2 bid":
      return [
        say(m.coach_two_players_out({ count: scene.view.out.length })),
        say(m.coach_two_players_count(), "decision"),
      ];
    default:
      return [];
  }
};

export const dark_wizard: Script = (scene) => {
  if (scene.moment === "1 bid") {
    return [
      say(m.coach_dark_wizard_rule(), card("W")),
      say(m.coach_dark_wizard_bid(), "decision", card("W", "R11", "R10")),
    ];
  }
  if (scene.view.phase !== "play") return [];
  if (scene.myTurn && scene.may("W") && scene.lying.some((one) => one.card === "W")) {
    return [
      say(
        m.coach_dark_wizard_there({ name: scene.name(scene.view.trick?.winning ?? null) }),
        "trick",
      ),
      say(m.coach_dark_wizard_now(), card("W")),
    ];
  }
  const wizards = scene.last?.plays.filter((one) => one === "W").length ?? 0;
  const won = wizards > 1 && scene.last?.winner === scene.me;
  return won && scene.myLast === "W" ? [say(m.coach_dark_wizard_won(), "own")] : [];
};
