/** The quick phrases and emotes, in words. */
import { m } from "../messages.svelte";

export const emotes = ["smile", "laugh", "wow", "sweat", "cry", "clap"] as const;
export type Emote = (typeof emotes)[number];

export function asEmote(phrase: string): Emote | null {
  return emotes.find((emote) => emote === phrase) ?? null;
}

const phrases: Readonly<Record<string, () => string>> = {
  hello: () => m.phrase_hello(),
  good_luck: () => m.phrase_good_luck(),
  well_played: () => m.phrase_well_played(),
  nice_bid: () => m.phrase_nice_bid(),
  thinking: () => m.phrase_thinking(),
  your_turn: () => m.phrase_your_turn(),
  oops: () => m.phrase_oops(),
  sorry: () => m.phrase_sorry(),
  thanks: () => m.phrase_thanks(),
  one_more: () => m.phrase_one_more(),
  good_game: () => m.phrase_good_game(),
  bye: () => m.phrase_bye(),
  smile: () => m.phrase_smile(),
  laugh: () => m.phrase_laugh(),
  wow: () => m.phrase_wow(),
  sweat: () => m.phrase_sweat(),
  cry: () => m.phrase_cry(),
  clap: () => m.phrase_clap(),
};

/** A phrase this client does not know yet is shown by the server's name for it. */
export function phraseText(phrase: string): string {
  return phrases[phrase]?.() ?? phrase.replaceAll("_", " ");
}

export const knownPhrases = Object.keys(phrases);
