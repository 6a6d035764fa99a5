import { locale } from "../messages.svelte";

const types = { and: "conjunction", or: "disjunction", plain: "unit" } as const;

/** "Ana, Ben and Cleo", as the language writes it; "plain" leaves out the word before the last. */
export function listed(names: readonly string[], style: keyof typeof types = "and"): string {
  const type = types[style];
  return new Intl.ListFormat(locale(), { type }).format(names);
}
