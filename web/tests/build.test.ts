/** The finished build: run `make web` (or `npm run build`) first. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const built = new URL("../../src/foretold/server/static/", import.meta.url);
const LIMIT = 150 * 1024;

const languages = globSync("*.json", { cwd: new URL("../messages/", import.meta.url) }).map(
  (name) => name.replace(".json", ""),
);

function read(file: string): string {
  return readFileSync(new URL(file, built), "utf8");
}

function pageIn(language: string): string {
  return language === "en" ? "home.html" : `home.${language}.html`;
}

/** What goes over the wire: text compressed, fonts as they are. */
function sizeOf(file: string): number {
  const compressed = new URL(`${file}.br`, built);
  return readFileSync(existsSync(compressed) ? compressed : new URL(file, built)).length;
}

describe("the built client", () => {
  it.each(languages)("needs little for its first page in %s", (language) => {
    const page = pageIn(language);
    // All of it is in the page, so that nothing is requested only after something else has run.
    const files = new Set(
      [...read(page).matchAll(/"\/(assets\/[^" ]+|early\.js)"/g)].map(([, file = ""]) => file),
    );
    for (const kind of [/first-.*js$/, /\.css$/, /\.woff2$/, new RegExp(`/${language}-.*js$`)]) {
      expect([...files].some((file) => kind.test(file))).toBe(true);
    }
    const total = [page, ...files].reduce((sum, file) => sum + sizeOf(file), 0);
    console.info(`first page in ${language}: ${(total / 1024).toFixed(1)} KB compressed`);
    expect(total).toBeLessThan(LIMIT);
  });

  it.each(languages)("names what a first game needs, in %s", (language) => {
    const [, named = ""] =
      /<meta name="table-parts" content="([^"]+)"/.exec(read(pageIn(language))) ?? [];
    const files = named.split(" ").map((file) => file.slice(1));
    for (const kind of [/table-.*js$/, /table-.*css$/, /coach-.*js$/, /socket-.*js$/]) {
      expect(files.some((file) => kind.test(file))).toBe(true);
    }
    for (const file of files) expect(existsSync(new URL(file, built)), file).toBe(true);
  });

  it.each(["index.html", "home.html"])("has nothing inline in %s", (name) => {
    const page = read(name);
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });

  it.each(languages)("shows what it is before any script runs, in %s", (language) => {
    const file = new URL(`../messages/${language}.json`, import.meta.url);
    const texts = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    const page = read(pageIn(language));
    for (const key of ["home_what", "home_picture", "home_play_now"]) {
      expect(page).toContain(`>${texts[key]}<`);
    }
    // A sentence a line.
    const words = page.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
    expect(words).toContain(texts.home_tagline);
    expect(page).toContain("<form action=");
    expect(read("index.html")).toContain('<div id="app"></div>');
  });
});
