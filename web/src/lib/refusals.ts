/** What a player is told when something is refused: never the code, and the reason as a last resort. */
import { locale, m } from "./messages.svelte";
import { isRefusal } from "./net/api";
import type { Params } from "./refusal-params";
import { sentences } from "./refusals.gen";

/** The server's refusals, and the client's own. */
const known: Readonly<Record<string, (params: Params) => string>> = {
  ...sentences,
  bad_rules: ({ option, other }) => clash(option, other),
  unreachable: () => m.refusal_unreachable(),
  page_left: () => m.refusal_unreachable(),
};

const clashes: Readonly<Record<string, () => string>> = {
  "players mode": () => m.clash_players_mode(),
  "bidding mode": () => m.clash_bidding_mode(),
  "specials mode": () => m.clash_specials_mode(),
  "specials specials": () => m.clash_specials_specials(),
  "specials clairvoyance": () => m.clash_specials_clairvoyance(),
  "clairvoyance mode": () => m.clash_clairvoyance_mode(),
  "bid_rule bidding": () => m.clash_bid_rule_bidding(),
  "rounds players": () => m.clash_rounds_players(),
  "rounds mode": () => m.clash_rounds_mode(),
};

/** Why two options of the rules do not go together, once the server has said so. */
function clash(option: unknown, other: unknown): string {
  const found = clashes[`${option} ${other}`] ?? clashes[`${other} ${option}`];
  return found?.() ?? m.refusal_bad_rules();
}

/** The sentence for whatever a call or the table has thrown; empty for nothing. */
export function explain(problem: unknown): string {
  if (problem === null) return "";
  if (!isRefusal(problem)) return m.refusal_internal();
  const told = known[problem.code]?.(problem.params);
  if (told !== undefined) return told;
  // A code that is new here: the server says why, but in English only.
  return locale() === "en" ? asSentence(problem.reason) : m.refusal_unknown_action();
}

function asSentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.!?…]$/.test(text) || text === "" ? text : `${text}.`;
}
