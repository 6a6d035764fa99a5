/** What a card code means: "B7", "W", "DR", and as played "JU=R", "CL=G", "SH=W". */
import type { Form, Forms } from "../message-format.js";
import { m } from "../messages.svelte";
import type { Figure, Suit } from "../net/protocol.gen";
import list from "./figures.json";

export type { Figure, Suit };
export const suits: readonly Suit[] = ["B", "G", "R", "Y"];

/** The properties of every card without a suit; the server's package writes this list. */
export const figureList = list as readonly FigureEntry[];
export const figures = figureList.map(({ code }) => code);
export const specials = figureList.filter(({ special }) => special).map(({ code }) => code);

export interface FigureEntry {
  code: Figure;
  name: string;
  rank: string;
  /** What trump is when it is turned up: the dealer names it, or there is none. */
  turned: "dealer" | "none";
  announced: readonly string[];
  /** What is printed on a card that stands between two values of a suit. */
  value: string;
  /** Never played: whoever is dealt it swaps it for the turned-up card. */
  swapped: boolean;
  special: boolean;
}

export function entryOf(figure: Figure): FigureEntry {
  const found = figureList.find(({ code }) => code === figure);
  if (found === undefined) throw new Error(`there is no card ${figure}`);
  return found;
}

export type CardFace =
  | { kind: "suit"; suit: Suit; value: number }
  | {
      kind: "figure";
      figure: Figure;
      /** The suit announced for a Juggler or Cloud. */
      suit: Suit | null;
      /** What a Shapeshifter was announced as. */
      side: "W" | "J" | null;
    };

/** Null for a code that is not a card. */
export function readCard(code: string): CardFace | null {
  const [name = "", announced] = code.split("=");
  const figure = figures.find((known) => known === name);
  if (figure !== undefined) {
    const suit = suits.find((known) => known === announced) ?? null;
    const side = announced === "W" || announced === "J" ? announced : null;
    return { kind: "figure", figure, suit, side };
  }
  const suit = suits.find((known) => known === name[0]);
  const value = /^([1-9]|1[0-3])$/.exec(name.slice(1))?.[1];
  if (suit === undefined || value === undefined) return null;
  return { kind: "suit", suit, value: Number(value) };
}

/** "red", within a sentence. */
export function suitName(suit: Suit): string {
  const names = { B: m.suit_blue, G: m.suit_green, R: m.suit_red, Y: m.suit_yellow };
  return names[suit]();
}

/** "Dwarves". */
export function peopleName(suit: Suit): string {
  const names = {
    B: m.people_humans,
    G: m.people_elves,
    R: m.people_dwarves,
    Y: m.people_giants,
  };
  return names[suit]();
}

/** The letter on the card, as this language prints it. */
export function suitLetter(suit: Suit): string {
  const letters = {
    B: m.suit_letter_blue,
    G: m.suit_letter_green,
    R: m.suit_letter_red,
    Y: m.suit_letter_yellow,
  };
  return letters[suit]();
}

function figureName(figure: Figure, form: Form): string {
  const names = {
    W: m.card_wizard,
    J: m.card_jester,
    DR: m.card_dragon,
    FA: m.card_fairy,
    BO: m.card_bomb,
    WE: m.card_werewolf,
    JU: m.card_juggler,
    CL: m.card_cloud,
    SH: m.card_shapeshifter,
  };
  return names[figure]({ form });
}

/** A card's name, standing alone: "Red 4", "Wizard", "Juggler as red". */
export function cardName(code: string): string {
  return named(code, "name");
}

/** The same for use inside a sentence: "the red 4", "a Wizard". */
export function cardForms(code: string): Forms {
  return (form) => named(code, form);
}

function named(code: string, form: Form): string {
  const card = readCard(code);
  if (card === null) return m.card_unknown();
  if (card.kind === "suit") {
    const names = { B: m.card_blue, G: m.card_green, R: m.card_red, Y: m.card_yellow };
    return names[card.suit]({ value: card.value, form });
  }
  const name = figureName(card.figure, form);
  if (card.suit !== null) return m.card_announced({ card: name, as: suitName(card.suit) });
  if (card.side !== null)
    return m.card_announced({ card: name, as: figureName(card.side, "name") });
  return name;
}
