/** The player's settings, stored in this browser. Anything unreadable falls back to its default. */
import { announce } from "./announce.svelte";
import { levels } from "./lobby/levels";
import { languageName, locale, locales, m, preferredLocale, setLocale } from "./messages.svelte";
import type { Level } from "./net/protocol.gen";
import { renew } from "./net/renewal";
import { toast } from "./toasts.svelte";

const KEY = "foretold.settings";

export const choices = {
  theme: ["system", "light", "dark"],
  motion: ["system", "full", "reduced"],
  sort: ["suit", "value", "dealt"],
  table: ["evening", "winter", "hall"],
  back: ["stones", "moon", "knot"],
  tap: ["ask", "one", "lift"],
  level: levels,
} as const;

export interface Settings {
  /** One of the site's languages, or the browser's. */
  language: string;
  theme: (typeof choices.theme)[number];
  motion: (typeof choices.motion)[number];
  /** Where the table stands. */
  table: (typeof choices.table)[number];
  /** The back of the cards. */
  back: (typeof choices.back)[number];
  /** For tired eyes. */
  largeCards: boolean;
  /** How the hand is ordered. */
  sort: (typeof choices.sort)[number];
  /** How well the bots play in a quick game. */
  level: Level;
  /** On a touch screen, one tap plays a card, or the first lifts it; asked at the first card. */
  tap: (typeof choices.tap)[number];
  /** Plays the only legal card without a tap. */
  autoPlay: boolean;
  sound: boolean;
  vibration: boolean;
}

export const defaults: Readonly<Settings> = {
  language: "system",
  theme: "system",
  motion: "system",
  table: "evening",
  back: "stones",
  largeCards: false,
  sort: "suit",
  level: "apprentice",
  tap: "ask",
  autoPlay: false,
  sound: true,
  vibration: true,
};

/** Settings from stored text; anything unknown or of the wrong kind is ignored. */
export function readSettings(text: string | null): Settings {
  const stored = parsed(text);
  const settings = { ...defaults };
  for (const name of ["largeCards", "autoPlay", "sound", "vibration"] as const) {
    const value = stored[name];
    if (typeof value === "boolean") settings[name] = value;
  }
  settings.language = oneOf(locales, stored.language) ?? settings.language;
  settings.theme = oneOf(choices.theme, stored.theme) ?? settings.theme;
  settings.motion = oneOf(choices.motion, stored.motion) ?? settings.motion;
  settings.table = oneOf(choices.table, stored.table) ?? settings.table;
  settings.back = oneOf(choices.back, stored.back) ?? settings.back;
  settings.level = oneOf(choices.level, stored.level) ?? settings.level;
  settings.sort = oneOf(choices.sort, stored.sort) ?? settings.sort;
  // Until 2026 this was a switch, off unless somebody had turned it on.
  settings.tap = oneOf(choices.tap, stored.tap) ?? (stored.oneTap === true ? "one" : settings.tap);
  return settings;
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function oneOf<Choice>(known: readonly Choice[], value: unknown): Choice | undefined {
  return known.find((choice) => choice === value);
}

function load(): Settings {
  try {
    return readSettings(localStorage.getItem(KEY));
  } catch {
    // Storage may be blocked altogether; the game goes on with the defaults.
    return { ...defaults };
  }
}

export const settings: Settings = $state(load());

/** Resets all but the language: otherwise a reader might not be able to read the way back. */
export function resetSettings(): void {
  Object.assign(settings, { ...defaults, language: settings.language });
}

/** The language the reader wants: the chosen one, or the browser's first. */
function wantedLocale(): string {
  return settings.language === "system" ? preferredLocale(navigator.languages) : settings.language;
}

/** Loads the reader's language, or English if that fails; returns whether any loaded. */
export async function firstLanguage(): Promise<boolean> {
  return (await setLocale(wantedLocale())) || setLocale("en");
}

/** Chooses a language, or "system" for the browser's; it takes effect at once. */
export async function chooseLanguage(choice: string): Promise<void> {
  const before = settings.language;
  settings.language = choice;
  const wanted = wantedLocale();
  if (await setLocale(wanted)) {
    announce(m.language_changed({ language: languageName(wanted) }));
  } else if (settings.language === choice && !(await renew())) {
    settings.language = before;
    toast(m.language_failed);
  }
}

/** The reader may change the browser's languages while the page is open. */
function followBrowserLanguage(): () => void {
  const follow = (): void => void setLocale(wantedLocale());
  addEventListener("languagechange", follow);
  return () => removeEventListener("languagechange", follow);
}

/** Stores the settings and applies the theme; call it once, during component set-up. */
export function applySettings(): void {
  $effect(() => {
    try {
      localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
      // Kept for this visit only.
    }
  });
  $effect(followBrowserLanguage);
  $effect(() => {
    document.documentElement.lang = locale();
    // Installing the site now installs it in this language.
    document
      .querySelector("link[rel=manifest]")
      ?.setAttribute("href", `/manifest.${locale()}.webmanifest`);
  });
  $effect(() => {
    const root = document.documentElement;
    show(root, "theme", settings.theme);
    show(root, "motion", settings.motion);
  });
}

function show(root: HTMLElement, name: string, value: string): void {
  if (value === "system") delete root.dataset[name];
  else root.dataset[name] = value;
}

/** Whether things should fade rather than move. */
export function calm(): boolean {
  if (settings.motion !== "system") return settings.motion === "reduced";
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
