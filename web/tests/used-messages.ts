/**
 * The messages that the site uses: those named in its sources, and those looked up by the
 * server's names.
 */
import { globSync, readFileSync } from "node:fs";
import { cardOf } from "../src/lib/learn/course";
import examples from "../src/lib/rules/examples.json";

const sources = new URL("../src/", import.meta.url).pathname;

/** What the server offers, by the names in `/api/options`. */
const editions = [
  "amigo",
  "piatnik_hu",
  "piatnik_pl",
  "piatnik_cs",
  "piatnik_sk",
  "gigamic",
  "fisher",
  "anniversary",
];
const levels = ["novice", "apprentice", "adept", "archmage"];
const specials = ["dr", "fa", "bo", "we", "ju", "cl", "sh"];
const options: Record<string, string[]> = {
  players: [],
  rounds: [],
  specials: [],
  mode: ["standard", "monocolour", "two_player"],
  bidding: ["open", "hidden", "secret"],
  bid_rule: ["free", "plus_minus_one", "leader_uneven"],
  clairvoyance: ["off", "first_round", "every_round"],
  dark_wizard: ["false", "true"],
  suit_after_wizard: ["free", "binding"],
  dealer_by: ["seat", "random", "high_card"],
};
const values = Object.entries(options).flatMap(([option, all]) =>
  all.map((value) => `${option}_${value}`),
);

function withHints(names: string[]): string[] {
  return names.flatMap((name) => [name, `${name}_hint`]);
}

/** The keys composed by src/lib/words, rules and learn. */
const composed = [
  ...withHints(editions.map((name) => `edition_${name}`)),
  ...withHints(levels.map((name) => `level_${name}`)),
  ...withHints([...Object.keys(options), ...values].map((name) => `option_${name}`)),
  ...specials.flatMap((card) => [`special_${card}_hint`, `rule_specials_${card}`]),
  ...values.flatMap((value) => [`brief_${value}`, `rule_${value}`]),
  ...Object.keys(cardOf).flatMap((lesson) =>
    ["", "_hint", "_learned"].map((end) => `lesson_${lesson}${end}`),
  ),
  ...examples.tricks.map(({ id }) => `rule_example_${id}`),
];

export function usedMessages(): Set<string> {
  const page = readFileSync(new URL("../index.html", import.meta.url), "utf8");
  const inPage = [...page.matchAll(/\{(\w+)\}/g)].map(([, key = ""]) => key);
  const used = new Set([...composed, ...inPage]);
  for (const path of globSync("**/*.{ts,svelte}", { cwd: sources })) {
    const text = readFileSync(sources + path, "utf8");
    for (const [, key = ""] of text.matchAll(/\bm\.(\w+)/g)) used.add(key);
  }
  return used;
}
