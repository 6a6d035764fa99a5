/**
 * The rules of a game, composed from the options that the engine plays by: only what applies is
 * included, and only once.
 */
import { cardName, figureList } from "../cards/card";
import { locale, m } from "../messages.svelte";
import type { Rules, RuleValue, Trump } from "../net/protocol.gen";
import examples from "./examples.json";
import { paragraph } from "./paragraphs";

export interface WorkedTrick {
  id: string;
  trump: Trump | null;
  plays: string[];
  winner: number | null;
  text: string;
}

export interface Score {
  bid: number;
  taken: number;
  points: number;
  /** The change made by the Cloud. */
  change?: number;
}

export interface Part {
  /** An anchor within the page. */
  id?: string;
  title?: string;
  text: string;
  list?: string[];
  /** An ordered list: the first line that applies counts. */
  ordered?: boolean;
  cards?: string[];
  tricks?: WorkedTrick[];
  scores?: Score[];
}

export interface Chapter {
  id: string;
  title: string;
  parts: Part[];
}

/** How many rounds there are with that many players. */
export interface Length {
  players: number;
  rounds: number;
}

export interface Game {
  rules: Rules;
  sizes: readonly number[];
  /** Whether some round leaves no card to turn up. */
  usesAllCards: boolean;
  /** For those not at a table yet: the length by number of players instead of one table's. */
  lengths?: readonly Length[];
}

export function chaptersOf(game: Game): Chapter[] {
  const chapters = [
    { id: "goal", title: m.rule_title_goal(), parts: [{ text: m.rule_goal() }] },
    { id: "cards", title: m.rule_title_cards(), parts: cards(game) },
    { id: "rounds", title: m.rule_title_rounds(), parts: rounds(game) },
    { id: "trump", title: m.rule_title_trump(), parts: trump(game) },
    { id: "bids", title: m.rule_title_bids(), parts: bids(game) },
    { id: "tricks", title: m.rule_title_tricks(), parts: tricks(game) },
    { id: "specials", title: m.rule_title_specials(), parts: specials(game) },
    { id: "score", title: m.rule_title_score(), parts: score(game) },
  ];
  return chapters.filter(({ parts }) => parts.length > 0);
}

function told(option: string, value: RuleValue | undefined): string {
  return (value === undefined ? null : paragraph(option, value)) ?? "";
}

/** Leaves out parts without words. */
function present(...parts: (Part | null)[]): Part[] {
  return parts.filter((part) => part !== null && part.text !== "") as Part[];
}

function isMode({ rules }: Game, mode: string): boolean {
  return rules.mode === mode;
}

function specialsOf({ rules }: Game): string[] {
  return Array.isArray(rules.specials) ? rules.specials : [];
}

function named(cards: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: "conjunction" }).format(cards.map(cardName));
}

function cards(game: Game): Part[] {
  const added = specialsOf(game);
  return present(
    { text: m.rule_cards_suits(), cards: ["B13", "G9", "R5", "Y1"] },
    { text: m.rule_cards_figures(), cards: ["W", "J"] },
    added.length === 0
      ? null
      : { text: m.rule_cards_specials({ count: added.length, names: named(added) }), cards: added },
    { id: "mode", text: told("mode", game.rules.mode) },
  );
}

function rounds(game: Game): Part[] {
  const { rules, sizes, lengths } = game;
  const [first = 0] = sizes;
  const whole =
    rules.rounds === "all"
      ? m.rule_rounds_all({ first, last: sizes.at(-1) ?? 0, rounds: sizes.length })
      : m.rule_rounds_own({ rounds: sizes.join(", ") });
  const byPlayers =
    lengths === undefined || lengths.length < 2
      ? null
      : {
          text: m.rule_rounds_rise(),
          list: lengths.map(({ players, rounds }) => m.rule_rounds_length({ players, rounds })),
        };
  return present(
    lengths === undefined ? { text: told("players", rules.players) } : null,
    byPlayers ?? { text: whole },
    isMode(game, "standard") ? { text: m.rule_shuffle() } : null,
    { id: "dealer", text: `${told("dealer_by", rules.dealer_by)} ${m.rule_dealer_moves()}`.trim() },
  );
}

