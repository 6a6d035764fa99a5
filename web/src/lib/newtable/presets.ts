/** Three games to begin with. */
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

/** Whether it is the plain game, which the coach of the first game can explain. */
export function isPlain(chosen: Rules): boolean {
  const name = presetOf(chosen);
  return name === "quick" || name === "classic";
}
