/** Names of cards and phrases, as they are said. */
import { m } from "../messages.svelte";
import type { CardCode } from "../net/protocol";

export function cardName(code: CardCode): string {
  return code;
}
export function phraseText(phrase: string): string {
  return phrases[phrase]?.() ?? phrase;
}
const phrases: Readonly<Record<string, () => string>> = {};
void m;
