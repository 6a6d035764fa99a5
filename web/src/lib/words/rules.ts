/**
 * Words for what the server offers: editions, options and their values, levels. Their names come
 * from the server, so messages are looked up by name, and the name itself is the last resort.
 */
import { cardName, specials } from "../cards/card";
import { locale, m } from "../messages.svelte";
import type { Level, Rules, RuleValue, TableSettings } from "../net/protocol.gen";

/** The message for a key made from the server's names; null if there is none. */
function found(...names: string[]): string | null {
  const key = names.join("_").toLowerCase().replaceAll("-", "_");
  const told = (m as unknown as Record<string, () => string>)[key]?.() ?? key;
  return told === key ? null : told;
}

function plain(name: string): string {
  return name.replaceAll("_", " ");
}

export const editionName = (name: string): string => found("edition", name) ?? plain(name);
export const editionHint = (name: string): string => found("edition", name, "hint") ?? "";
export const optionName = (option: string): string => found("option", option) ?? plain(option);
export const optionHint = (option: string, meaning = ""): string =>
  found("option", option, "hint") ?? meaning;
export const valueName = (option: string, value: string): string =>
  found("option", option, value) ?? plain(value);
export const valueHint = (option: string, value: string): string =>
  found("option", option, value, "hint") ?? "";
export const levelName = (level: string): string => found("level", level) ?? plain(level);
export const levelHint = (level: string): string => found("level", level, "hint") ?? "";
export const specialHint = (card: string): string => found("special", card, "hint") ?? "";

/**
 * A game in a few phrases: "4 players", "15 rounds", "hidden bids". What goes without saying has no
 * message and is left out.
 */
export function phrasesOf(rules: Rules, rounds: number): string[] {
  const phrases = [
    m.brief_players({ count: Number(rules.players) }),
    m.brief_rounds({ count: rounds }),
  ];
  for (const [option, value] of Object.entries(rules)) {
    if (option === "players" || option === "rounds") continue;
    const phrase = Array.isArray(value) ? specialsPhrase(value) : briefly(option, value);
    if (phrase !== null) phrases.push(phrase);
  }
  return phrases;
}

function briefly(option: string, value: RuleValue): string | null {
  return found("brief", option, String(value));
}

function specialsPhrase(cards: string[]): string | null {
  if (cards.length === 0) return null;
  if (cards.length === specials.length) return m.brief_specials_all();
  if (cards.length <= 2) return cards.map(cardName).join(", ");
  return m.brief_specials({ count: cards.length });
}

/** A table's clock, openness and spectators. */
export function settingsPhrases(settings: TableSettings): string[] {
  const { clock } = settings;
  return [
    clock === null ? m.new_brief_no_clock() : m.new_brief_clock({ count: clock }),
    settings.public ? m.new_brief_public() : m.new_brief_private(),
    settings.spectators ? m.new_brief_spectators() : m.new_brief_no_spectators(),
  ];
}

/** Who sits at a table besides you: "You, 2 seats for friends, 1 bot (Adept)". */
export function seatsBrief(others: readonly (Level | null)[]): string {
  const friends = others.filter((level) => level === null).length;
  const bots = [...new Set(others)].flatMap((level) => {
    if (level === null) return [];
    const count = others.filter((one) => one === level).length;
    return [m.new_brief_bots({ count, level: levelName(level) })];
  });
  return capitalised([m.new_brief_friends({ count: friends }), ...bots].join(", "));
}

/** A variant, named by what it changes. */
export function variantName(options: Rules): string {
  const phrases = Object.entries(options).flatMap(([option, value]) => {
    const phrase = Array.isArray(value) ? specialsPhrase(value) : briefly(option, value);
    return phrase === null ? [] : [phrase];
  });
  return capitalised(phrases.join(", ") || m.brief_specials_none());
}

/** For a phrase that stands alone. */
export function capitalised(phrase: string): string {
  return phrase.charAt(0).toLocaleUpperCase(locale()) + phrase.slice(1);
}
