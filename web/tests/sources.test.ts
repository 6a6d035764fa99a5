import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../src/", import.meta.url).pathname;

it.each(globSync("**/*.svelte", { cwd: root }))(
  "%s has no style attribute, which the content security policy would drop",
  (path) => {
    const text = readFileSync(root + path, "utf8");
    // `style:name={…}` goes through the object model and is fine.
    expect(text).not.toMatch(/\sstyle=/);
    expect(text).not.toMatch(/\{@html/);
  },
);
