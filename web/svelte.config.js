import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

/** @type {import("@sveltejs/vite-plugin-svelte").SvelteConfig} */
export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    // By content, so that the first view, drawn at build time, has the classes of the style sheets.
    cssHash: ({ hash, css }) => `s-${hash(css)}`,
  },
};
