/**
 * What a browser reads before any script runs, in every language: the page (for search engines and
 * browsers without scripts) and the manifest of the installed site. The server chooses the page
 * by the browser's languages.
 */
import { readdirSync, readFileSync } from "node:fs";
import { PARTS } from "./fonts.js";

const folder = new URL("../messages/", import.meta.url);

/** @typedef {{ language: string, texts: Record<string, string> }} Catalogue */

/** @returns {Catalogue[]} */
function catalogues() {
  return readdirSync(folder).map((name) => ({
    language: name.replace(".json", ""),
    texts: JSON.parse(readFileSync(new URL(name, folder), "utf8")),
  }));
}

/**
 * Whether the texts use any letters of that part of the fonts.
 *
 * @param {string} part
 * @param {Catalogue} catalogue
 */
function needs(part, { texts }) {
  const letters = PARTS.find(({ name }) => name === part)?.letters;
  if (letters === undefined) throw new Error(`the fonts have no part ${part}`);
  return Object.values(texts).some((text) => [...text].some((letter) => letters.includes(letter)));
}

/**
 * The page with its `{messages}`, and without the fonts that its language does not need.
 *
 * @param {string} page
 * @param {Catalogue} catalogue
 */
function inLanguage(page, catalogue) {
  const { language, texts } = catalogue;
  return page
    .replace(/\{(\w+)\}/g, (whole, key) => (key === "language" ? language : (texts[key] ?? whole)))
    .replace(/\n *<link[^>]* data-letters="(\w+)"[^>]*>/g, (link, part) =>
      needs(part, catalogue) ? link : "",
    );
}

/** @param {Catalogue} catalogue */
function manifest({ language, texts }) {
  return JSON.stringify({
    name: texts.app_name,
    short_name: texts.app_name,
    description: texts.home_tagline,
    lang: language,
    id: "/",
    start_url: "/",
    display: "standalone",
    background_color: "#1e1d4e",
    theme_color: "#1e1d4e",
    icons: [
      { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png" },
      {
        src: "/icons/maskable-512.png",
        sizes: "512x512",
        type: "image/png",
        purpose: "maskable",
      },
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
    ],
  });
}

/** @returns {import("vite").Plugin} */
export function languages() {
  let building = false;
  return {
    name: "foretold-languages",
    enforce: "post",
    configResolved({ command }) {
      building = command === "build";
    },
    // The development server has only the English page.
    transformIndexHtml: (page) => {
      const english = catalogues().find(({ language }) => language === "en");
      return building || english === undefined ? page : inLanguage(page, english);
    },
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const page = bundle["index.html"];
        if (page?.type !== "asset") throw new Error("there is no index.html to translate");
        const template = String(page.source);
        for (const catalogue of catalogues()) {
          const { language } = catalogue;
          const texts = Object.values(bundle).find(
            (one) =>
              one.type === "chunk" && one.facadeModuleId?.endsWith(`/messages/${language}.json`),
          );
          if (texts === undefined) throw new Error(`the texts of ${language} are in no chunk`);
          // Otherwise they would be requested only after the first script has run.
          const preload = `<link rel="modulepreload" crossorigin href="/${texts.fileName}" />`;
          const source = inLanguage(template, catalogue).replace(
            "</head>",
            `  ${preload}\n  </head>`,
          );
          if (language === "en") page.source = source;
          else this.emitFile({ type: "asset", fileName: `index.${language}.html`, source });
          this.emitFile({
            type: "asset",
            fileName: `manifest.${language}.webmanifest`,
            source: manifest(catalogue),
          });
        }
      },
    },
  };
}
