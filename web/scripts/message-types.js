/**
 * Writes src/lib/messages.gen.ts: the type of every message in messages/en.json with its
 * parameters, so that a wrong key or a missing number is found before anyone sees it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "../src/lib/message-format.js";

const root = new URL("..", import.meta.url);
const source = fileURLToPath(new URL("messages/en.json", root));
const target = fileURLToPath(new URL("src/lib/messages.gen.ts", root));

/**
 * @param {import("../src/lib/message-format.js").Part[]} parts
 * @param {Map<string, string>} found
 */
function collect(parts, found = new Map()) {
  for (const part of parts) {
    if (typeof part === "string" || part.kind === "count") continue;
    if (part.kind === "value") {
      if (!found.has(part.name)) found.set(part.name, part.form ? "Forms" : "string | number");
      continue;
    }
    if (part.kind === "plural") found.set(part.name, "number");
    else found.set(part.name, part.cases.map(([name]) => JSON.stringify(name)).join(" | "));
    for (const [, inner] of part.cases) collect(inner, found);
  }
  return found;
}

export function writeMessageTypes() {
  /** @type {Record<string, string>} */
  const messages = JSON.parse(readFileSync(source, "utf8"));
  const lines = Object.entries(messages).map(([key, text]) => {
    const parameters = [...collect(parse(text))].map(([name, type]) => `${name}: ${type}`);
    const signature = parameters.length ? `parameters: { ${parameters.join("; ")} }` : "";
    return `  /** ${text.replaceAll("*/", "* /")} */\n  ${key}: (${signature}) => string;`;
  });
  const text = `// Made from messages/en.json by scripts/message-types.js.\nimport type { Forms } from "./message-format.js";\n\nexport interface Messages {\n${lines.join("\n")}\n}\n`;
  let before = "";
  try {
    before = readFileSync(target, "utf8");
  } catch {
    // The first build.
  }
  if (before !== text) writeFileSync(target, text);
}

/** The same as a Vite plugin, which also follows changes while the development server runs. */
export function messageTypes() {
  return {
    name: "foretold-message-types",
    config: writeMessageTypes,
    /** @param {{ file: string }} change */
    handleHotUpdate({ file }) {
      if (file === source) writeMessageTypes();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeMessageTypes();
