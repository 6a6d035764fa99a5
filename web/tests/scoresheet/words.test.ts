import { describe, expect, it } from "vitest";
import { shareText } from "../../src/lib/scoresheet/share";
import { narrate, prompt, remarks, undoLabel } from "../../src/lib/scoresheet/tell";
import { blank, first, second, sheetOf, wrote } from "./fixtures";

it("asks for what comes next", () => {
  expect(prompt(sheetOf(), { cell: "bid", seat: 2 })).toBe("Cleo bids…");
  expect(prompt(sheetOf(), { cell: "taken", seat: 0 })).toBe("Ana took…");
});

describe("undo", () => {
  it("says what it takes back", () => {
    expect(undoLabel(sheetOf(), wrote(9))).toBe("Undo Cleo’s bid");
    const earlier = wrote(9, { round: 1, cells: [["taken", 0]] });
    expect(undoLabel(sheetOf(), earlier)).toBe("Undo Ana’s tricks (round 1)");
    const whole = wrote(9, { round: 1, cells: [["bid", 0], ["bid", 1]] }); // prettier-ignore
    expect(undoLabel(sheetOf(), whole)).toBe("Undo the change in round 1");
    expect(undoLabel(sheetOf(), wrote(9, { cells: [] }))).toContain("round 3");
  });

  it("names whose number ended a round until the next one begins", () => {
    // Ben's 1 left nothing for Ana, who comes after him.
    const ended = wrote(9, { round: 2, cells: [["taken", 0], ["taken", 1]] }); // prettier-ignore
    expect(
      undoLabel(sheetOf({ rounds: [first, { ...second, order: [2, 1, 0] }, blank(3, 1)] }), ended),
    ).toBe("Undo Ben’s tricks");
    const begun = { ...blank(3, 1), bid: [true, false, false] };
    const later = sheetOf({ rounds: [first, second, begun] });
    expect(undoLabel(later, ended)).toBe("Undo the change in round 2");
  });

  it("is plain where nobody told what it was", () => {
    expect(undoLabel(sheetOf(), null)).toBe("Undo");
  });
});

describe("what is told", () => {
  const current = { ...blank(3, 1), bids: [null, null, 2], bid: [false, false, true] };

  it("has the number, or that it is sealed", () => {
    const open = sheetOf({ rounds: [first, second, current] });
    expect(narrate(open, wrote(10))).toBe("Cleo bids 2.");
    const rounds = [first, second, { ...current, shown: false }];
    const sealed = sheetOf({ ...open, sealed: true, rounds });
    expect(narrate(sealed, wrote(10))).toBe("Cleo’s bid is sealed.");
  });

  it("has the totals when a round is over", () => {
    const last = wrote(8, { round: 2, cells: [["taken", 2]] });
    expect(narrate(sheetOf(), last)).toBe("Cleo took 1. After round 2: Ana 10, Ben 10, Cleo 20.");
  });
});

it("remarks on Bomb, Cloud and notes", () => {
  const rounds = [
    { ...first, bombed: true, note: "tea" },
    { ...second, cloud: [0, -1] as [0, -1] },
  ];
  expect(remarks(sheetOf({ rounds })).map(({ round, text }) => `${round} ${text}`)).toEqual([
    "1 the Bomb set a trick aside.",
    "1 tea",
    "2 the Cloud changed Ana’s bid by −1.",
  ]);
});

it("shares the standing, the best first and equals alike", () => {
  expect(shareText(sheetOf(), "https://foretold.example/s/KQXMRP").split("\n")).toEqual([
    "Tablet of Truth, after round 2 of 3",
    "1. Cleo 20",
    "2. Ana 10",
    "2. Ben 10",
    "https://foretold.example/s/KQXMRP",
  ]);
});
