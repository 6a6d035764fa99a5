/**
 * On a slow network the fonts wait until the scripts are there that a first game needs, so that it
 * begins sooner; until then their stand-ins take the same space.
 */

/** As public/early.js found when the page began. */
const slow = globalThis.document?.documentElement.dataset.fonts === "late";

export function onSlowNetwork(): boolean {
  return slow;
}

let scripts: Promise<unknown> = Promise.resolve();

/** The fonts come after these, too. */
export function beforeFonts(loading: Promise<unknown>): void {
  const all = Promise.allSettled([scripts, loading]);
  scripts = all;
  void all.then(() => {
    if (scripts === all) delete document.documentElement.dataset.fonts;
  });
}
