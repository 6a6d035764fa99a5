import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { format, parse } from "../src/lib/message-format.js";
import { m, preferredLocale } from "../src/lib/messages.svelte";

const folder = new URL("../messages/", import.meta.url);

function catalogue(name: string): Record<string, string> {
  return JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Record<string, string>;
}

/** The names of the parameters in a message. */
function parameters(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)(?=[,}])/g)].map((found) => found[1] ?? ""))].sort();
}

function say(text: string, values: Record<string, string | number>, locale = "en"): string {
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

  it.each(readdirSync(folder))("%s is complete, readable and in snake_case", (name) => {
    const texts = catalogue(name);
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(texts)) {
      expect(key).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(() => parse(text)).not.toThrow();
      expect(parameters(text), key).toEqual(parameters(english[key] ?? ""));
    }
  });
});
