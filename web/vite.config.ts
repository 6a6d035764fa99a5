import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { chunks } from "./scripts/chunks.js";
import { compress } from "./scripts/compress.js";
import { fonts } from "./scripts/fonts.js";
import { languages } from "./scripts/languages.js";
import { messageTypes } from "./scripts/message-types.js";

const server = process.env.FORETOLD_SERVER ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [messageTypes(), fonts(), svelte(), languages(), compress()],
  build: {
    outDir: "../src/foretold/server/static",
    emptyOutDir: true,
    manifest: true,
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: chunks() } },
    // The first browsers with light-dark(), which src/theme.css relies on.
    target: ["chrome123", "firefox120", "safari17.5"],
  },
  server: {
    proxy: {
      "/api": { target: server, ws: true },
    },
  },
  test: {
    include: ["tests/**/*.test.ts"],
    setupFiles: ["tests/setup.ts"],
  },
});
