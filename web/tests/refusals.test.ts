import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { setLocale } from "../src/lib/messages.svelte";
import { explain, sentences } from "../src/lib/refusals";

const protocol = readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8");
const section = /## Refusals\n([\s\S]*?)\n## /.exec(protocol)?.[1] ?? "";
const [rules = "", table = ""] = section
  .slice(section.indexOf("Codes of the rules"))
  .split("Codes of the table");
const sheet = /Refusals of a sheet: ([\s\S]*?)\. Events/.exec(protocol)?.[1] ?? "";
/** The words in backticks, except parameters in parentheses. */
const codes = [...`${rules}${table}${sheet}`.replace(/\([^)]*\)/g, "").matchAll(/`(\w+)`/g)].map(
  (found) => found[1] ?? "",
);

afterEach(async () => {
  if ("document" in globalThis) await setLocale("en");
  vi.unstubAllGlobals();
});

describe("refusals", () => {
  it("are all read from the protocol", () => {
    expect(codes).toEqual(
      expect.arrayContaining(["game_over", "must_follow", "stale", "internal"]),
    );
    expect(codes).toContain("tricks_total");
    expect(codes.length).toBeGreaterThan(50);
  });

  it.each(codes)("%s has a sentence of its own", (code) => {
    expect(sentences).toHaveProperty(code);
    const told = explain({ code, params: {}, reason: "the server's reason" });
    expect(told).toMatch(/^[A-Z].*\.$/);
    expect(told).not.toContain("server's reason");
    expect(told).not.toContain("refusal_");
  });

  it("speak of the suit, not of its letter", () => {
    const refusal = { code: "must_follow", params: { held: "R4", suit: "R" }, reason: "" };
    expect(explain(refusal)).toBe("You must follow red.");
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
