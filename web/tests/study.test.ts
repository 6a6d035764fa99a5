import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { locales, setLocale } from "../src/lib/messages.svelte";
import type { Advice } from "../src/lib/net/protocol.gen";
import { bestBid, choiceName, deed, knownAdvice, told } from "../src/lib/study/words";

const protocol = readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8");
const section = /\| code \| said where \|\n([\s\S]*?)\n\n/.exec(protocol)?.[1] ?? "";
/** The codes that the server gives, in the first column of the table. */
const codes = [...section.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = ""]) =>
  [...cell.matchAll(/`(\w+)`/g)].map(([, code = ""]) => code),
);

const done: Record<string, string> = { trump: "trump R", pass: "pass R4", cloud: "cloud +1" };
const better: Record<string, string> = { trump: "trump none", pass: "pass W", cloud: "cloud -1" };

function advice(code: string, params: Advice["params"] = {}): Advice {
  const kind = code.startsWith("bid") ? "bid" : code;
  return {
    code,
    params: {
      done: kind === "bid" ? "bid 3" : (done[kind] ?? "play R4"),
      better: kind === "bid" ? "bid 2" : (better[kind] ?? "play JU=G"),
      usual: "play R4",
      likely: 2,
      chance: 0.483,
      need: 1,
      gain: 4.2,
      ...params,
    },
  };
}

beforeEach(() => vi.stubGlobal("document", { documentElement: {}, querySelector: () => null }));
afterEach(async () => {
  await setLocale("en");
  vi.unstubAllGlobals();
});

describe("advice", () => {
  it("has a sentence for every code of the protocol, and for no other", () => {
    expect(codes.length).toBeGreaterThan(10);
    expect(knownAdvice.toSorted()).toEqual(codes.toSorted());
  });

  it("tells a bid against the curve", () => {
    expect(told(advice("bid", { cost: 7.3, exact: 0.2, exact_better: 0.5 }))).toEqual([
      "This hand makes 2 most often (48%).",
      "Gave away 7 points.",
    ]);
  });

  it("tells why a card was better: the bid is met more often, or the others get less", () => {
    const met = advice("play_take", { cost: 1, exact: 0.2, exact_better: 0.5, others_less: 3 });
    expect(told(met)).toEqual([
      "The Juggler as green would be winning the trick, with 1 trick still to take.",
      "Bid met: Juggler as green (50%), Red 4 (20%).",
      "Gave away 1 point.",
    ]);
    expect(told(advice("lead", { exact: null, others_less: 3.4 }))[1]).toBe(
      "The others get 3 points less.",
    );
  });

  it("tells what a rule of thumb would have done", () => {
    const usual = (action: string): string | undefined =>
      told(advice("found", { usual: action, gain: 21 }))[0];
    expect(usual("play W")).toBe(
      "A quick rule of thumb would have played a Wizard and given away 21 points.",
    );
    expect(usual("bid 2")).toBe("A quick rule of thumb would have bid 2 and given away 21 points.");
    expect(usual("trump R")).toContain("would have chosen red and");
  });

  it("knows the bid that it advises", () => {
    expect(bestBid(advice("bid"))).toBe(2);
    expect(bestBid({ code: "found", params: { done: "bid 1" } })).toBeNull();
  });

  it.each(locales.flatMap((locale) => codes.map((code) => [locale, code])))(
    "is told in %s: %s",
    async (locale, code) => {
      expect(await setLocale(locale)).toBe(true);
      const said = told(advice(code, { cost: 5, exact: 0.1, exact_better: 0.6, others_less: 2 }));
      for (const sentence of said) {
        expect(sentence).toMatch(/\.$/);
        expect(sentence).not.toMatch(/advice_|undefined|[{}]/);
      }
    },
  );
});

describe("choices and deeds", () => {
  it("are named by what they are about", () => {
    expect(["bid 2", "play R4", "trump R", "trump none", "cloud -1"].map(choiceName)).toEqual([
      "2",
      "Red 4",
      "red",
      "No trump",
      "−1",
    ]);
    expect(["bid 2", "play R4", "pass W", "trump B", "cloud +1"].map(deed)).toEqual([
      "Bid: 2",
      "Played: Red 4",
      "Passed: Wizard",
      "Trump: blue",
      "Bid changed by +1",
    ]);
  });
});
