/**
 * The messages that the site uses: those named in its sources, and those looked up by the
 * server's names.
 */
import { globSync, readFileSync } from "node:fs";
import { specials } from "../src/lib/cards/card";
import { cardOf } from "../src/lib/learn/course";
import examples from "../src/lib/rules/examples.json";
import offered from "./offered.json";

const sources = new URL("../src/", import.meta.url).pathname;

const { editions, levels } = offered;
const options: Record<string, string[]> = offered.options;
const values = Object.entries(options).flatMap(([option, all]) =>
  all.map((value) => `${option}_${value}`),
);

function withHints(names: string[]): string[] {
  return names.flatMap((name) => [name, `${name}_hint`]);
}

/** The keys composed by src/lib/words, rules and learn: without one, a bare name would be shown. */
export const composed = [
  ...withHints(editions.map((name) => `edition_${name.replaceAll("-", "_")}`)),
  ...withHints(levels.map((name) => `level_${name}`)),
  ...withHints([...Object.keys(options), ...values].map((name) => `option_${name}`)),
  ...specials
    .map((card) => card.toLowerCase())
    .flatMap((card) => [`special_${card}_hint`, `rule_specials_${card}`]),
  ...values.map((value) => `rule_${value}`),
  ...Object.keys(cardOf).flatMap((lesson) =>
    ["", "_hint", "_learned"].map((end) => `lesson_${lesson}${end}`),
  ),
  ...examples.tricks.map(({ id }) => `rule_example_${id}`),
];

/** Phrases for what does not go without saying. */
const optional = values.map((value) => `brief_${value}`);

export function usedMessages(): Set<string> {
  const page = readFileSync(new URL("../index.html", import.meta.url), "utf8");
  const inPage = [...page.matchAll(/\{(\w+)\}/g)].map(([, key = ""]) => key);
  const used = new Set([...composed, ...optional, ...inPage]);
  for (const path of globSync("**/*.{ts,svelte}", { cwd: sources })) {
    const text = readFileSync(sources + path, "utf8");
    for (const [, key = ""] of text.matchAll(/\bm\.(\w+)/g)) used.add(key);
  }
  return used;
}
