import { describe, expect, it } from "vitest";
import { chaptersOf, nextAfter } from "../src/lib/learn/course";
import { linesAt, type Line } from "../src/lib/learn/lines";
import { readProgress } from "../src/lib/learn/progress.svelte";
import { Scene } from "../src/lib/learn/scene";
import { scripts } from "../src/lib/learn/scripts";
import type { View } from "../src/lib/net/protocol.gen";
import { offs, view } from "./net/fixtures";

const names = ["Ana", "Ada", "Bran"];

/** The first lesson as its table sends it, the student in seat 0. */
const dealt: View = {
  ...view,
  phase: "bid",
  to_act: [0],
  legal: ["bid 0", "bid 1"],
  why: {},
  round: 1,
  size: 3,
  dealer: 0,
  hand: ["B2", "B12", "Y1"],
  bids: [null, 1, 1],
  off: offs([null, 1, 1], 3),
  sealed: [false, false, false],
  taken: [0, 0, 0],
  set_aside: [],
  trick: null,
  follow: null,
  last_trick: null,
  sheet: [],
  outcome: null,
};
const playing: View = {
  ...dealt,
  phase: "play",
  legal: ["play B2", "play B12"],
  why: { "play Y1": { code: "must_follow", params: { suit: "B" }, reason: "" } },
  bids: [1, 1, 1],
  off: offs([1, 1, 1], 3),
  trick: { leader: 1, plays: ["B6", "R3"], winning: 1 },
  follow: "B",
};

const counted = {
  size: 3,
  dealer: 0,
  turned: "J",
  trump: "none" as const,
  bids: [1, 1, 1],
  scored_bids: [1, 1, 1],
  taken: [1, 2, 0],
  off: [0, 1, -1],
  points: [30, -10, -10],
  totals: [30, -10, -10],
};

function told(now: View, lesson = "tricks"): string[] {
  return linesAt(new Scene(now, 0, names), scripts[lesson]).map(({ text }) => text);
}

