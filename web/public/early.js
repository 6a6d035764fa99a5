// Runs before anything is drawn and before the app is there; src/lib/home/first-view.ts takes over.

// The chosen theme, so that no other flashes; whether a game was under way here, and whether there was any.
try {
  const { theme } = JSON.parse(localStorage.getItem("foretold.settings") ?? "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (localStorage.getItem("foretold.under-way") !== null)
    document.documentElement.dataset.underWay = "";
  if (localStorage.getItem("foretold.played") !== null)
    document.documentElement.dataset.played = "";
} catch {
  // Storage is closed or holds rubbish: the system's theme it is.
}

// On a slow network the scripts come before the fonts; src/lib/late-fonts.ts then lets these in.
if (/2g|3g/.test(navigator.connection?.effectiveType))
  document.documentElement.dataset.fonts = "late";
else for (const link of document.querySelectorAll('link[as="font"]')) link.removeAttribute("media");

// A button pressed before the app is there is kept for it, and so is what was typed or chosen.
function waiting(event) {
  const app = document.getElementById("app");
  return app?.dataset.waits !== undefined && app.contains(event.target);
}
addEventListener("click", (event) => {
  const button = event.target.closest?.("button");
  if (!button || !waiting(event)) return;
  event.preventDefault();
  document.querySelector("[data-pressed]")?.removeAttribute("data-pressed");
  button.dataset.pressed = "";
  if (button.id === "play") fetchTable();
});
addEventListener("input", (event) => {
  if (waiting(event)) event.target.dataset.touched = "";
});

// Whoever has pressed Play now needs the table next. It is fetched once only the last of this page's own scripts
// is still coming (sooner would delay them, and later would leave the line idle), three parts at a time, which
// leaves connections for the game itself.
function fetchTable() {
  const list = document.querySelector('meta[name="table-parts"]');
  const parts = list?.content.split(" ") ?? [];
  list?.remove();
  function fetchNext() {
    const href = parts.shift();
    if (href === undefined) return;
    const link = document.createElement("link");
    if (href.endsWith(".css")) link.as = "style";
    link.rel = link.as ? "preload" : "modulepreload";
    link.crossOrigin = "";
    link.href = href;
    link.onload = fetchNext;
    document.head.append(link);
  }
  const own = [...document.querySelectorAll('link[rel="modulepreload"]')];
  const coming = own.filter(({ href }) => performance.getEntriesByName(href).length === 0);
  let left = coming.length;
  function fetchIfLast() {
    if (left > 1) return;
    left = Infinity;
    for (let lines = 0; lines < 3; lines += 1) fetchNext();
  }
  for (const link of coming)
    link.addEventListener("load", () => {
      left -= 1;
      fetchIfLast();
    });
  fetchIfLast();
}
// Where a script does not arrive, forms go to the server as they did before there were any; where there
// is nothing to see without it, or no language has arrived, the page says so and is loaded again.
addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", doWithout);
    else doWithout();
  },
  true,
);
function doWithout() {
  const app = document.getElementById("app");
  delete app?.dataset.waits;
  if (!app?.childElementCount) dispatchEvent(new Event("lost"));
}

// Once the server answers, and not before, or the browser would show a page of its own. The pauses
// grow, beyond this page too: the app forgets the number of attempts once it is there.
addEventListener(
  "lost",
  async () => {
    const pause = (milliseconds) =>
      new Promise((go) => {
        setTimeout(go, milliseconds);
        addEventListener("online", go, { once: true });
      });
    let tries = history.state?.tries ?? 0;
    do {
      document.getElementById("trying")?.removeAttribute("hidden");
      tries += 1;
      history.replaceState({ tries }, "");
      await pause(Math.min(500 * 2 ** tries, 60_000));
    } while (!(await fetch("/", { method: "HEAD", cache: "no-store" }).catch(() => null))?.ok);
    location.reload();
  },
  { once: true },
);
