/** What the player chose, kept in this browser. Whatever cannot be read falls back to its default. */

const KEY = "foretold.settings";

export const choices = {
  theme: ["system", "light", "dark"],
  motion: ["system", "full", "reduced"],
  sort: ["suit", "value", "dealt"],
} as const;

export interface Settings {
  theme: (typeof choices.theme)[number];
  motion: (typeof choices.motion)[number];
  /** How the hand is ordered. */
  sort: (typeof choices.sort)[number];
  /** One tap plays a card; otherwise the first lifts it. */
  oneTap: boolean;
  /** Plays the only legal card without a tap. */
  autoPlay: boolean;
  sound: boolean;
  vibration: boolean;
}

export const defaults: Readonly<Settings> = {
  theme: "system",
  motion: "system",
  sort: "suit",
  oneTap: false,
  autoPlay: false,
  sound: true,
  vibration: true,
};

/** Settings from stored text; anything unknown or of the wrong kind is ignored. */
export function readSettings(text: string | null): Settings {
  const stored = parsed(text);
  const settings = { ...defaults };
  for (const name of ["oneTap", "autoPlay", "sound", "vibration"] as const) {
    const value = stored[name];
    if (typeof value === "boolean") settings[name] = value;
  }
  settings.theme = oneOf(choices.theme, stored.theme) ?? settings.theme;
  settings.motion = oneOf(choices.motion, stored.motion) ?? settings.motion;
  settings.sort = oneOf(choices.sort, stored.sort) ?? settings.sort;
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
    // Storage may be closed altogether; the game goes on with the defaults.
    return { ...defaults };
  }
}

export const settings: Settings = $state(load());

export function resetSettings(): void {
  Object.assign(settings, defaults);
}

/** Keeps the settings and shows the theme; call it once, while a component is set up. */
export function applySettings(): void {
  $effect(() => {
    try {
      localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
      // Kept for this visit only.
    }
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
