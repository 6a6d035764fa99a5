import { afterEach, describe, expect, it, vi } from "vitest";
import { setLocale } from "../src/lib/messages.svelte";
import { explain } from "../src/lib/refusals";
import { sentences } from "../src/lib/refusals.gen";

const codes = Object.keys(sentences);

afterEach(async () => {
  if ("document" in globalThis) await setLocale("en");
  vi.unstubAllGlobals();
});

describe("refusals", () => {
  it.each(codes)("%s has a sentence of its own, whatever comes with it", (code) => {
    const told = explain({ code, params: {}, reason: "the server's reason" });
    expect(told).toMatch(/^[A-Z0-9].*\.$/);
    expect(told).not.toContain("server's reason");
    expect(told).not.toContain("refusal_");
  });

  it("speak of the suit, not of its letter", () => {
    const refusal = { code: "must_follow", params: { held: "R4", suit: "R" }, reason: "" };
    expect(explain(refusal)).toBe("You must follow red.");
  });

  it("name the setting and what it may be", () => {
    const params = { setting: "patience", low: 5, high: 3600 };
    expect(explain({ code: "bad_setting", params, reason: "" })).toBe(
      "Choose a waiting time from 5 to 3,600 seconds.",
    );
  });

  it("say who was faster, and what they wrote", () => {
    const told = [
      { code: "cell_taken", params: { name: "Ben", value: 2 } },
      { code: "cell_cleared", params: { name: "Ben" } },
      { code: "cell_sealed", params: { name: "" } },
    ].map((one) => explain({ ...one, reason: "" }));
    expect(told).toEqual([
      "Ben has just written 2 there.",
      "Ben has just cleared that cell.",
      "Somebody has just sealed that bid.",
    ]);
  });

  it("name why two options clash, in either order", () => {
    const params = { option: "bidding", other: "bid_rule" };
    const swapped = { option: "bid_rule", other: "bidding" };
    const told = [params, swapped].map((one) =>
      explain({ code: "bad_rules", params: one, reason: "x" }),
    );
    expect(told[0]).toBe(told[1]);
    expect(told[0]).toContain("open bids");
  });

  it("fall back to the reason of the server", () => {
    expect(explain({ code: "brand_new", params: {}, reason: "the moon is full" })).toBe(
      "The moon is full.",
    );
  });

  it.each(codes)("%s is told in the language of the reader", async (code) => {
    const english = explain({ code, params: {}, reason: "the server's reason" });
    vi.stubGlobal("document", { documentElement: {}, querySelector: () => null });
    expect(await setLocale("de")).toBe(true);
    const told = explain({ code, params: {}, reason: "the server's reason" });
    expect(told).not.toContain("server's reason");
    expect(told).not.toBe(english);
  });

  it("say something of their own in a language that the server does not speak", async () => {
    vi.stubGlobal("document", { documentElement: {}, querySelector: () => null });
    await setLocale("de");
    expect(explain({ code: "brand_new", params: {}, reason: "the moon is full" })).toMatch(
      /neu zu laden/,
    );
  });

  it("never show an exception", () => {
    expect(explain(new TypeError("x is undefined"))).toMatch(/our side/);
  });
});
