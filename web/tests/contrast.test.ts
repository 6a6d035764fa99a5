import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../src/theme.css", import.meta.url), "utf8");

type Mode = "day" | "night";
type Tokens = Map<string, Record<Mode, string>>;

function read(part: string): Tokens {
  return new Map(
    [...part.matchAll(/--([\w-]+): (?:light-dark\()?(#\w{6})(?:, (#\w{6})\))?;/g)].map(
      ([, name = "", day = "", night = day]) => [name, { day, night }],
    ),
  );
}

const [everywhere = "", onPaper = ""] = css.split("/* Ink that is dark enough");
const [paper = "", byCandle = ""] = onPaper.split("/* Printed paper");
const tokens = read(everywhere);
/** What `.on-parchment` changes. */
const inkOnPaper = read(paper);
/** The parchment itself, where the theme is dark. */
const candle = read(byCandle);

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function colour(name: string, mode: Mode): string {
  const found = tokens.get(name)?.[mode];
  if (found === undefined) throw new Error(`theme.css has no colour --${name}`);
  return found;
}

const TEXT = 4.5;
const SHAPE = 3;
const suits = ["suit-b", "suit-g", "suit-r", "suit-y"];
const inks = ["ink", "ink-soft", "link", "gold", "good", "bad", ...suits];
const surfaces = ["ground", "surface", "raised", "sunken"];

describe.each(["day", "night"] as const)("by %s", (mode) => {
  it.each(inks)("%s is readable on every surface", (ink) => {
    for (const surface of surfaces) {
      const measured = contrast(colour(ink, mode), colour(surface, mode));
      expect(measured, `--${ink} on --${surface}`).toBeGreaterThanOrEqual(TEXT);
    }
  });

  it.each([
    ["on-primary", "primary"],
    ["on-primary", "primary-hover"],
    ["on-gold", "gold-fill"],
  ])("%s is readable on %s", (ink, fill) => {
    expect(contrast(colour(ink, mode), colour(fill, mode))).toBeGreaterThanOrEqual(TEXT);
  });

  it.each(["focus", "line-strong"])("%s can be seen on every surface", (line) => {
    for (const surface of surfaces) {
      const measured = contrast(colour(line, mode), colour(surface, mode));
      expect(measured, `--${line} on --${surface}`).toBeGreaterThanOrEqual(SHAPE);
    }
  });
});

describe("the table and the Tablet have their own light", () => {
  it.each(inks)("%s is readable on the table, which is always night", (ink) => {
    for (const table of ["table", "table-rim"]) {
      const measured = contrast(colour(ink, "night"), colour(table, "night"));
      expect(measured).toBeGreaterThanOrEqual(TEXT);
    }
  });

  it.each(inks)("%s is readable on parchment, by day and by candlelight", (ink) => {
    const written = inkOnPaper.get(ink)?.day ?? colour(ink, "day");
    for (const sheet of ["parchment", "scroll"]) {
      const [lit = "", dim = ""] = [tokens.get(sheet)?.day, candle.get(sheet)?.day];
      expect(contrast(written, lit), sheet).toBeGreaterThanOrEqual(TEXT);
      expect(contrast(written, dim), sheet).toBeGreaterThanOrEqual(TEXT);
      // It is paper by any light: as light as what is written on it is dark.
      expect(luminance(dim)).toBeGreaterThan(0.5);
    }
  });

  it("is night again wherever a piece of the table lies on parchment", () => {
    for (const [name, { night }] of inkOnPaper) expect(night).toBe(colour(name, "night"));
  });
});
