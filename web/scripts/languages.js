/**
 * What a browser reads before any script runs, in every language: the home page with its first view,
 * the page for all other addresses, and the manifest of the installed site. The server chooses the
 * page by the address and the browser's languages; routes.json tells it which addresses there are.
 */
import { readdirSync, readFileSync } from "node:fs";
import { ART, firstViews, HOME } from "./first-view.js";
import { GROUPS } from "./chunks.js";
import { PARTS } from "./fonts.js";

const folder = new URL("../messages/", import.meta.url);

/** Where the page has room for the first view. */
const PLACE = "<!-- the first view -->";

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

/** @param {string} link */
function hrefOf(link) {
  return /href="[^"]*"/.exec(link)?.[0] ?? "";
}

/**
 * @param {string} page
 * @param {string[]} links
 */
function withLinks(page, links) {
  return page.replace("</head>", `  ${links.join("\n    ")}\n  </head>`);
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

/**
 * The chunk of a source file, and all that it imports statically.
 *
 * @param {import("rolldown").OutputBundle} bundle
 * @param {string} source
 */
function chunksOf(bundle, source) {
  const all = Object.values(bundle).filter((one) => one.type === "chunk");
  const found = new Set(
    all.filter(({ moduleIds, facadeModuleId }) =>
      [...moduleIds, facadeModuleId].some((id) => id?.endsWith(`/${source}`)),
    ),
  );
  if (found.size === 0) throw new Error(`${source} is in no chunk`);
  for (const { imports } of found) {
    for (const chunk of all) if (imports.includes(chunk.fileName)) found.add(chunk);
  }
  return [...found];
}

/**
 * What the first page needs, so that nothing is requested only after something else has run.
 *
 * @param {import("rolldown").OutputBundle} bundle
 */
function homeLinks(bundle) {
  const scripts = chunksOf(bundle, HOME);
  const styles = [...scripts, ...chunksOf(bundle, ART)].flatMap((chunk) => [
    ...(chunk.viteMetadata?.importedCss ?? []),
  ]);
  return [
    ...[...new Set(styles)].map((name) => `<link rel="stylesheet" crossorigin href="/${name}" />`),
    ...scripts.map(({ fileName }) => preload(fileName)),
  ];
}

/**
 * What a first game needs beyond the first page: public/early.js fetches it once Play now is pressed.
 *
 * @param {import("rolldown").OutputBundle} bundle
 */
function tableParts(bundle) {
  const page = chunksOf(bundle, HOME);
  const chunks = [...GROUPS.socket, ...GROUPS.table, ...GROUPS.coach]
    .flatMap((source) => chunksOf(bundle, source))
    .filter((chunk) => !page.includes(chunk));
  const files = chunks.flatMap((chunk) => [
    chunk.fileName,
    ...(chunk.viteMetadata?.importedCss ?? []),
  ]);
  return `<meta name="table-parts" content="${[...new Set(files)].map((name) => `/${name}`).join(" ")}" />`;
}

/** @param {string} fileName */
function preload(fileName) {
  return `<link rel="modulepreload" crossorigin href="/${fileName}" />`;
}

/** The addresses of all pages, from the client's one list of them. */
function routes() {
  const list = readFileSync(new URL("../src/lib/router.svelte.ts", import.meta.url), "utf8");
  return [...list.matchAll(/\broute\("(\/[^"]*)"/g)].map(([, path]) => path);
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
      async handler(_, bundle) {
        const page = bundle["index.html"];
        if (page?.type !== "asset") throw new Error("there is no index.html to translate");
        const template = String(page.source);
        const views = await firstViews(catalogues().map(({ language }) => language));
        const links = homeLinks(bundle).filter((link) => !template.includes(hrefOf(link)));
        const parts = tableParts(bundle);
        this.emitFile({ type: "asset", fileName: "routes.json", source: JSON.stringify(routes()) });
        for (const catalogue of catalogues()) {
          const { language } = catalogue;
          const texts = Object.values(bundle).find(
            (one) =>
              one.type === "chunk" && one.facadeModuleId?.endsWith(`/messages/${language}.json`),
          );
          if (texts === undefined) throw new Error(`the texts of ${language} are in no chunk`);
          const plain = inLanguage(template, catalogue);
          // Otherwise the texts would be requested only after the first script has run.
          const source = withLinks(plain, [preload(texts.fileName)]).replace(PLACE, "");
          if (language === "en") page.source = source;
          else this.emitFile({ type: "asset", fileName: `index.${language}.html`, source });
          const home = withLinks(plain, [...links, preload(texts.fileName), parts])
            .replace(
              /<a href="\/"[^]*?<\/a>(?=\s*<\/p>\s*<\/noscript>)/,
              `<a href="#how">${catalogue.texts.home_rules}</a>`,
            )
            .replace(`>${PLACE}`, () => ` data-waits>${views[language]}`);
          const name = language === "en" ? "home.html" : `home.${language}.html`;
          this.emitFile({ type: "asset", fileName: name, source: home });
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
