/** The fonts, as subset by `make web`. */
import { globSync, readFileSync } from "node:fs";
import * as hb from "harfbuzzjs";
import subsetFont from "subset-font";
import { describe, expect, it } from "vitest";
import { families, PARTS } from "../scripts/fonts.js";

const root = new URL("../", import.meta.url);
const css = readFileSync(new URL("src/fonts.gen/fonts.css", root), "utf8");
// A font that lacks them draws a space of the right width.
const SPACES = /[\u00a0\u202f\u00ad]/g;

async function face(family: string, part: string): Promise<hb.Face> {
  const path = `src/fonts.gen/${family.toLowerCase()}-${part}.woff2`;
  const file = readFileSync(new URL(path, root));
  const letters = PARTS.find(({ name }) => name === part)?.letters ?? "";
  const whole = await subsetFont(file, letters, { targetFormat: "truetype" });
  return new hb.Face(new hb.Blob(Uint8Array.from(whole).buffer));
}

describe.each(families)("$name", ({ name, weights }) => {
  it.each(PARTS)("has every letter of its part $name", async ({ name: part, letters }) => {
    const known = new Set((await face(name, part)).collectUnicodes());
    const missing = [...letters.replace(SPACES, "")].filter(
      (letter) => !known.has(letter.codePointAt(0) ?? 0),
    );
    expect(missing).toEqual([]);
  });

  it("is variable", async () => {
    const { wght } = (await face(name, "west")).getAxisInfos();
    expect([wght?.min, wght?.max]).toEqual([weights.min, weights.max]);
  });

  it("has fallbacks near its own size", () => {
    const sizes = [...css.matchAll(/font-family: "(\w+) \w+";[^}]*size-adjust: ([\d.]+)%/g)]
      .filter(([, family]) => family === name)
      .map(([, , size]) => Number(size));
    expect(sizes.length).toBeGreaterThan(1);
    for (const size of sizes) expect(Math.abs(size - 100)).toBeLessThan(12);
  });
});

it("figures of the text are all equally wide, as a score sheet needs them", async () => {
  const font = new hb.Font(await face("Asap", "west"));
  for (const weight of [400, 700]) {
    font.setVariations([new hb.Variation("wght", weight)]);
    const buffer = new hb.Buffer();
    buffer.addText("0123456789");
    buffer.guessSegmentProperties();
    hb.shape(font, buffer);
    const widths = buffer.getGlyphPositions().map(({ xAdvance }) => xAdvance);
    expect(widths.length).toBe(10);
    expect(new Set(widths).size).toBe(1);
  }
});

it("the letters of all nine languages are in the parts that every page may load", () => {
  const letters = PARTS.filter(({ name }) => !name.endsWith("rest")).map((part) => part.letters);
  const known = letters.join("");
  for (const path of globSync("messages/*.json", { cwd: root })) {
    const strange = [...readFileSync(new URL(path, root), "utf8")].filter(
      (letter) => letter !== "\n" && !known.includes(letter),
    );
    expect([path, ...new Set(strange)]).toEqual([path]);
  }
});

it("no letter is in two parts", () => {
  const all = PARTS.flatMap(({ letters }) => [...letters]);
  expect(all.length).toBe(new Set(all).size);
});
