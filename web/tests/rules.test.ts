import { describe, expect, it } from "vitest";
import { anchorOf } from "../src/lib/rules/anchors";
import { chaptersOf, type Game } from "../src/lib/rules/chapters";
import { paragraph } from "../src/lib/rules/paragraphs";
import type { Rules } from "../src/lib/net/protocol.gen";

const base: Rules = {
  players: 4,
  mode: "standard",
  specials: [],
  bidding: "open",
  bid_rule: "free",
  clairvoyance: "off",
  dark_wizard: false,
  suit_after_wizard: "free",
  rounds: "all",
  dealer_by: "random",
};
const sizes = Array.from({ length: 15 }, (_, index) => index + 1);

function game(changes: Rules = {}, usesAllCards = true): Game {
  return { rules: { ...base, ...changes }, sizes, usesAllCards };
}

function words(one: Game): string {
  return chaptersOf(one)
    .flatMap(({ parts }) => parts)
    .flatMap(({ text, list = [], tricks = [] }) => [text, ...list, ...tricks.map((t) => t.text)])
    .join("\n");
}

/** Every anchor. */
function addresses(one: Game): string[] {
  return chaptersOf(one).flatMap(({ id, parts }) => [id, ...parts.map((part) => part.id ?? "")]);
}

describe("the rules of a game", () => {
  it("tell what is played, and nothing else", () => {
    expect(words(game())).not.toMatch(/Dragon|Cloud|sealed|dark/i);
    expect(words(game({ bidding: "secret" }))).toContain("stay sealed until the round is over");
    expect(words(game({ dark_wizard: true }))).toContain("the one played last");
    expect(words(game({ specials: ["CL"] }))).toContain("9¾");
  });

  it("have no trump and nothing to follow with one colour each", () => {
    const own = game({ mode: "monocolour" });
    expect(chaptersOf(own).map(({ id }) => id)).not.toContain("trump");
    expect(words(own)).toContain("every card may be played at any time");
    expect(words(own)).not.toContain("highest trump");
  });

  it("name the cards that leave a round without trump, or to the dealer", () => {
    const all = words(game({ specials: ["DR", "FA", "BO", "WE", "JU", "CL", "SH"] }, false));
    expect(all).toContain("Jester, Fairy, and Bomb: there is no trump in this round.");
    expect(words(game())).toContain("Jester: there is no trump in this round.");
    expect(words(game())).toContain("If no card is left");
    expect(all).not.toContain("If no card is left");
  });

  it.each(["must_follow", "bid_range", "bid_forbidden", "trump_required", "cloud_range"])(
    "explain a refusal for %s",
    (code) => {
      expect(addresses(game({ specials: ["CL"] }))).toContain(anchorOf(code));
    },
  );

  it("have no rule behind a lost connection", () => {
    expect(anchorOf("unreachable")).toBeNull();
    expect(paragraph("bidding", "by_telepathy")).toBeNull();
  });
});
