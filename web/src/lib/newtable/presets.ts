/** Three games to begin with, and how long a game takes. */
import { m } from "../messages.svelte";
import type { Rules } from "../net/protocol.gen";
import { same } from "./draft.svelte";

export interface Preset {
  name: string;
  /** The card that stands for it. */
  card: string;
  label: () => string;
  hint: () => string;
  rules: Rules;
}

export const presets: readonly Preset[] = [
  {
    name: "quick",
    card: "J",
    label: () => m.new_preset_quick(),
    hint: () => m.new_preset_quick_hint(),
    rules: { edition: "amigo", rounds: "1-7" },
  },
  {
    name: "classic",
    card: "W",
    label: () => m.new_preset_classic(),
    hint: () => m.new_preset_classic_hint(),
    rules: { edition: "amigo" },
  },
  {
    name: "special",
    card: "DR",
    label: () => m.new_preset_special(),
    hint: () => m.new_preset_special_hint(),
    rules: { edition: "anniversary" },
  },
];

/** The preset that was chosen as it is, whatever the number of players; null for any other game. */
export function presetOf({ players: _, ...chosen }: Rules): string | null {
  const found = presets.find(({ rules }) =>
    [...Object.keys(rules), ...Object.keys(chosen)].every((key) => same(rules[key], chosen[key])),
  );
  return found?.name ?? null;
}

/** Seconds for a card, and for the dealing, bidding and counting of a round: as people play. */
const CARD = 3.5;
const ROUND = 30;
const STEP = 5;

/** In steps of five, as nobody looks at the clock. */
export function minutesOf(sizes: readonly number[], players: number): number {
  const cards = players * sizes.reduce((sum, size) => sum + size, 0);
  const minutes = (cards * CARD + sizes.length * ROUND) / 60;
  return Math.max(STEP, Math.round(minutes / STEP) * STEP);
}
