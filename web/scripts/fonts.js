/**
 * Writes src/fonts.gen/: the site's two families, subset to the letters it needs, and fonts.css
 * with their @font-face rules, including fallbacks that take the same space. The complete families
 * come from npm; a letter outside the subset falls back to the system's fonts.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as hb from "harfbuzzjs";
import subsetFont from "subset-font";

/**
 * @typedef {object} Family
 * @property {string} name
 * @property {string} token the custom property with the whole font stack
 * @property {{ min: number, max: number }} weights
 * @property {{ ascent: number, descent: number }} [line] where the text stands in a line, in em
 * @property {{ range: string, of: number, fallback: number }[]} matched the weights of the fallbacks:
 *   which of the page's weights they stand in for, and which weights of both must be equally wide
 */

/** @type {Family[]} */
export const families = [
  {
    name: "Asap",
    token: "--font",
    weights: { min: 400, max: 700 },
    matched: [
      { range: "100 500", of: 400, fallback: 400 },
      { range: "600 900", of: 600, fallback: 700 },
    ],
  },
  {
    name: "Texturina",
    token: "--font-title",
    weights: { min: 500, max: 700 },
    // By default, its capitals stand far below the middle of a line.
    line: { ascent: 0.98, descent: 0.28 },
    matched: [{ range: "100 900", of: 600, fallback: 700 }],
  },
];

/**
 * Fonts that systems have, and an open font of the same widths to measure. `local` has their names
 * in both weights.
 */
const FALLBACKS = [
  {
    name: "Arial",
    standIn: "arimo",
    local: {
      400: ["Arial", "ArialMT", "Helvetica", "Liberation Sans", "Arimo"],
      700: ["Arial Bold", "Arial-BoldMT", "Helvetica Bold", "Liberation Sans Bold", "Arimo Bold"],
    },
  },
  {
    name: "Roboto",
    standIn: "roboto",
    local: { 400: ["Roboto", "Roboto-Regular"], 700: ["Roboto Bold", "Roboto-Bold"] },
  },
];

/** @param {number} first @param {number} last */
function span(first, last) {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i));
}

/** @param {string} text @param {string} known */
const without = (text, known) => [...text].filter((letter) => !known.includes(letter)).join("");

// The first file has the letters of English, German, French, Italian and Portuguese; the second has
// what Hungarian, Czech, Slovak and Polish need in addition. Names may need the others.
const LOWER_WEST = "àáâãäçèéêëìíîïñòóôõöùúûüýœ";
const LOWER_EAST = "ąćčďęěĺľłńňőŕřśšťůűźżž";
const WEST = `${span(0x20, 0x7e)}${LOWER_WEST}${LOWER_WEST.toUpperCase()}ß\u00a0«»·×®½¾–—‘’‚“”„…‹›−\u202f`;
const EAST = LOWER_EAST + LOWER_EAST.toUpperCase();

/** The files of a family, each a subset of one of the package's. */
export const PARTS = [
  { name: "west", from: "latin", letters: WEST },
  { name: "east", from: "latin-ext", letters: EAST },
  { name: "west-rest", from: "latin", letters: without(`${span(0xa1, 0xff)}ı•€™`, WEST) },
  {
    name: "east-rest",
    from: "latin-ext",
    letters: without(`${span(0x100, 0x17e)}ȘșȚțẞ`, `${WEST}${EAST}ı`),
  },
];

/** @param {string} letters "U+20-7E,U+A0" */
function unicodeRange(letters) {
  const points = [...letters].map((letter) => letter.codePointAt(0) ?? 0).sort((a, b) => a - b);
  /** @type {[number, number][]} */
  const ranges = [];
  for (const point of points) {
    const last = ranges.at(-1);
    if (last !== undefined && point <= last[1] + 1) last[1] = point;
    else ranges.push([point, point]);
  }
  const hex = (/** @type {number} */ point) => point.toString(16).toUpperCase();
  return ranges.map(([a, b]) => (a === b ? `U+${hex(a)}` : `U+${hex(a)}-${hex(b)}`)).join(",");
}

const root = new URL("../", import.meta.url);
const target = new URL("src/fonts.gen/", root);

/** @param {string} name of a package @param {string} from */
function packed(name, from) {
  const path = `node_modules/@fontsource-variable/${name}/files/${name}-${from}-wght-normal.woff2`;
  return readFileSync(new URL(path, root));
}

/** All texts of the site, to measure typical widths. */
function texts() {
  const folder = new URL("messages/", root);
  const all = readdirSync(folder).flatMap((name) =>
    Object.values(JSON.parse(readFileSync(new URL(name, folder), "utf8"))),
  );
  return [...all.join(" ")].filter((letter) => WEST.includes(letter)).join("");
}

/** The font of a file, at a weight. @param {Uint8Array} file @param {number} weight */
function fontOf(file, weight) {
  const font = new hb.Font(new hb.Face(new hb.Blob(Uint8Array.from(file).buffer)));
  font.setVariations([new hb.Variation("wght", weight)]);
  return font;
}

/** How wide a text is, in em. @param {hb.Font} font @param {string} text */
function widthOf(font, text) {
  const buffer = new hb.Buffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  hb.shape(font, buffer);
  const wide = buffer.getGlyphPositions().reduce((sum, { xAdvance }) => sum + xAdvance, 0);
  return wide / font.face.upem;
}

