import { expect, it } from "vitest";
import { ranking } from "../src/lib/after/stats";
import { howYouEnded } from "../src/lib/after/won";
import type { SheetLine } from "../src/lib/tablet/sheet";

/** The three rounds of the rulebooks' example. */
const sheet: SheetLine[] = [
  {
    size: 1,
    dealer: 0,
    bids: [0, 1, 1],
    scored_bids: [0, 1, 1],
    taken: [0, 0, 1],
    off: [0, -1, 0],
    points: [20, -10, 30],
    totals: [20, -10, 30],
  },
  {
    size: 2,
    dealer: 1,
    bids: [2, 0, 0],
    scored_bids: [2, 0, 0],
    taken: [1, 0, 1],
    off: [-1, 0, 1],
    points: [-10, 20, -10],
    totals: [10, 10, 20],
  },
];

it("ranks with shared places, and tells how everyone foretold", () => {
  const outcome = { winners: [2], places: [2, 2, 1] };
  expect(ranking(sheet, [10, 10, 20], outcome)).toEqual([
    {
      seat: 2,
      place: 1,
      total: 20,
      exact: 1,
      best: { round: 1, points: 30 },
      worst: { round: 2, points: -10 },
    },
    {
      seat: 0,
      place: 2,
      total: 10,
      exact: 1,
      best: { round: 1, points: 20 },
      worst: { round: 2, points: -10 },
    },
    {
      seat: 1,
      place: 2,
      total: 10,
      exact: 1,
      best: { round: 2, points: 20 },
      worst: { round: 1, points: -10 },
    },
  ]);
});

it("has nothing best where nothing was played", () => {
  const [alone] = ranking([], [0, 0, 0], { winners: [0, 1, 2], places: [1, 1, 1] });
  expect(alone).toMatchObject({ exact: 0, best: null, worst: null });
});

it("tells players their place, and how far from whom", () => {
  const [names, totals] = [
    ["Ana", "Ben", "Cleo"],
    [10, 10, 20],
  ];
  const outcome = { winners: [2], places: [2, 2, 1] };
  expect(howYouEnded(0, names, totals, outcome)).toEqual({
    title: "Second place",
    words: "10 points behind Cleo.",
  });
  expect(howYouEnded(2, names, totals, outcome)).toEqual({
    title: "You have won",
    words: "10 points ahead of Ana and Ben.",
  });
  const level = { winners: [0, 1], places: [1, 1, 3] };
  expect(howYouEnded(0, names, [20, 20, 10], level)).toEqual({
    title: "You share the win",
    words: null,
  });
});
