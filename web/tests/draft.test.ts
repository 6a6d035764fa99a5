import { describe, expect, it } from "vitest";
import { RulesDraft } from "../src/lib/newtable/draft.svelte";
import { FULL_GAME } from "../src/lib/newtable/minutes";
import { isPlain } from "../src/lib/newtable/presets";
import type { Excluded, Options, Refusal, Rules } from "../src/lib/net/protocol.gen";

/** A small made-up game: the draft knows no rules, so any will do. */
const options: Options["options"] = {
  players: { default: 4, values: ["2", "3", "4"], meaning: "" },
  mode: { default: "standard", values: ["standard", "duel"], meaning: "" },
  bidding: { default: "open", values: ["open", "hidden"], meaning: "" },
  specials: { default: [], values: ["SH", "DR", "FA"], meaning: "" },
};

function clash(option: string, other: string): Refusal {
  return { code: "bad_rules", params: { option, other }, reason: "no" };
}

async function ask(choice: Rules) {
  const duel = choice.mode === "duel";
  const implied = { players: duel ? 2 : 4, mode: "standard", bidding: "open", specials: [] };
  const preset = choice.edition === "party" ? { specials: ["SH"] } : {};
  const rules: Rules = { ...implied, ...preset, ...choice };
  const cards = rules.specials as string[];
  if (duel !== (rules.players === 2)) throw clash("players", "mode");
  if (duel && rules.bidding !== "open") throw clash("bidding", "mode");
  if (duel && cards.length > 0) throw clash("specials", "mode");
  if (cards.includes("DR") !== cards.includes("FA")) throw clash("specials", "specials");
  return { rules, sizes: [1, 2, 3], turned: [true, true, true], excluded: [] as Excluded[] };
}

async function draftOf(chosen: Rules): Promise<RulesDraft> {
  const draft = new RulesDraft(chosen, ask);
  await draft.load();
  return draft;
}

function excluded(option: string, value: Excluded["value"], other: string): Excluded {
  return { option, value, ...clash(option, other) };
}

it("has the latest choice once it is settled", async () => {
  const draft = await draftOf({});
  void draft.choose({ bidding: "hidden" });
  expect(draft.chosen).toEqual({});
  await draft.settled();
  expect(draft.chosen).toEqual({ bidding: "hidden" });
});

describe("a draft of the rules", () => {
  it("shows a choice at once and keeps it when the server agrees", async () => {
    const draft = await draftOf({});
    const answered = draft.choose({ bidding: "hidden" });
    expect(draft.rules.bidding).toBe("hidden");
    expect(await answered).toBe(true);
    expect(draft.chosen).toEqual({ bidding: "hidden" });
  });

  it("takes a choice back when the server refuses, and says why", async () => {
    const draft = await draftOf({ bidding: "hidden" });
    expect(await draft.choose({ mode: "duel" })).toBe(false);
    expect(draft.rules.mode).toBe("standard");
    expect(draft.refusal).toMatchObject({ params: { option: "bidding" } });
  });

  it("builds quick choices on each other", async () => {
    const draft = await draftOf({});
    await Promise.all([draft.choose({ players: 3 }), draft.choose({ bidding: "hidden" })]);
    expect(draft.chosen).toEqual({ players: 3, bidding: "hidden" });
  });

  it("finds what must change for a value that clashes", async () => {
    const draft = await draftOf({ bidding: "hidden", players: 3 });
    const mended = await draft.mended(excluded("mode", "duel", "players"), options);
    expect(mended).toEqual({ mode: "duel" });
  });

  it("finds the other value that a choice needs, against the preset too", async () => {
    const draft = await draftOf({ edition: "party" });
    const mended = await draft.mended(excluded("players", 2, "mode"), options);
    expect(mended).toEqual({ edition: "party", players: 2, mode: "duel", specials: [] });
  });

  it("brings the card that another one needs, and takes both away again", async () => {
    const draft = await draftOf({});
    const added = await draft.mended(excluded("specials", ["DR"], "specials"), options);
    expect(added).toEqual({ specials: ["DR", "FA"] });
    await draft.adopt({ specials: ["SH", "DR", "FA"] });
    const removed = await draft.mended(excluded("specials", ["SH", "FA"], "specials"), options);
    expect(removed).toEqual({ specials: ["SH"] });
  });

  it("goes on where one change brings up the next", async () => {
    const draft = await draftOf({ mode: "duel" });
    const mended = await draft.mended(excluded("specials", ["DR"], "mode"), options);
    expect(mended).toEqual({ specials: ["DR", "FA"] });
  });

  it("knows when nothing helps", async () => {
    const draft = new RulesDraft({}, () => Promise.reject(clash("players", "mode")));
    expect(await draft.mended(excluded("players", 2, "mode"), options)).toBeNull();
  });
});

describe("a game to begin with", () => {
  it("is one that the first lesson fits", () => {
    expect(isPlain({ edition: "amigo", rounds: "1-7" })).toBe(true);
    expect(isPlain({ edition: "amigo", players: 6 })).toBe(true);
    expect(isPlain({ edition: "anniversary" })).toBe(false);
    expect(isPlain({ edition: "amigo", bidding: "secret" })).toBe(false);
  });

  it("takes about half an hour if it is a full one", () => {
    expect(FULL_GAME).toBe(35);
  });
});