/**
 * Sets where the text stands in a line, in all three places that different systems read.
 *
 * @param {Buffer} file as TrueType
 * @param {{ ascent: number, descent: number }} line
 */
function setLine(file, { ascent, descent }) {
  /** @param {string} tag */
  const table = (tag) => {
    for (let record = 12; record < 12 + 16 * file.readUInt16BE(4); record += 16) {
      if (file.toString("latin1", record, record + 4) === tag) return file.readUInt32BE(record + 8);
    }
    throw new Error(`the font has no table ${tag}`);
  };
  const unitsPerEm = file.readUInt16BE(table("head") + 18);
  const above = Math.round(ascent * unitsPerEm);
  const below = Math.round(descent * unitsPerEm);
  const horizontal = table("hhea");
  file.writeInt16BE(above, horizontal + 4);
  file.writeInt16BE(-below, horizontal + 6);
  const windows = table("OS/2");
  file.writeInt16BE(above, windows + 68);
  file.writeInt16BE(-below, windows + 70);
  file.writeUInt16BE(above, windows + 74);
  file.writeUInt16BE(below, windows + 76);
}

/** A file of a family, as TrueType. @param {Family} family @param {(typeof PARTS)[number]} part */
async function cut({ name, weights, line }, { from, letters }) {
  const file = await subsetFont(packed(name.toLowerCase(), from), letters, {
    targetFormat: "truetype",
    variationAxes: { wght: weights },
    // Without the small figures for fractions, which are a tenth of the file.
    keepFeatures: ["calt", "ccmp", "kern", "liga", "lnum", "locl", "mark", "mkmk", "rvrn", "tnum"],
  });
  if (line !== undefined) setLine(file, line);
  return file;
}

/** @param {Record<string, string>} descriptors */
function fontFace(descriptors) {
  const lines = Object.entries(descriptors).map(([name, value]) => `  ${name}: ${value};\n`);
  return `@font-face {\n${lines.join("")}}\n`;
}

const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(2)}%`;

/** @param {Family} family @param {Buffer} file @param {string} text */
async function fallbackRules({ name, matched }, file, text) {
  const rules = [];
  for (const fallback of FALLBACKS) {
    const options = /** @type {const} */ ({ targetFormat: "truetype" });
    const standIn = await subsetFont(packed(fallback.standIn, "latin"), WEST, options);
    for (const { range, of, fallback: weight } of matched) {
      const font = fontOf(file, of);
      const size = widthOf(font, text) / widthOf(fontOf(standIn, weight), text);
      const { ascender, descender, lineGap } = font.hExtents();
      const height = (/** @type {number} */ units) => percent(units / font.face.upem / size);
      const names = fallback.local[/** @type {400 | 700} */ (weight)];
      rules.push(
        fontFace({
          "font-family": `"${name} ${fallback.name}"`,
          src: names.map((one) => `local("${one}")`).join(", "),
          "font-weight": range,
          "size-adjust": percent(size),
          "ascent-override": height(ascender),
          "descent-override": height(-descender),
          "line-gap-override": height(lineGap),
        }),
      );
    }
  }
  return rules;
}

export async function writeFonts() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const text = texts();
  const rules = [];
  const stacks = [];
  const meanwhile = [];
  for (const family of families) {
    const { name, token, weights } = family;
    for (const part of PARTS) {
      const file = await cut(family, part);
      const path = `${name.toLowerCase()}-${part.name}.woff2`;
      writeFileSync(
        new URL(path, target),
        await subsetFont(file, part.letters, { targetFormat: "woff2" }),
      );
      rules.push(
        fontFace({
          "font-family": `"${name}"`,
          src: `url("./${path}") format("woff2")`,
          "font-weight": `${weights.min} ${weights.max}`,
          "font-display": "swap",
          "unicode-range": unicodeRange(part.letters),
        }),
      );
      if (part.letters === WEST) rules.push(...(await fallbackRules(family, file, text)));
    }
    const fallbacks = FALLBACKS.map((fallback) => `"${name} ${fallback.name}"`);
    stacks.push(`  ${token}: "${name}", ${fallbacks.join(", ")}, sans-serif;\n`);
    meanwhile.push(`  ${token}: ${fallbacks.join(", ")}, sans-serif;\n`);
  }
  const head = "/* Made by scripts/fonts.js. */\n";
  writeFileSync(
    new URL("fonts.css", target),
    `${head}${rules.join("")}:root {\n${stacks.join("")}}\n` +
      // A browser fetches a font only once something is set in it.
      `:root[data-fonts="late"] {\n${meanwhile.join("")}}\n`,
  );
}

/**
 * The same as a Vite plugin, which also adds the licences to the build.
 *
 * @returns {import("vite").Plugin}
 */
export function fonts() {
  return {
    name: "foretold-fonts",
    // The tests read the finished build.
    apply: () => process.env.VITEST === undefined,
    config: writeFonts,
    generateBundle() {
      for (const { name } of families) {
        const path = `node_modules/@fontsource-variable/${name.toLowerCase()}/LICENSE`;
        const source = readFileSync(new URL(path, root), "utf8");
        this.emitFile({ type: "asset", fileName: `fonts/${name}-OFL.txt`, source });
      }
    },
  };
}
