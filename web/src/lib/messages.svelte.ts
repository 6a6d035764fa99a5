/**
 * The words of the site: `m.your_turn()`, `m.tricks({ count: 3 })`.
 *
 * English is part of the first page; any other language is loaded when it is wanted. Texts are read
 * reactively, so a page changes its language without being loaded again.
 */
import english from "../../messages/en.json";
import { format, parse, type Part } from "./message-format.js";
import type { Messages } from "./messages.gen";

type Catalogue = Record<string, string>;

const catalogues = import.meta.glob<Catalogue>(["../../messages/*.json", "!**/en.json"], {
  import: "default",
});
const loaders = new Map(
  Object.entries(catalogues).map(([path, load]) => [path.replace(/^.*\/|\.json$/g, ""), load]),
);

export const locales = ["en", ...loaders.keys()];

let current = $state.raw({ locale: "en", texts: english as Catalogue });
const parsed = new Map<string, Part[]>();

export function locale(): string {
  return current.locale;
}

/** Changes the language; an unknown one is left alone. */
export async function setLocale(wanted: string): Promise<void> {
  if (!locales.includes(wanted)) return;
  const texts = (await loaders.get(wanted)?.()) ?? english;
  current = { locale: wanted, texts };
  document.documentElement.lang = wanted;
}

/** The first language of the reader that the site speaks. */
export function preferredLocale(languages: readonly string[]): string {
  for (const language of languages) {
    const base = language.toLowerCase().split("-")[0];
    const found = locales.find((name) => name === language || name === base);
    if (found !== undefined) return found;
  }
  return "en";
}

function text(key: string, parameters: Record<string, string | number> = {}): string {
  const pattern = current.texts[key] ?? (english as Catalogue)[key] ?? key;
  let parts = parsed.get(pattern);
  if (parts === undefined) parsed.set(pattern, (parts = parse(pattern)));
  return format(parts, parameters, current.locale);
}

export const m = new Proxy({} as Messages, {
  get:
    (_, key: string) =>
    (parameters?: Record<string, string | number>): string =>
      text(key, parameters),
});
