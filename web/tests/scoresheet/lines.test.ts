import { describe, expect, it } from "vitest";
import { choices, choicesOf, finishedLines, shownBid } from "../../src/lib/scoresheet/lines";
import { blank, first, free, second, sheetOf } from "./fixtures";

describe("the finished rounds", () => {
  it("end before the first gap", () => {
    const gap = { ...second, scored_bids: null, points: null, totals: null };
    expect(finishedLines(sheetOf())).toHaveLength(2);
    expect(finishedLines(sheetOf({ rounds: [first, gap, first] }))).toHaveLength(1);
  });

  it("have the bids that counted beside those that were made", () => {
    const clouded = { ...second, cloud: [0, -1] as [number, number], scored_bids: [1, 0, 0] };
    const [only] = finishedLines(sheetOf({ rounds: [clouded] }));
    expect(only?.bids).toEqual([2, 0, 0]);
    expect(only?.scored_bids).toEqual([1, 0, 0]);
  });
});

describe("a bid", () => {
  const written = { ...blank(3, 1), bids: [2, null, 1], bid: [true, true, true] };
  const of = (shown: boolean, yours: number[]): unknown[] => {
    const sheet = sheetOf({ sealed: true, yours, rounds: [{ ...written, shown }] });
    return [0, 1, 2].map((seat) => shownBid(sheet, 1, seat));
  };

  it("is open, or sealed", () => {
    expect(of(true, [])).toEqual([2, "sealed", 1]);
    expect(of(false, [])).toEqual(["sealed", "sealed", "sealed"]);
  });

  it("stays secret before the eyes of the host, but for the own one", () => {
    expect(of(false, [2])).toEqual(["sealed", "sealed", 1]);
  });

  it("is nothing before it is made", () => {
    expect(shownBid(sheetOf(), 3, 0)).toBeNull();
    expect(shownBid(sheetOf(), 7, 0)).toBeNull();
  });
});

describe("the numbers on offer", () => {
  const refusal = { code: "tricks_total", params: { sum: 4, size: 3 }, reason: "" };

  it("are those of the server, the barred ones in their places", () => {
    const cell = { legal: [0, 1, 3], why: { 2: refusal }, fits: 1 };
    expect(choices(cell)).toEqual([
      { number: 0, barred: null, fits: false },
      { number: 1, barred: null, fits: true },
      { number: 2, barred: refusal, fits: false },
      { number: 3, barred: null, fits: false },
    ]);
  });

  it("are for the cells that may be written", () => {
    const sheet = sheetOf({ cells: { bid: [free(3), null, free(3)], taken: [null, null, null] } });
    expect(choicesOf(sheet, { cell: "bid", seat: 0 })?.legal).toEqual([0, 1, 2, 3]);
    expect(choicesOf(sheet, { cell: "bid", seat: 1 })).toBeNull();
    expect(choicesOf(sheet, { cell: "taken", seat: 0 })).toBeNull();
    expect(choicesOf(sheetOf({ cells: null }), { cell: "bid", seat: 0 })).toBeNull();
  });
});
