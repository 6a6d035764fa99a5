import { locale } from "../messages.svelte";

/** "Ana, Ben and Cleo", as the language writes it; "plain" leaves out the word before the last. */
export function listed(names: readonly string[], style: "and" | "plain" = "and"): string {
  const type = style === "and" ? "conjunction" : "unit";
  return new Intl.ListFormat(locale(), { type }).format(names);
}
