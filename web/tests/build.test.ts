/** What the build has made: `make web` (or `npm run build`) comes first. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const built = new URL("../../src/foretold/server/static/", import.meta.url);
const FIRST_PAGE = "src/pages/Home.svelte";
const LIMIT = 150 * 1024;

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

/** The files that a browser needs for an entry, with everything it imports at once. */
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

describe("the built client", () => {
  it("needs little for its first page", () => {
    const text = readFileSync(new URL(".vite/manifest.json", built), "utf8");
    const manifest = JSON.parse(text) as Record<string, Chunk>;
    expect(manifest).toHaveProperty([FIRST_PAGE]);
    const files = [...filesOf(manifest, ["index.html", FIRST_PAGE])];
    const sizes = files.map((file) => gzipSync(readFileSync(new URL(file, built))).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.info(`first page: ${(total / 1024).toFixed(1)} KB compressed in ${files.length} files`);
    expect(total).toBeLessThan(LIMIT);
  });

  it("holds to the content security policy: nothing inline in the page", () => {
    const page = readFileSync(new URL("index.html", built), "utf8");
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });
});
