/** What the player is asked to do now, in a few words. */
import { m } from "../messages.svelte";
import type { View } from "../net/protocol.gen";

/** `left` is the name of the player on the left, to whom cards are passed. */
export function prompt(view: View, left: string): string | null {
  switch (view.phase) {
    case "bid":
      return m.game_prompt_bid();
    case "trump":
      return m.game_prompt_trump();
    case "pass":
      return m.game_prompt_pass({ name: left });
    case "play":
      if (view.hand?.length === 1) return m.game_prompt_last();
      if (!view.trick?.plays.length) return m.game_prompt_lead();
      // Only if it restricts: a player who cannot follow is free.
      return view.follow !== null && Object.keys(view.why).length > 0
        ? m.game_prompt_follow({ suit: view.follow })
        : m.game_prompt_play();
    default:
      return null;
  }
}
