/**
 * The texts of the site: `m.your_turn()`, `m.tricks({ count: 3 })`.
 *
 * Only the language in use is loaded. Texts are reactive, so a page can switch
 * language without reloading.
 */
import { format, parse, type Part, type Value } from "./message-format.js";
import type { Messages } from "./messages.gen";

type Catalogue = Record<string, string>;

const catalogues = import.meta.glob<Catalogue>("../../messages/*.json", { import: "default" });
const loaders = new Map(
  Object.entries(catalogues).map(([path, load]) => [path.replace(/^.*\/|\.json$/g, ""), load]),
);

/** English first, the others by their own names. */
export const locales: readonly string[] = [
  "en",
  ...[...loaders.keys()]
    .filter((name) => name !== "en")
    .sort((a, b) => languageName(a).localeCompare(languageName(b))),
];

let current = $state.raw({ locale: "en", texts: {} as Catalogue });
let wanted = "en";
const parsed = new Map<string, Part[]>();

export function locale(): string {
  return current.locale;
}

/**
 * Switches the language, and returns whether it is now in use: not if its texts failed to load, or
 * another was chosen in the meantime. Until then the site keeps its current language.
 */
export async function setLocale(name: string): Promise<boolean> {
  const load = loaders.get(name);
  if (load === undefined) return false;
  wanted = name;
  let texts: Catalogue;
  try {
    texts = await load();
  } catch {
    return false;
  }
  if (wanted !== name) return false;
  current = { locale: name, texts };
  return true;
}

/** The reader's first language that the site speaks, in this or another regional form. */
export function preferredLocale(
  languages: readonly string[],
  spoken: readonly string[] = locales,
): string {
  for (const language of languages.map((name) => name.toLowerCase())) {
    const found =
      spoken.find((name) => name.toLowerCase() === language) ??
      spoken.find((name) => base(name) === base(language));
    if (found !== undefined) return found;
  }
  return "en";
}

function base(language: string): string | undefined {
  return language.toLowerCase().split("-")[0];
}

/** The name of a language in that language: "Deutsch", "Português (Brasil)". */
export function languageName(name: string): string {
  const known = new Intl.DisplayNames([name], { type: "language" }).of(name) ?? name;
  return known.charAt(0).toLocaleUpperCase(name) + known.slice(1);
}

function text(key: string, parameters: Record<string, Value> = {}): string {
  const pattern = current.texts[key] ?? key;
  let parts = parsed.get(pattern);
  if (parts === undefined) parsed.set(pattern, (parts = parse(pattern)));
  return format(parts, parameters, current.locale);
}

export const m = new Proxy({} as Messages, {
  get:
    (_, key: string) =>
    (parameters?: Record<string, Value>): string =>
      text(key, parameters),
});
