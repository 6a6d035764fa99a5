import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import { cardName, figures, readCard, suits } from "../src/lib/cards/card";
import Card from "../src/lib/cards/Card.svelte";

const deck = [
  ...suits.flatMap((suit) => Array.from({ length: 13 }, (_, at) => `${suit}${at + 1}`)),
  ...figures,
];

describe("card codes", () => {
  it("reads suit cards, figures and what was announced", () => {
    expect(readCard("Y13")).toEqual({ kind: "suit", suit: "Y", value: 13 });
    expect(readCard("W")).toEqual({ kind: "figure", figure: "W", suit: null, side: null });
    expect(readCard("JU=R")).toMatchObject({ figure: "JU", suit: "R" });
    expect(readCard("SH=J")).toMatchObject({ figure: "SH", side: "J" });
  });

  it.each(["", "B", "B0", "B14", "B1.5", "X3", "w", "B 7"])("knows that %j is no card", (code) => {
    expect(readCard(code)).toBeNull();
  });

  it("names every kind of card differently", () => {
    expect(new Set(deck.map(cardName)).size).toBe(61);
    expect(cardName("R4")).toBe("Red 4");
    expect(cardName("JU=R")).toBe("Juggler as red");
    expect(cardName("SH=W")).toBe("Shapeshifter as Wizard");
  });
});

describe("the drawn card", () => {
  it("tells its name, or nothing where it is an ornament", () => {
    expect(render(Card, { props: { code: "G7" } }).body).toContain('aria-label="Green 7"');
    const ornament = render(Card, { props: { code: "G7", decorative: true } }).body;
    expect(ornament).toContain('aria-hidden="true"');
    expect(ornament).not.toContain("aria-label");
  });

  it("shows nothing of itself face down", () => {
    expect(render(Card).body).toContain('aria-label="Card, face down"');
    expect(render(Card).body).toBe(render(Card, { props: { code: null } }).body);
  });

  it.each(deck)("draws %s", (code) => {
    expect(render(Card, { props: { code } }).body).toContain("<svg");
  });
});
