import { render } from "svelte/server";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { cardForms, cardName, figures, readCard, suits } from "../src/lib/cards/card";
import Card from "../src/lib/cards/Card.svelte";
import { m, setLocale } from "../src/lib/messages.svelte";

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

describe("cards in sentences", () => {
  beforeAll(
    () => void vi.stubGlobal("document", { documentElement: {}, querySelector: () => null }),
  );
  afterEach(() => setLocale("en"));

  it.each([
    ["en", "You play the green 8.", "You play a Jester.", "The green 8 took the trick"],
    ["de", "Du spielst die grüne 8.", "Du spielst einen Narren.", "Die grüne 8 gewinnt"],
    ["fr", "Tu joues le 8 vert.", "Tu joues un Fou.", "Le 8 vert remporte"],
    ["it", "Giochi l’8 verde.", "Giochi un Giullare.", "L’8 verde vince"],
    ["pt-BR", "Você joga o 8 verde.", "Você joga um Bufão.", "O 8 verde ganhou"],
    ["hu", "Kijátszod a zöld 8-ast.", "Kijátszod a Bolondot.", "A zöld 8-as vitte"],
    ["cs", "Hraješ zelenou 8.", "Hraješ žolíka.", "Zelená 8 bere"],
    ["sk", "Hráš zelenú 8.", "Hráš žolíka.", "Zelená 8 berie"],
    ["pl", "Zagrywasz zieloną 8.", "Zagrywasz Błazna.", "Zielona 8 zdobywa"],
  ])("have the article and case of %s", async (language, suit, jester, subject) => {
    await setLocale(language);
    const play = (code: string): string =>
      m.tell_play({ who: "you", name: "", card: cardForms(code) });
    expect(play("G8")).toBe(suit);
    expect(play("J")).toBe(jester);
    expect(m.coach_took_you({ card: cardForms("G8") })).toContain(subject);
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