function trump(game: Game): Part[] {
  if (isMode(game, "monocolour")) return [];
  const inGame = figureList.filter(
    ({ code, special }) => !special || specialsOf(game).includes(code),
  );
  const turned = (trump: string): string =>
    named(inGame.filter((card) => card.turned === trump).map(({ code }) => code));
  return present({
    text: m.rule_trump(),
    list: [
      m.rule_trump_suit(),
      m.rule_trump_none({ cards: turned("none") }),
      m.rule_trump_dealer({ cards: turned("dealer") }),
      ...(game.usesAllCards ? [m.rule_trump_last()] : []),
      ...(inGame.some(({ swapped }) => swapped) ? [m.rule_trump_werewolf()] : []),
    ],
    cards: ["G4", "J", "W"],
  });
}

function bids({ rules }: Game): Part[] {
  return present(
    { text: m.rule_bids() },
    { id: "bidding", text: told("bidding", rules.bidding) },
    { id: "bid-total", text: told("bid_rule", rules.bid_rule) },
    { id: "clairvoyance", text: told("clairvoyance", rules.clairvoyance) },
    { text: rules.bidding === "secret" ? m.rule_open_tricks() : m.rule_open_bids() },
  );
}

function tricks(game: Game): Part[] {
  const { rules } = game;
  const own = isMode(game, "monocolour");
  const added = specialsOf(game);
  const has = (card: string): boolean => added.includes(card);
  const inGame = figureList.filter(({ code, special }) => !special || has(code));
  const suitless = inGame.filter(
    ({ rank, announced, swapped }) =>
      ["jester", "fairy", "none"].includes(rank) && announced.length === 0 && !swapped,
  );
  const free = inGame.filter(({ swapped }) => !swapped);
  return present(
    { text: m.rule_tricks() },
    own
      ? { id: "follow", text: m.rule_follow_none() }
      : {
          id: "follow",
          title: m.rule_title_follow(),
          text: m.rule_follow({
            free: named(free.map(({ code }) => code)),
          }),
          list: [
            m.rule_follow_jester({ cards: named(suitless.map(({ code }) => code)) }),
            told("suit_after_wizard", rules.suit_after_wizard),
            ...(has("SH") ? [m.rule_follow_shapeshifter()] : []),
            ...(has("DR") ? [m.rule_follow_dragon()] : []),
          ],
        },
    {
      id: "wins",
      title: m.rule_title_wins(),
      text: m.rule_wins(),
      ordered: true,
      list: [
        ...(has("DR") ? [m.rule_wins_fairy(), m.rule_wins_dragon()] : []),
        told("dark_wizard", rules.dark_wizard),
        ...(own ? [m.rule_wins_number()] : [m.rule_wins_trump(), m.rule_wins_suit()]),
        m.rule_wins_jesters(),
      ],
      tricks: worked("wins", game),
    },
  );
}

function specials(game: Game): Part[] {
  return specialsOf(game).map((card) => {
    const id = `special-${card.toLowerCase()}`;
    return {
      id,
      title: cardName(card),
      text: told("specials", card),
      cards: [card],
      tricks: worked(id, game),
    };
  });
}

function score(game: Game): Part[] {
  const cloud = specialsOf(game).includes("CL");
  return present(
    { text: m.rule_score_met() },
    { text: m.rule_score_missed(), scores: examples.scores },
    cloud ? { text: m.rule_score_cloud(), scores: examples.cloud_scores } : null,
    { id: "winner", text: m.rule_winner() },
  );
}

/** The worked tricks for a place that apply under these rules. */
function worked(at: string, { rules }: Game): WorkedTrick[] {
  return examples.tricks
    .filter((trick) => trick.at === at && holds(trick.rules, rules) && fits(trick.id, rules))
    .map(({ id, trump, plays, winner }) => ({
      id,
      trump: trump as Trump | null,
      plays,
      winner,
      text: (m as unknown as Record<string, () => string>)[`rule_example_${id}`]?.() ?? "",
    }));
}

function holds(needed: Partial<Record<string, RuleValue>>, rules: Rules): boolean {
  return Object.entries(needed).every(([option, value]) => {
    const chosen = rules[option];
    if (Array.isArray(value)) return value.every((one) => listed(chosen).includes(one));
    return chosen === value;
  });
}

/** Suits matter everywhere except in the monocolour game, which has its own example. */
function fits(id: string, rules: Rules): boolean {
  const everywhere = ["first_wizard", "last_wizard", "jesters", "number"];
  return rules.mode !== "monocolour" || everywhere.includes(id);
}

function listed(value: RuleValue | undefined): string[] {
  return Array.isArray(value) ? value : [];
}