describe("the coach", () => {
  it("knows from the view alone where the pupil is", () => {
    const moment = (now: View): string => new Scene(now, 0, names).moment;
    expect(moment(dealt)).toBe("1 bid");
    expect(moment({ ...dealt, bids: [1, null, null], to_act: [1] })).toBe("wait");
    expect(moment(playing)).toBe("1 play 0");
    expect(moment({ ...playing, taken: [1, 0, 0], finished: 1, trick: null })).toBe("1 play 1");
    expect(moment({ ...playing, trick: { leader: 0, plays: ["B2"], winning: 0 } })).toBe("wait");
    expect(moment({ ...playing, outcome: { winners: [0], places: [1, 2, 3] } })).toBe("over");
  });

  it("explains why a card has to wait, as long as it has to", () => {
    expect(told(playing)).toContain(
      "Ada led blue and you have blue, so you must follow. The yellow 1 has to wait.",
    );
    expect(told({ ...playing, why: {} }).join()).not.toContain("has to wait");
  });

  it("copes with a pupil who does something else", () => {
    const other: View = {
      ...playing,
      bids: [0, 1, 1],
      off: offs([0, 1, 1], 3),
      taken: [1, 0, 0],
      finished: 1,
      hand: ["B2", "Y1"],
      legal: ["play B2", "play Y1"],
      why: {},
      trick: { leader: 0, plays: [], winning: null },
      last_trick: { leader: 1, plays: ["B6", "R3", "B12"], winner: 0, next_leader: 0 },
    };
    expect(told(other)[0]).toBe(
      "The blue 12 took the trick: it is yours. Nobody played trump, so the highest card of the suit led wins. " +
        "That is more than you foretold. It happens; play on.",
    );
  });

  it("helps with the bid that was made, not with the one it would have made", () => {
    const high = "Your 12 is higher than the 6. Play it, and the trick is yours.";
    expect(told(playing)).toContain(high);
    expect(told({ ...playing, off: offs([0, 1, 1], 3) })).not.toContain(high);
    const leads: View = {
      ...playing,
      taken: [1, 0, 0],
      finished: 1,
      hand: ["B2", "Y1"],
      legal: ["play B2", "play Y1"],
      why: {},
      trick: { leader: 0, plays: [], winning: null },
      follow: null,
      last_trick: { leader: 1, plays: ["B6", "R3", "B12"], winner: 0, next_leader: 0 },
    };
    const low = "Whoever takes a trick leads the next. Lead something low now.";
    expect(told(leads).at(-1)).toBe(low);
    expect(told({ ...leads, off: offs([2, 1, 1], 3) })).toEqual([
      "The blue 12 took the trick: it is yours. Nobody played trump, so the highest card of the suit led wins. " +
        "You need one more.",
      "You lead: play any card you like.",
    ]);
  });

  it.each([
    ["A Wizard beats every suit, trump too.", "R", ["B6", "W", "R12"], 2],
    ["Of several Wizards, the first one wins.", "R", ["W", "W", "B1"], 1],
    ["Of several Wizards, the last one wins.", "R", ["W", "W", "B1"], 2],
    ["Trump beats every other suit.", "R", ["B6", "R3", "B12"], 2],
    ["Of several trumps, the highest wins.", "R", ["B6", "R3", "R12"], 0],
    ["Nobody played trump, so the highest card of the suit led wins.", "R", ["B6", "G3", "B12"], 0],
  ] as const)("says why a trick was won: %s", (why, trump, plays, winner) => {
    const trick = { leader: 1, plays: [...plays], winner, next_leader: winner };
    const now: View = { ...playing, trump, finished: 1, last_trick: trick, trick: null };
    expect(told(now)[0]).toContain(why);
    // Where a suit has no rank, neither is the reason.
    const scene = new Scene(now, 0, names, { mode: "monocolour" });
    expect(linesAt(scene, undefined)[0]?.text).not.toContain(why);
  });

  it("speaks of what lies there now, and looks back only if asked", () => {
    const last_trick = { leader: 1, plays: ["B6", "R3", "B12"], winner: 1, next_leader: 1 };
    const past = (now: View): boolean[] =>
      linesAt(new Scene({ ...now, finished: 1, last_trick }, 0, names), undefined).map(
        (line) => line.past === true,
      );
    expect(
      past({ ...playing, to_act: [1], trick: { leader: 1, plays: [], winning: null } }),
    ).toEqual([false]);
    expect(past(playing)).toEqual([true, false]);
  });

  it("tells the end of a round: its last trick, then its points", () => {
    const last_trick = { leader: 1, plays: ["B6", "R3", "B12"], winner: 0, next_leader: 0 };
    const ended: View = { ...playing, finished: 3, to_act: [], trick: null, last_trick };
    expect(new Scene(ended, 0, names).moment).toBe("1 end");
    expect(told(ended)).toEqual([expect.stringContaining("The blue 12 took the trick")]);
    expect(told({ ...ended, sheet: [counted] })).toEqual([
      "Exactly as foretold! 20 points, and 10 for the trick: +30.",
    ]);
  });

  /** The suit led, the hand and what may be played, as seen in the first game. */
  function asked(hand: string[], legal = hand): string | undefined {
    const barred = hand.filter((held) => !legal.includes(held));
    const refusal = { code: "must_follow", params: { suit: "R" }, reason: "" } as const;
    const now: View = {
      ...playing,
      round: 3,
      hand,
      legal: legal.map((held) => `play ${held}`),
      why: Object.fromEntries(barred.map((held) => [`play ${held}`, refusal])),
      trump: "R",
      trick: { leader: 1, plays: ["R11", "R3"], winning: 1 },
      follow: "R",
    };
    return told(now, "first_play").at(-1);
  }

  it("says what the rules leave to choose", () => {
    expect(asked(["R2", "R6"])).toBe(
      "Red was led, and all your cards are of that suit: play any of them.",
    );
    expect(asked(["R2", "B6"], ["R2"])).toBe(
      "Red was led and you have just one card of it: that is the one you must play.",
    );
    expect(asked(["R2", "R6", "B6"], ["R2", "R6"])).toBe(
      "Red was led and you have it: the raised cards may be played.",
    );
    expect(asked(["B2", "B6"])).toMatch(/^You have no red, so you may play any card\./);
    expect(asked(["R2", "W"])).toBe("You may play any card. Do you want this trick?");
    // Wizards and Jesters are of no suit.
    expect(asked(["W", "W"], ["W"])).toBe("You have no red. A Wizard may always be played.");
    expect(asked(["J", "J"], ["J"])).toBe("You have no red. A Jester may always be played.");
    expect(asked(["W", "J"])).toBe(
      "You have no red, so you may play any card. Do you want this trick?",
    );
  });

  it("asks whether the trick is wanted only if it could be had", () => {
    const wizard = "The Wizard has it: throw what you don’t need.";
    const lost = "Nothing you hold wins this trick: throw what you don’t need.";
    const open = "Do you want this trick?";
    const end = (hand: string[], plays: string[], follow: View["follow"], rules = {}): string => {
      const now: View = {
        ...playing,
        hand,
        legal: hand.map((held) => `play ${held}`),
        why: {},
        trump: "G",
        trick: { leader: 1, plays, winning: 1 },
        follow,
      };
      return linesAt(new Scene(now, 0, names, rules), undefined).at(-1)?.text ?? "";
    };
    expect(end(["B3", "W"], ["W", "R2"], null)).toBe(`You may play any card. ${wizard}`);
    expect(end(["B3", "W"], ["W", "R2"], null, { dark_wizard: true })).toContain(open);
    expect(end(["B3", "DR"], ["W", "R2"], null, { specials: ["DR"] })).toContain(open);
    expect(end(["B3", "Y13"], ["R4", "R2"], "R")).toContain(lost);
    expect(end(["B3", "J"], ["R4", "R2"], "R")).toContain(lost);
    expect(end(["B3", "G1"], ["R4", "R2"], "R")).toContain(open);
    expect(end(["R5", "J"], ["R4", "R2"], "R")).toContain(open);
    expect(end(["R5", "G2"], ["G4", "R2"], "R")).toContain(lost);
    expect(end(["B3", "J"], ["J", "J"], null)).toContain(open);
    expect(end(["J", "J", "B1"], ["B4", "B2"], "B")).toContain(lost);
  });

  it("speaks of the cards that are held", () => {
    const third = (hand: string[], trump: View["trump"] = "B"): Line | undefined =>
      linesAt(new Scene({ ...dealt, round: 3, hand, trump }, 0, names), scripts.first_play)[0];
    const said = (hand: string[], trump?: View["trump"]): string => third(hand, trump)?.text ?? "";
    expect(said(["G3", "B10", "B12"])).toMatch(/^You hold trump/);
    expect(third(["G3", "B10", "B12"])?.cards).toEqual(["B10", "B12"]);
    expect(said(["W", "B10", "J"])).toMatch(/^Count a Wizard as one trick and a Jester as none/);
    expect(said(["W", "W", "B1"])).toMatch(/^Count a Wizard as one trick\. It may/);
    expect(said(["J", "B10", "R2"])).toMatch(/^Count a Jester as no trick/);
    expect(said(["G3", "R10", "Y12"])).toMatch(/^You hold no trump and no Wizard/);
    expect(said(["G3", "R10", "Y12"], "none")).toMatch(/^Without trump/);
    expect(third(["G3", "R10", "Y12"])?.cards).toEqual([]);
  });

  it("explains following only to those who are bound by it", () => {
    const second = (hand: string[], follow: View["follow"]): string[] =>
      told({ ...playing, round: 2, hand, follow, why: {} }, "first_play");
    const rule = expect.stringMatching(/^Whoever has the suit/) as string;
    expect(second(["R2", "B4"], "B")).toContainEqual(rule);
    expect(second(["W", "B4"], "B")).not.toContainEqual(rule);
    expect(second(["R2", "B4"], null)).not.toContainEqual(rule);
  });

  it("is silent while the cards are dealt, and then speaks of the round at hand", () => {
    const second: View = { ...dealt, round: 2, size: 2, sheet: [counted] };
    expect(told({ ...second, to_act: [], legal: [] }, "first_play")).toEqual([]);
    expect(told({ ...second, to_act: [1], legal: [] }, "first_play")).toEqual([
      expect.stringMatching(/^An exact bid scores 20 points/),
    ]);
  });

  it("says what the only card is to do, and nothing of the last of several", () => {
    const one: View = {
      ...playing,
      size: 1,
      hand: ["B12"],
      legal: ["play B12"],
      why: {},
      bids: [0, 1, 1],
      off: offs([0, 1, 1], 1),
    };
    expect(told(one, "first_play").at(-1)).toBe(
      "You have one card and foretold that it loses. Play it and see what happens.",
    );
    const last_trick = { leader: 1, plays: ["B6", "R3", "B2"], winner: 2, next_leader: 2 };
    const last: View = { ...one, round: 2, size: 2, finished: 1, last_trick };
    expect(told(last, "first_play")).toEqual([
      expect.stringMatching(/ took the trick for Bran\..* take no more\.$/),
    ]);
  });

  it("praises only what was chosen", () => {
    const hid: View = {
      ...playing,
      bids: [0, 1, 1],
      off: offs([0, 1, 1], 3),
      trump: "R",
      finished: 1,
      last_trick: { leader: 1, plays: ["R11", "R3", "Y12"], winner: 1, next_leader: 1 },
    };
    const first = (hadChoice: boolean): string | undefined =>
      linesAt(new Scene(hid, 0, names, {}, hadChoice), undefined)[0]?.text;
    expect(first(true)).toContain("You hid the yellow 12 under the red 11: well done.");
    expect(first(false)).toContain("The red 11 took the trick for Ada.");
  });

  it("begins with the bid at hand, in one line that points at the card and trump", () => {
    const first = (hand: string[], trump: View["trump"], order = [0, 1, 2]): Line[] => {
      const now: View = { ...dealt, round: 1, size: 1, hand, trump, order };
      return linesAt(new Scene(now, 0, names), scripts.first_play);
    };
    const [line, ...more] = first(["R1"], "G");
    expect(more).toEqual([]);
    expect(line?.text).toBe(
      "Welcome! You hold the red 1; trump is green. Any trump or Wizard beats it: 0 is the safer bid.",
    );
    expect(line?.cards).toEqual(["R1"]);
    expect(line?.at).toEqual(["trump", "decision"]);
    expect(first(["G2"], "G")[0]?.text).toContain("1 is a good bid");
    expect(first(["W"], "none")[0]?.text).toContain("You hold a Wizard; there is no trump.");
    expect(first(["J"], "B")[0]?.text).toContain("0 is a good bid");
    // The smallest trump is beaten by every other.
    expect(first(["G1"], "G")[0]?.text).toContain("0 is the safer bid");
    // Without trump, whoever leads says which suit wins.
    expect(first(["Y8"], "none")[0]?.text).toContain("You lead, and only a Wizard");
    expect(first(["Y2"], "none")[0]?.text).toContain("So low a card");
    expect(first(["Y13"], "none", [1, 2, 0])[0]?.text).toContain("only if its suit is led");
  });

  it("helps with a bid, and does not look back at the last round", () => {
    const current = (now: View): string => told(now, "first_play").join();
    const second: View = { ...dealt, round: 2, size: 2, sheet: [counted] };
    expect(current(second)).toMatch(
      /^An exact bid scores 20 points.* What will your cards take\?$/,
    );
    expect(current({ ...second, to_act: [1] })).toBe(current(second));
    const fourth: View = { ...dealt, round: 4, sheet: [counted, counted, counted] };
    expect(current(fourth)).toMatch(/^You know the game now/);
  });

  it("has something to say in a lesson that it does not know", () => {
    expect(told(dealt, "a lesson of tomorrow")).toEqual([
      "Count what your cards should take, and bid.",
    ]);
  });

  it("explains the score", () => {
    const over: View = {
      ...playing,
      phase: "over",
      to_act: [],
      sheet: [counted],
      outcome: { winners: [0], places: [1, 2, 2] },
    };
    expect(told(over)).toEqual(["Exactly as foretold! 20 points, and 10 for the trick: +30."]);
    const missed = { ...counted, taken: [3, 0, 0], off: [2, -1, -1], points: [-20, -10, -10] };
    expect(told({ ...over, sheet: [missed] })[0]).toContain("2 off");
  });
});

describe("the course", () => {
  it("keeps the order of the server and takes in what is new", () => {
    const chapters = chaptersOf(["tricks", "dragon", "hidden", "tomorrow"]);
    expect(chapters.map(({ lessons }) => lessons)).toEqual([
      ["tricks"],
      ["dragon"],
      ["hidden", "tomorrow"],
    ]);
    expect([nextAfter("tricks", ["tricks", "trump"]), nextAfter("trump", ["trump"])]).toEqual([
      "trump",
      null,
    ]);
  });

  it.each([null, "{", "[]", '{"done": 3, "tables": [1]}', '{"done": [1], "tables": null}'])(
    "begins anew where %j is stored",
    (text) => {
      expect(readProgress(text)).toEqual({ done: [], tables: {} });
    },
  );

  it("resumes what is stored", () => {
    const kept = { done: ["tricks"], tables: { trump: "KQXMRP" } };
    expect(readProgress(JSON.stringify(kept))).toEqual(kept);
  });
});
