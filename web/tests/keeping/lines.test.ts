import { describe, expect, it } from "vitest";
import {
  choices,
  cloudFits,
  finishedLines,
  finishes,
  foretold,
  places,
  shownBid,
  tricksLeft,
  turns,
} from "../../src/lib/keeping/lines";
import { blank, first, second, sheetOf } from "./fixtures";

describe("the finished rounds", () => {
  it("end before the first gap", () => {
    const gap = { ...second, points: null, totals: null };
    expect(finishedLines(sheetOf())).toHaveLength(2);
    expect(finishedLines(sheetOf({ rounds: [first, gap, first] }))).toHaveLength(1);
  });

  it("have the bids that the Cloud has changed", () => {
    const [only] = finishedLines(sheetOf({ rounds: [{ ...second, cloud: [0, -1] }] }));
    expect(only?.bids).toEqual([2, 0, 0]);
    expect(only?.scored_bids).toEqual([1, 0, 0]);
  });
});

it("asks left of the dealer first, the dealer last", () => {
  expect(turns(blank(3, 1))).toEqual([2, 0, 1]);
  expect(turns(blank(3, 5, 6))).toEqual([0, 1, 2, 3, 4, 5]);
});

describe("a bid", () => {
  const written = { ...blank(3, 1), bids: [2, null, 1], bid: [true, true, true] };
  const of = (bidding: string, yours: number[], points: number[] | null = null): unknown[] => {
    const sheet = sheetOf({
      rules: { bidding },
      sealed: bidding !== "open",
      yours,
      rounds: [{ ...written, points }],
    });
    return [0, 1, 2].map((seat) => shownBid(sheet, 1, seat));
  };

  it("is open, or sealed", () => {
    expect(of("open", [])).toEqual([2, "sealed", 1]);
    expect(of("hidden", [])).toEqual([2, "sealed", 1]);
  });

  it("stays secret before the eyes of the host, but for the own one", () => {
    expect(of("secret", [2])).toEqual(["sealed", "sealed", 1]);
    expect(of("secret", [2], [20, 20, 20])).toEqual([2, "sealed", 1]);
  });

  it("is nothing before it is made", () => {
    expect(shownBid(sheetOf(), 3, 0)).toBeNull();
    expect(shownBid(sheetOf(), 7, 0)).toBeNull();
  });

  it("counts in the sum unless it is sealed", () => {
    const early = { ...written, bid: [true, false, true] };
    expect(foretold(sheetOf(), early)).toBe(3);
    expect(foretold(sheetOf({ sealed: true, rules: { bidding: "hidden" } }), early)).toBeNull();
  });
});

describe("the numbers on offer", () => {
  const line = { ...blank(3, 1), bids: [1, 1, 1], bid: [true, true, true] };

  it("strike out what the dealer may not say, and only for the dealer", () => {
    const sheet = sheetOf({ forbidden: 1 });
    const barred = (seat: number): (number | null)[] =>
      choices(sheet, line, { cell: "bid", seat }).flatMap(({ number, barred }) =>
        barred === null ? [] : [number],
      );
    expect(barred(1)).toEqual([1]);
    expect(barred(0)).toEqual([]);
  });

  it("strike out more tricks than are left, and mark what fits", () => {
    const partly = { ...line, taken: [2, null, 0] };
    const offered = choices(sheetOf(), partly, { cell: "taken", seat: 1 });
    expect(offered.map(({ barred }) => barred)).toEqual([null, null, "too_many", "too_many"]);
    expect(offered.filter(({ fits }) => fits).map(({ number }) => number)).toEqual([1]);
    expect(finishes(partly, { cell: "taken", seat: 1 })).toBe(true);
    expect(finishes(partly, { cell: "bid", seat: 1 })).toBe(false);
  });

  it("leave out the trick of the Bomb and the cell itself", () => {
    const bombed = { ...line, bombed: true, taken: [1, null, null] };
    expect(tricksLeft(bombed)).toBe(1);
    expect(tricksLeft(bombed, 0)).toBe(2);
  });
});

it("knows how the Cloud can change a bid, unless it is sealed", () => {
  const line = { ...blank(3, 1), bids: [0, 3, 1], bid: [true, true, true] };
  const down = [0, 1, 2].map((seat) => cloudFits(sheetOf(), line, seat, -1));
  const up = [0, 1, 2].map((seat) => cloudFits(sheetOf(), line, seat, 1));
  expect([down, up]).toEqual([
    [false, true, true],
    [true, false, true],
  ]);
  const secret = sheetOf({ sealed: true, rules: { bidding: "secret" } });
  expect(cloudFits(secret, line, 0, -1)).toBe(true);
});

it("shares places", () => {
  expect(places([10, 30, 30, -20])).toEqual([3, 1, 1, 4]);
});
