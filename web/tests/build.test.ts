/** The finished build: run `make web` (or `npm run build`) first. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const built = new URL("../../src/foretold/server/static/", import.meta.url);
const FIRST_PAGE = "src/pages/Home.svelte";
const LIMIT = 150 * 1024;

const languages = globSync("*.json", { cwd: new URL("../messages/", import.meta.url) }).map(
  (name) => name.replace(".json", ""),
);

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

/** The files that a browser needs for an entry, including everything it imports statically. */
function filesOf(manifest: Record<string, Chunk>, entries: string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined || seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    chunk.imports?.forEach(visit);
  };
  entries.forEach(visit);
  return files;
}

function read(file: string): string {
  return readFileSync(new URL(file, built), "utf8");
}

function pageIn(language: string): string {
  return language === "en" ? "index.html" : `index.${language}.html`;
}

/** What goes over the wire: text compressed, fonts as they are. */
function sizeOf(file: string): number {
  const compressed = new URL(`${file}.br`, built);
  return readFileSync(existsSync(compressed) ? compressed : new URL(file, built)).length;
}

describe("the built client", () => {
  it.each(languages)("needs little for its first page in %s", (language) => {
    const manifest = JSON.parse(read(".vite/manifest.json")) as Record<string, Chunk>;
    expect(manifest).toHaveProperty([FIRST_PAGE]);
    const texts = `messages/${language}.json`;
    if (language !== "en") expect(manifest).toHaveProperty([texts]);
    const page = pageIn(language);
    const fonts = [...read(page).matchAll(/"\/(assets\/[^"]+\.woff2)"/g)].map(
      ([, file = ""]) => file,
    );
    expect(fonts.length).toBeGreaterThan(0);
    const files = filesOf(manifest, ["index.html", FIRST_PAGE, texts]);
    const total = [page, ...files, ...fonts].reduce((sum, file) => sum + sizeOf(file), 0);
    console.info(`first page in ${language}: ${(total / 1024).toFixed(1)} KB compressed`);
    expect(total).toBeLessThan(LIMIT);
  });

  it("holds to the content security policy: nothing inline in the page", () => {
    const page = read("index.html");
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });
});
