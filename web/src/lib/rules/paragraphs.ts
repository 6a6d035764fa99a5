/** The paragraph of every value of every option; their names come from the server. */
import { m } from "../messages.svelte";
import type { RuleValue } from "../net/protocol.gen";

function found(...names: string[]): string | null {
  const key = names.join("_").toLowerCase();
  const told = (m as unknown as Record<string, () => string>)[key]?.() ?? key;
  return told === key ? null : told;
}

/** What a value means, in full; null if there is no text for it. */
export function paragraph(option: string, value: RuleValue): string | null {
  if (option === "players") return m.rule_players({ count: Number(value) });
  if (option === "rounds" && value !== "all") return m.rule_rounds_own({ rounds: String(value) });
  return found("rule", option, String(value));
}
