import { describe, expect, it } from "vitest";
import { balance, narrate, type Teller } from "../../src/lib/game/narrate";
import { knownPhrases, phraseText } from "../../src/lib/game/words";
import type { TableEvent } from "../../src/lib/net/protocol.gen";
import { act } from "../net/fixtures";

const you: Teller = { names: ["Ana", "Ben", "Cleo"], you: 0 };
const watcher: Teller = { ...you, you: null };

describe("what happened", () => {
  it.each([
    ["bid 2", "Ben bids 2."],
    ["bid", "Ben has bid."],
    ["trump R", "Ben makes red trump."],
    ["trump none", "Ben chooses no trump."],
    ["play R9", "Ben plays the red 9."],
    ["pass", "Ben has chosen a card to pass."],
    ["cloud -1", "The Cloud: Ben’s bid changes by −1."],
  ])("is told of another: %s", (action, sentence) => {
    expect(narrate(act(1, { action }), you)).toEqual([sentence]);
  });

  it.each([
    ["bid 2", "You bid 2."],
    ["trump Y", "You make yellow trump."],
    ["play W", "You play a Wizard."],
    ["pass B3", "You pass the blue 3."],
    ["cloud +1", "The Cloud: your bid changes by +1."],
  ])("is told of yourself: %s", (action, sentence) => {
    expect(narrate(act(1, { seat: 0, action }), you)).toEqual([sentence]);
  });

  it("names who took the trick, or that the Bomb did", () => {
    const trick = { leader: 1, plays: ["R9", "R2", "R4"], winner: 0, next_leader: 0 };
    expect(narrate(act(1, { trick }), you).at(-1)).toBe("You take the trick.");
    expect(narrate(act(1, { trick }), watcher).at(-1)).toBe("Ana takes the trick.");
    const bombed = { ...trick, winner: null, next_leader: 2 };
    expect(narrate(act(1, { trick: bombed }), you).at(-1)).toBe(
      "The Bomb: nobody takes the trick. Cleo leads next.",
    );
  });

  it("reads out all bids", () => {
    expect(narrate(act(1, { action: "bid", bids: [1, 0, 2] }), you)).toEqual([
      "Ben has bid.",
      "You 1, Ben 0, Cleo 2.",
    ]);
  });

  it("says how the bids stand against the tricks", () => {
    expect([2, 1, 0, -1, -2].map(balance)).toEqual([
      "2 too many",
      "one too many",
      "exactly enough",
      "one too few",
      "2 too few",
    ]);
  });

  it("tells the own result of a round and what is dealt next", () => {
    const round = {
      size: 2,
      dealer: 0,
      turned: null,
      trump: null,
      bids: [1, 0, 2],
      scored_bids: [2, 0, 2],
      taken: [2, 0, 0],
      points: [40, 20, -20],
      totals: [40, 20, -20],
    } as const;
    const next = { round: 3, size: 3, dealer: 1, turned: "G5", werewolf: null };
    const event = act(1, { round: structuredClone(round) as never, next });
    expect(narrate(event, you).slice(1)).toEqual([
      "Round over. You bid 2 and took 2: +40 points.",
      "Round 3: 3 cards. Ben deals.",
      "Turned up: Green 5.",
    ]);
    expect(narrate(event, watcher)).toHaveLength(1 + 3 + 2);
    const swapped = act(1, { next: { ...next, werewolf: 0 } });
    expect(narrate(swapped, you).at(-1)).toBe("You swap the Werewolf for the green 5.");
  });

  it("tells what came of the own pass", () => {
    const event = act(1, { action: "pass", passed: { given: "G10", received: "W" } });
    expect(narrate(event, you).at(-1)).toBe("You gave the green 10 and received a Wizard.");
    const watched = act(1, { action: "pass", passed: null });
    expect(narrate(watched, watcher)).toHaveLength(1);
  });

  it("tells who has won", () => {
    const won = (winners: number[]): string | undefined =>
      narrate(act(1, { outcome: { winners, places: [] } }), you).at(-1);
    expect(won([0])).toBe("The game is over. You win!");
    expect(won([2])).toBe("The game is over. Cleo wins.");
    expect(won([0, 2])).toBe("The game is over. Ana, Cleo share the win.");
  });

  it("tells who comes and goes", () => {
    const told = (event: object): string[] => narrate({ n: 1, at: 1, ...event } as TableEvent, you);
    expect(told({ e: "stand_in", seat: 2, reason: "absent" })).toEqual([
      "Cleo is away: a bot plays on.",
    ]);
    expect(told({ e: "stand_in", seat: 0, reason: "clock" })).toEqual([
      "Your time is up: a bot makes this decision for you.",
    ]);
    expect(told({ e: "back", seat: 2 })).toEqual(["Cleo is back."]);
    expect(told({ e: "settings" })).toEqual([]);
  });

  it("tells no more than there is to those who may not watch", () => {
    expect(narrate({ e: "act", n: 1, at: 1 } as TableEvent, watcher)).toEqual([]);
  });
});

it("has words for every phrase of the server", () => {
  for (const phrase of knownPhrases) expect(phraseText(phrase)).not.toMatch(/phrase|_/);
  expect(phraseText("new_phrase")).toBe("new phrase");
});
