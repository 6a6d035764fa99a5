import { describe, expect, it } from "vitest";
import { shortened, spread, ticks } from "../src/lib/tablet/chart";
import { course, entry, leaders, plain, signed, type SheetLine } from "../src/lib/tablet/sheet";

const line = (over: Partial<SheetLine>): SheetLine => ({
  size: 2,
  dealer: 1,
  bids: [2, 0, 0],
  scored_bids: [2, 0, 0],
  taken: [1, 0, 1],
  off: [-1, 0, 1],
  points: [-10, 20, -10],
  totals: [10, 10, 20],
  ...over,
});

describe("an entry of the Tablet", () => {
  it("tells what a player made of a round", () => {
    expect(entry(line({}), 0)).toEqual({
      bid: 2,
      changed: null,
      taken: 1,
      met: false,
      points: -10,
      total: 10,
      dealt: false,
    });
    expect(entry(line({}), 1)).toMatchObject({ met: true, points: 20, dealt: true });
  });

  it("counts the bid that the Cloud has changed", () => {
    const cloudy = line({ bids: [0, 0, 0], scored_bids: [1, 0, 0], off: [0, 0, 1] });
    expect(entry(cloudy, 0)).toMatchObject({ bid: 0, changed: 1, met: true });
  });

  it("writes points with a sign that is no hyphen", () => {
    expect([30, 0, -20].map(signed)).toEqual(["+30", "0", "−20"]);
    expect(plain(-5)).toBe("−5");
  });

  it("knows the course and who is in front, also together", () => {
    const sheet = [line({ totals: [20, -10, 20] }), line({ totals: [10, 10, 0] })];
    expect(course(sheet, 1)).toEqual([0, -10, 10]);
    expect(leaders([1, 1, 3], sheet)).toEqual([0, 1]);
    expect(leaders([1, 1, 1], [])).toEqual([]);
  });
});

describe("the chart", () => {
  it("has round ticks that cover all scores", () => {
    expect(ticks(-30, 310, 4)).toEqual([-100, 0, 100, 200, 300, 400]);
    expect(ticks(0, 50, 5)).toEqual([0, 10, 20, 30, 40, 50]);
    for (const [low, high] of [
      [0, 0],
      [-470, -10],
      [0, 1230],
    ] as const) {
      const values = ticks(low, high, 5);
      expect(values[0]).toBeLessThanOrEqual(low);
      expect(values.at(-1)).toBeGreaterThanOrEqual(high);
      expect(values.length).toBeLessThanOrEqual(8);
    }
  });

  it("keeps labels apart, in order and inside", () => {
    const placed = spread([100, 101, 99, 10, 198], 15, 0, 200);
    const sorted = [...placed].sort((a, b) => a - b);
    for (const [index, place] of sorted.slice(1).entries()) {
      expect(place - (sorted[index] ?? 0)).toBeGreaterThanOrEqual(15);
    }
    expect(placed[2]).toBeLessThan(placed[0] ?? 0);
    expect(placed[0]).toBeLessThan(placed[1] ?? 0);
    expect(placed[3]).toBe(10);
    expect(spread([5, 5, 5], 15, 0, 200)).toEqual([0, 15, 30]);
    expect(Math.max(...spread([200, 200, 200], 15, 0, 200))).toBe(200);
  });

  it("cuts long names by letters, not by halves of them", () => {
    expect(shortened("Ana", 6)).toBe("Ana");
    expect(shortened("Ολυμπιάδα", 6)).toBe("Ολυμπ…");
    expect(shortened("🦉🦉🦉", 2)).toBe("🦉…");
  });
});
