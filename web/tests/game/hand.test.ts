import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fan, keyed, sorted } from "../../src/lib/game/hand";

describe("the order of the hand", () => {
  const hand = ["W", "R4", "B13", "J", "G2", "DR", "B2", "R12"];

  it("goes by suit, with trump beside the Wizards", () => {
    expect(sorted(hand, "suit", "none")).toEqual(["J", "B2", "B13", "G2", "R4", "R12", "DR", "W"]);
    expect(sorted(hand, "suit", "B")).toEqual(["J", "G2", "R4", "R12", "B2", "B13", "DR", "W"]);
  });

  it("goes by value, equal ones by suit", () => {
    expect(sorted(hand, "value", null)).toEqual(["J", "B2", "G2", "R4", "R12", "B13", "DR", "W"]);
  });

  it("is as dealt where nobody sorts", () => {
    expect(sorted(hand, "dealt", "R")).toEqual(hand);
  });

  it("tells equal cards apart", () => {
    expect(keyed(["W", "B1", "W"]).map(({ key }) => key)).toEqual(["W#0", "B1#0", "W#1"]);
  });
});

describe("the fan", () => {
  const phone = { width: 344, cardWidth: 64, cardHeight: 90 };

  it("has one row up to ten cards and two above", () => {
    const rows = (count: number): number =>
      new Set(fan(count, phone).places.map(({ y }) => Math.floor(y / 45))).size;
    expect(rows(10)).toBe(1);
    expect(rows(11)).toBe(2);
    expect(rows(20)).toBe(2);
  });

  it("holds twenty cards on a telephone, a strip of each in sight", () => {
    const { places } = fan(20, phone);
    for (let index = 1; index < 20; index++) {
      const [before, card] = [places[index - 1], places[index]];
      if (before === undefined || card === undefined) throw new Error("a card has no place");
      if (index !== 10) expect(card.x - before.x).toBeGreaterThanOrEqual(22);
    }
  });

  it("lies in one row where there is room", () => {
    const { height } = fan(15, { width: 830, cardWidth: 92, cardHeight: 129 });
    expect(height).toBeLessThan(129 * 1.4);
  });

  it("stays within its place, whatever the screen", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 300, max: 1200 }),
        (count, width) => {
          const cardWidth = Math.min(92, width / 5.3);
          const { places, height } = fan(count, { width, cardWidth, cardHeight: cardWidth * 1.4 });
          expect(places).toHaveLength(count);
          for (const { x, y } of places) {
            expect(x).toBeGreaterThanOrEqual(0);
            expect(x + cardWidth).toBeLessThanOrEqual(width + 0.01);
            expect(y).toBeGreaterThanOrEqual(0);
            expect(y + cardWidth * 1.4).toBeLessThanOrEqual(height);
          }
        },
      ),
    );
  });
});
