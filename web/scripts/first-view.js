/** The first view of the home page as HTML, in any language: what is there before any script. */
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { render } from "svelte/server";
import { createServer } from "vite";

export const HOME = "src/pages/Home.svelte";
export const ART = "src/lib/home/HeroArt.svelte";

/**
 * Draws it in each language.
 *
 * @param {string[]} languages
 * @returns {Promise<Record<string, string>>}
 */
export async function firstViews(languages) {
  const server = await createServer({
    root: new URL("..", import.meta.url).pathname,
    configFile: false,
    plugins: [svelte({ compilerOptions: { dev: false } })],
    server: { middlewareMode: true, ws: false, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
    appType: "custom",
    logLevel: "error",
  });
  try {
    const load = (/** @type {string} */ path) => server.ssrLoadModule(`/${path}`);
    const { default: App } = await load("src/App.svelte");
    const { default: Page } = await load(HOME);
    const { default: Art } = await load(ART);
    const { setLocale } = await load("src/lib/messages.svelte.ts");
    const { router } = await load("src/lib/router.svelte.ts");
    const first = { place: router.place, Page, parameters: { Art } };
    /** @type {Record<string, string>} */
    const views = {};
    for (const language of languages) {
      await setLocale(language);
      // Without the hydration marks: our app replaces this HTML.
      views[language] = render(App, { props: { first } }).body.replace(/<!--.*?-->/gs, "");
    }
    return views;
  } finally {
    await server.close();
  }
}
