import { describe, expect, it } from "vitest";
import {
  announced,
  bare,
  everyBid,
  legalBids,
  object,
  verb,
  waysWith,
} from "../../src/lib/game/actions";
import { command, typed } from "../../src/lib/game/keys";
import { others, played, spot, trickNumber } from "../../src/lib/game/seating";
import { view } from "../net/fixtures";

describe("actions", () => {
  it("are read", () => {
    expect([verb("play SH=W"), object("play SH=W"), bare("SH=W"), announced("SH=W")]).toEqual([
      "play",
      "SH=W",
      "SH",
      "W",
    ]);
    expect(object("bid")).toBeUndefined();
  });

  it("are found for a card, all announcements of it", () => {
    const now = { ...view, legal: ["play JU=B", "play JU=R", "play R4", "pass R4", "bid 3"] };
    expect(waysWith(now, "JU")).toEqual(["play JU=B", "play JU=R"]);
    expect(waysWith(now, "R4")).toEqual(["play R4", "pass R4"]);
    expect(waysWith(now, "R")).toEqual([]);
    expect(legalBids(now)).toEqual([3]);
    const refusal = { code: "bid_forbidden" as const, params: {}, reason: "" };
    const why = { "bid 10": refusal, "bid 2": refusal, "play R4": refusal };
    expect(everyBid({ ...now, why })).toEqual([2, 3, 10]);
  });
});

describe("seats", () => {
  it("go on clockwise from the left of the player", () => {
    expect(others(4, 2)).toEqual([3, 0, 1]);
  });

  it("lie from left to right over the upper half, the player below", () => {
    for (const players of [2, 3, 4, 5, 6]) {
      const spots = others(players, 1).map((seat) => spot(players, 1, seat));
      expect(spots.map(({ x }) => x)).toEqual(spots.map(({ x }) => x).toSorted((a, b) => a - b));
      expect(spots.every(({ y }) => y < 0)).toBe(true);
      expect(spot(players, 1, 1)).toEqual({ x: 0, y: 1 });
    }
  });

  it("have their cards of a trick", () => {
    expect(played(["R9", "R2"], 2, 3)).toEqual([
      { seat: 2, card: "R9" },
      { seat: 0, card: "R2" },
    ]);
  });

  it("tell the tricks of a game apart", () => {
    const later = { ...view, finished: 3 };
    expect(trickNumber(later)).toBe(trickNumber(view) + 3);
  });
});

describe("keys", () => {
  const press = (key: string, held = {}): ReturnType<typeof command> =>
    command({ key, altKey: false, ctrlKey: false, metaKey: false, ...held });

  it("mean what the help says", () => {
    expect(press("ArrowLeft")).toEqual({ do: "move", by: -1 });
    expect(press("7")).toEqual({ do: "digit", digit: "7" });
    expect(press("T")).toEqual({ do: "open", what: "tablet" });
    expect(press("?")).toEqual({ do: "open", what: "help" });
    expect(press("x")).toBeNull();
  });

  it("leave the browser's own alone", () => {
    expect(press("t", { ctrlKey: true })).toBeNull();
    expect(press("l", { metaKey: true })).toBeNull();
  });

  it("make a number of digits, at once where no other can follow", () => {
    const upTo = (size: number): number[] => Array.from({ length: size + 1 }, (_, at) => at);
    expect(typed("3", upTo(7))).toEqual({ number: 3, certain: true });
    expect(typed("1", upTo(12))).toEqual({ number: 1, certain: false });
    expect(typed("12", upTo(12))).toEqual({ number: 12, certain: true });
    expect(typed("9", upTo(7))).toEqual({ number: null, certain: false });
  });
});
