import { mount } from "svelte";
import App from "./App.svelte";
import { replaceFirstView } from "./lib/home/first-view";
import { beforeFonts } from "./lib/late-fonts";
import { mendStyles } from "./lib/later";
import { mendFonts } from "./lib/net/fonts";
import { renewWhenOutdated } from "./lib/net/renewal";
import { open, router } from "./lib/router.svelte";
import { firstLanguage } from "./lib/settings.svelte";
import "./fonts.gen/fonts.css";
import "./theme.css";
import "./base.css";

// Not at the top level: a page shares this file's chunk, and would wait for what waits for it.
async function start(target: HTMLElement): Promise<void> {
  renewWhenOutdated();
  mendFonts();
  mendStyles();
  // A page that does not load is the app's to report.
  const page = open(router.place).catch(() => null);
  if (await firstLanguage()) {
    history.replaceState(null, ""); // It has the number of attempts.
    const first = await page;
    replaceFirstView(target, () => void mount(App, { target, props: { first } }));
    // Long enough for the home page to ask for the table.
    beforeFonts(new Promise((resolve) => setTimeout(resolve, 500)));
  } else dispatchEvent(new Event("lost")); // public/early.js tries again, in the words of the HTML.
}

const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app");
void start(target);
