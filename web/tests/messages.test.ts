import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { format, parse, type Part, type Value } from "../src/lib/message-format.js";
import { languageName, m, preferredLocale } from "../src/lib/messages.svelte";
import { composed, usedMessages } from "./used-messages";

const folder = new URL("../messages/", import.meta.url);

function catalogue(name: string): Record<string, string> {
  return JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Record<string, string>;
}

/** Every argument of a message, with the cases of a choice: "who select other|you". */
function parameters(parts: Part[]): string[] {
  const found = parts.flatMap((part) => {
    if (typeof part === "string" || part.kind === "count") return [];
    if (part.kind === "value") return [part.name];
    const inner = part.cases.flatMap(([, parts]) => parameters(parts));
    // What is only a number in English may need a plural in another language.
    if (part.kind === "plural") return [part.name, ...inner];
    const labels = part.cases.map(([label]) => label).sort();
    return [`${part.name} select ${labels.join("|")}`, ...inner];
  });
  return [...new Set(found)].sort();
}

/** The parameters that need a grammatical form, such as card names. */
function declined(parts: Part[]): string[] {
  return parts.flatMap((part) => {
    if (typeof part === "string" || part.kind === "count") return [];
    if (part.kind === "value") return part.form === null ? [] : [part.name];
    return part.cases.flatMap(([, inner]) => declined(inner));
  });
}

/** The cases of every plural in a message. */
function plurals(parts: Part[]): string[][] {
  return parts.flatMap((part) => {
    if (typeof part === "string" || !("cases" in part)) return [];
    const inner = part.cases.flatMap(([, parts]) => plurals(parts));
    return part.kind === "plural" ? [part.cases.map(([label]) => label), ...inner] : inner;
  });
}

/** The plural categories of a game's whole numbers in a language. */
function categories(locale: string): string[] {
  const rules = new Intl.PluralRules(locale);
  return [...new Set(Array.from({ length: 2000 }, (_, count) => rules.select(count)))];
}

function say(text: string, values: Record<string, Value>, locale = "en"): string {
  return format(parse(text), values, locale);
}

describe("the message format", () => {
  it("fills in names and numbers", () => {
    expect(say("{name} leads {count}", { name: "Ana", count: 1234 })).toBe("Ana leads 1,234");
  });

  it("chooses plurals by the rules of the language", () => {
    const text = "{n, plural, =0 {nic} one {# lew} few {# lewy} many {# lew…} other {# lewa}}";
    const told = [0, 1, 2, 5, 1.5].map((n) => say(text, { n }, "pl"));
    expect(told).toEqual(["nic", "1 lew", "2 lewy", "5 lew…", "1,5 lewa"]);
  });

  it("chooses by name, nested, and keeps the number of the plural around it", () => {
    const text = "{n, plural, other {{side, select, w {# as W} j {# as J}}}}";
    expect(say(text, { n: 3, side: "j" })).toBe("3 as J");
  });

  it("asks for a name in the form that the sentence needs", () => {
    const card = (form: string): string => `<${form}>`;
    const text = "{card}, {card, subject} and {card, object}";
    expect(say(text, { card })).toBe("<name>, <subject> and <object>");
  });

  it.each(["{", "a}", "{n, plural, one {x}}", "{n, date}", "{n, select, }"])(
    "refuses %j",
    (text) => {
      expect(() => parse(text)).toThrow(/in message/);
    },
  );
});

describe("the languages", () => {
  const english = catalogue("en.json");

  it("speaks English", () => {
    expect(m.page_title({ page: m.settings_title() })).toBe("Settings · Foretold");
    expect(preferredLocale(["xx-YY", "en-GB"])).toBe("en");
  });

  it("speaks to everyone in the nearest language there is", () => {
    const spoken = ["en", "de", "pt-BR"];
    expect(preferredLocale(["de-AT", "en"], spoken)).toBe("de");
    expect(preferredLocale(["PT-br"], spoken)).toBe("pt-BR");
    expect(preferredLocale(["pt-PT"], spoken)).toBe("pt-BR");
    expect(preferredLocale(["xx", "de"], spoken)).toBe("de");
    expect(preferredLocale([], spoken)).toBe("en");
  });

  it("calls every language by its own name", () => {
    expect(["en", "de", "fr", "cs"].map(languageName)).toEqual([
      "English",
      "Deutsch",
      "Français",
      "Čeština",
    ]);
    expect(languageName("pt-BR")).toMatch(/^Português/);
  });

  describe.each(readdirSync(folder))("%s", (name) => {
    const texts = catalogue(name);
    const locale = name.replace(".json", "");

    it("is named as browsers name it", () => {
      expect(Intl.getCanonicalLocales(locale)).toEqual([locale]);
      expect(Intl.PluralRules.supportedLocalesOf(locale)).toEqual([locale]);
    });

    it("has every message, in the order of English, and no other", () => {
      expect(Object.keys(texts)).toEqual(Object.keys(english));
    });

    it("has no empty message and no stray space", () => {
      const odd = Object.entries(texts).filter(([, text]) => text === "" || text !== text.trim());
      expect(odd).toEqual([]);
    });

    it("has the parameters and choices of English", () => {
      for (const [key, text] of Object.entries(texts)) {
        expect(parameters(parse(text)), key).toEqual(parameters(parse(english[key] ?? "")));
      }
    });

    it("asks for forms of names only where it gets them", () => {
      for (const [key, text] of Object.entries(texts)) {
        const offered = declined(parse(english[key] ?? ""));
        expect(offered, key).toEqual(expect.arrayContaining(declined(parse(text))));
      }
    });

    it("has every plural that its numbers need", () => {
      const known: string[] = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
      const needed = categories(locale);
      for (const [key, text] of Object.entries(texts)) {
        for (const cases of plurals(parse(text))) {
          const named = cases.filter((label) => !/^=\d+$/.test(label));
          expect(named, key).toEqual(expect.arrayContaining(needed));
          expect(known, key).toEqual(expect.arrayContaining(named));
        }
      }
    });
  });

  it("has words for everything that the server offers", () => {
    expect(composed.filter((key) => !(key in english))).toEqual([]);
  });

  it("has only messages in snake_case that the site uses", () => {
    const used = usedMessages();
    const unused = Object.keys(english).filter((key) => !used.has(key));
    expect(unused).toEqual([]);
    for (const key of Object.keys(english)) expect(key).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  });
});
