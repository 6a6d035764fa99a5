import { describe, expect, it } from "vitest";
import { capitalised, phrasesOf, settingsPhrases, variantName } from "../src/lib/words/rules";

const base = {
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

describe("a game in words", () => {
  it("leaves out what goes without saying", () => {
    expect(phrasesOf(base, 15)).toEqual(["4 players", "15 rounds"]);
  });

  it("names what is special", () => {
    const rules = { ...base, bidding: "hidden", dark_wizard: true, specials: ["SH", "BO"] };
    expect(phrasesOf(rules, 1)).toEqual([
      "4 players",
      "1 round",
      "Shapeshifter, Bomb",
      "hidden bids",
      "dark Wizards",
    ]);
  });

  it("counts many special cards", () => {
    const phrase = (cards: string[]): string | undefined =>
      phrasesOf({ ...base, specials: cards }, 15)[2];
    expect(phrase(["SH", "BO", "WE"])).toBe("3 special cards");
    expect(phrase(["DR", "FA", "BO", "WE", "JU", "CL", "SH"])).toBe("all special cards");
  });

  it("names a variant by what it changes", () => {
    expect(variantName({ clairvoyance: "first_round", specials: [] })).toBe(
      "Clairvoyance in the one-card round",
    );
    expect(variantName({ specials: [] })).toBe("No special cards");
  });

  it("tells the settings", () => {
    const settings = {
      clock: 45,
      public: true,
      spectators: false,
      pace: 700,
      open: false,
      patience: 180,
    };
    expect(settingsPhrases(settings)).toEqual(["45 seconds per turn", "public", "no spectators"]);
    expect(capitalised("")).toBe("");
  });
});
