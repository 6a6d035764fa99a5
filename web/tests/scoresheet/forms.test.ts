import { describe, expect, it } from "vitest";
import { changed, correctionOf } from "../../src/lib/scoresheet/correction";
import {
  emptySeating,
  ownName,
  remembered,
  settled,
  swapped,
  twice,
  withName,
  without,
} from "../../src/lib/scoresheet/seating";
import type { SheetSummary } from "../../src/lib/net/protocol.gen";
import { first } from "./fixtures";

describe("a correction", () => {
  const before = correctionOf(first);

  it("writes only what is new, and all of it at once", () => {
    const after = { ...before, bids: [1, 1, 0], taken: [1, 0, 0], note: " tea " };
    expect(changed(before, after, 1)).toEqual({
      round: 1,
      bids: { 0: 1, 2: 0 },
      taken: { 0: 1, 2: 0 },
      note: "tea",
    });
  });

  it("is nothing where nothing has changed, and an empty field changes nothing", () => {
    expect(changed(before, { ...before, bids: [null, 1, 1] }, 1)).toBeNull();
  });

  it("can take the Cloud and the Bomb back", () => {
    const clouded = { ...before, cloud: [1, 1] as [number, number], bombed: true };
    expect(changed(clouded, before, 1)).toEqual({ round: 1, cloud: null, bombed: false });
    expect(changed(clouded, { ...clouded, cloud: [1, 1] }, 1)).toBeNull();
  });
});

describe("the seats", () => {
  const seating = { names: ["Ana", "Ben", "Cleo", "", "", ""], dealer: 1, own: null };

  it("are changed with the deal", () => {
    expect(swapped(seating, 1, 2)).toMatchObject({ names: ["Ana", "Cleo", "Ben", "", "", ""], dealer: 2 }); // prettier-ignore
    expect(swapped(seating, 0, 1).dealer).toBe(0);
    expect(swapped(seating, 0, 2).dealer).toBe(1);
  });

  it("close up when one is given up", () => {
    expect(without(seating, 0)).toMatchObject({
      names: ["Ben", "Cleo", "", "", "", ""],
      dealer: 0,
    });
    expect(without(seating, 2)).toMatchObject({ names: ["Ana", "Ben", "", "", "", ""], dealer: 1 });
  });

  it("take names as long as there is room", () => {
    expect(withName(seating, "Dora", 4)?.names[3]).toBe("Dora");
    expect(withName(seating, "Dora", 3)).toBeNull();
  });

  it("know which one is whose who keeps score, as long as it is there", () => {
    const tom = { ...seating, own: 1 };
    expect(ownName(swapped(tom, 1, 2))).toBe("Ben");
    expect(ownName(swapped(tom, 0, 2))).toBe("Ben");
    expect(ownName(without(tom, 0))).toBe("Ben");
    expect(without(tom, 1).own).toBeNull();
    expect(ownName(without(tom, 1))).toBe("");
    expect(ownName(seating)).toBe("");
    // Nobody else is put there.
    expect(emptySeating().own).toBe(0);
    expect(withName(emptySeating(), "Dora", 3)?.names).toEqual(["", "Dora", "", "", "", ""]);
    expect(emptySeating("Ana").own).toBeNull();
  });

  it("are settled with a name for everyone", () => {
    const { names, dealer } = settled(
      { ...emptySeating(" Ana "), dealer: 5 },
      3,
      (seat) => `P${seat}`,
    );
    expect(names).toEqual(["Ana", "P1", "P2"]);
    expect(dealer).toBe(2);
  });

  it("do not hold the same name twice", () => {
    expect(twice(["Ana", "Ben", "ana"])).toBe("ana");
    expect(twice(["Ana", "Ben"])).toBeNull();
  });

  it("remember people, the latest first", () => {
    const sheet = (names: string[], updated: number): SheetSummary =>
      ({ names, updated }) as SheetSummary;
    const sheets = [sheet(["Ana", "Ben"], 1), sheet(["Cleo", "Ana"], 2)];
    expect(remembered(sheets)).toEqual(["Cleo", "Ana", "Ben"]);
    expect(remembered(sheets, [], 1)).toEqual(["Cleo"]);
  });
});
