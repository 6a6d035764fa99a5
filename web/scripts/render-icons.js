/**
 * Draws public/favicon.svg and the icons of the installed app from src/lib/Logo.svelte, with an
 * installed Chromium: `node scripts/render-icons.js [chromium]`. Run it when the logo
 * changes, and commit the result.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const chromium = process.argv[2] ?? "chromium";
const root = fileURLToPath(new URL("..", import.meta.url));
const component = readFileSync(join(root, "src/lib/Logo.svelte"), "utf8");
const drawing = /<svg[^>]*>([^]*?)<\/svg>/.exec(component)?.[1] ?? "";

/** @param {string} inside */
function svg(inside) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${inside}</svg>`;
}

// A maskable icon fills its square, and keeps what must not be cut off within the inner four fifths.
const wide = '<path fill="#120f30" d="M-20 54q52-9 104 0v40H-20z"/>';
const scene = drawing.replace(/<path\s+class="ground"[^>]*>/, wide);
const maskable = `<rect width="64" height="64" fill="#232159"/><g transform="translate(9 9) scale(.72)">${scene}</g>`;

/** @type {[name: string, size: number, svg: string][]} */
const icons = [
  ["icon-192.png", 192, svg(drawing)],
  ["icon-512.png", 512, svg(drawing)],
  ["maskable-512.png", 512, svg(maskable)],
];

writeFileSync(join(root, "public/favicon.svg"), svg(drawing.replace(/\n\s*/g, " ").trim()) + "\n");

const folder = mkdtempSync(join(tmpdir(), "icons-"));
try {
  for (const [name, size, image] of icons) {
    const page = join(folder, "icon.html");
    writeFileSync(page, `<style>*{margin:0}svg{display:block;width:${size}px}</style>${image}`);
    const options = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--hide-scrollbars",
      "--default-background-color=00000000",
      `--window-size=${size},${size}`,
      `--screenshot=${join(folder, name)}`,
    ];
    execFileSync(chromium, [...options, `file://${page}`], { stdio: "ignore" });
    const target = join(root, "public/icons", name);
    writeFileSync(target, readFileSync(join(folder, name)));
  }
} finally {
  rmSync(folder, { recursive: true });
}
