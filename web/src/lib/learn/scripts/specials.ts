/** A lesson for each special card: what it does, and a good moment for it. */
import { cardForms, cardName } from "../../cards/card";
import { m } from "../../messages.svelte";
import { bare } from "../../game/actions";
import { card, say, type Script } from "../lines";
import type { Scene } from "../scene";

/** Whether the student can still use the card, and must play one now. */
function ready(scene: Scene, code: string): boolean {
  return scene.view.phase === "play" && scene.myTurn && scene.may(code);
}

/** The card as it lay in the trick just finished. */
function justPlayed(scene: Scene, code: string): string | null {
  const last = scene.myLast;
  return last !== null && bare(last) === code ? last : null;
}

export const shapeshifter: Script = (scene) => {
  if (scene.moment === "1 bid") {
    return [
      say(m.coach_shapeshifter_is(), card("SH")),
      say(m.coach_shapeshifter_use(), card("SH")),
      say(m.coach_shapeshifter_bid(), "decision"),
    ];
  }
  const as = justPlayed(scene, "SH");
  const lines = [
    as === "SH=W" ? say(m.coach_shapeshifter_wizard(), "own") : null,
    as === "SH=J" ? say(m.coach_shapeshifter_jester(), "own") : null,
  ];
  if (ready(scene, "SH")) {
    const late = scene.lying.some((one) => one.card === "W");
    lines.push(
      late
        ? say(m.coach_shapeshifter_late(), "trick")
        : scene.wantsMore
          ? say(m.coach_shapeshifter_now(), card("SH"))
          : say(m.coach_shapeshifter_dodge(), card("SH")),
    );
  }
  return lines;
};

export const dragon: Script = (scene) => {
  if (scene.moment === "1 bid") {
    return [
      say(m.coach_dragon_is(), card("DR")),
      say(m.coach_dragon_fairy(), card("DR")),
      say(m.coach_dragon_bid(), "decision", card("DR", "G13")),
    ];
  }
  return [
    justPlayed(scene, "DR") !== null ? say(m.coach_dragon_won(), "own") : null,
    ready(scene, "DR") && scene.wantsMore
      ? say(
          scene.lying.some((one) => one.card === "W")
            ? m.coach_dragon_wizard()
            : m.coach_dragon_now(),
          card("DR"),
        )
      : null,
  ];
};

export const fairy: Script = (scene) => {
  if (scene.moment === "1 bid") {
    return [
      say(m.coach_fairy_is(), card("FA")),
      say(m.coach_fairy_wait(), card("FA")),
      say(m.coach_fairy_bid(), "decision", card("FA", "B4")),
    ];
  }
  const won = justPlayed(scene, "FA") !== null && scene.last?.winner === scene.me;
  const lines = [
    won ? say(m.coach_fairy_won(), "own") : null,
    justPlayed(scene, "FA") !== null && !won ? say(m.coach_fairy_lost(), "own") : null,
  ];
  if (ready(scene, "FA")) {
    if (scene.lying.some((one) => one.card === "DR")) {
      if (scene.wantsMore) lines.push(say(m.coach_fairy_now(), card("FA"), "trick"));
    } else if (scene.lying.some((one) => one.card === "W") && scene.may("J")) {
      lines.push(say(m.coach_fairy_throw(), card("J")));
    } else if (scene.wantsMore && scene.view.follow === "R" && scene.may("B4")) {
      lines.push(say(m.coach_fairy_trump(), card("B4")));
    } else if (scene.view.legal.length > 1) {
      lines.push(say(m.coach_fairy_keep(), "hand"));
    }
  }
  return lines;
};

export const bomb: Script = (scene) => {
  if (scene.moment === "1 bid") {
    return [
      say(m.coach_bomb_is(), card("BO")),
      say(m.coach_bomb_use(), "seats"),
      say(m.coach_bomb_bid(), "decision"),
    ];
  }
  const winning = scene.view.trick?.winning ?? null;
  return [
    justPlayed(scene, "BO") === null
      ? null
      : say(m.coach_bomb_gone({ name: scene.name(scene.last?.next_leader ?? null) }), "trick"),
    ready(scene, "BO") && winning !== null && winning !== scene.me
      ? say(m.coach_bomb_now({ name: scene.name(winning) }), card("BO"))
      : null,
  ];
};

export const werewolf: Script = (scene) => {
  switch (scene.moment) {
    case "1 trump":
      return [
        say(m.coach_werewolf_swap({ card: cardName(scene.view.turned ?? "") }), "trump"),
        say(m.coach_werewolf_name(), "decision"),
        say(m.coach_werewolf_advice(), "hand", "decision"),
      ];
    case "1 bid": {
      const trump = scene.view.trump ?? "none";
      const holdsTrump = scene.view.hand?.some((code) => code.startsWith(trump)) ?? false;
      return holdsTrump ? [say(m.coach_werewolf_bid(), "decision")] : [];
    }
    default:
      return [];
  }
};

export const juggler: Script = (scene) => {
  if (scene.moment === "1 bid") {
    return [
      say(m.coach_juggler_is(), card("JU")),
      say(m.coach_juggler_pass(), "seats"),
      say(m.coach_juggler_bid(), "decision"),
    ];
  }
  if (scene.view.phase === "pass") return [say(m.coach_juggler_choose(), "hand")];
  const { passed } = scene.view;
  const lines = [
    justPlayed(scene, "JU") !== null && passed?.given && passed.received
      ? say(
          m.coach_juggler_got({
            given: cardForms(passed.given),
            received: cardForms(passed.received),
          }),
          "hand",
        )
      : null,
  ];
  if (ready(scene, "JU")) {
    const wizard = scene.lying.some((one) => one.card === "W");
    lines.push(
      wizard ? say(m.coach_juggler_wait(), "trick") : say(m.coach_juggler_now(), card("JU")),
    );
  }
  return lines;
};

export const cloud: Script = (scene) => {
  if (scene.moment === "1 bid") {
    return [
      say(m.coach_cloud_is(), card("CL")),
      say(m.coach_cloud_change(), card("CL")),
      say(m.coach_cloud_bid(), "decision"),
    ];
  }
  if (scene.view.phase === "cloud") {
    return [say(m.coach_cloud_choose({ taken: scene.taken }), "decision")];
  }
  const lines = [
    justPlayed(scene, "CL") !== null
      ? say(
          scene.last?.winner === scene.me
            ? m.coach_cloud_yours()
            : m.coach_cloud_theirs({ name: scene.name(scene.last?.winner ?? null) }),
          "own",
        )
      : null,
  ];
  if (ready(scene, "CL")) {
    const wizard = scene.lying.some((one) => one.card === "W");
    lines.push(wizard ? say(m.coach_cloud_wait(), "trick") : say(m.coach_cloud_now(), card("CL")));
  }
  return lines;
};
